import { fpsValue } from './probed-stream.ts';

/** What ffprobe says about the time of a video and of its file, in seconds; undefined where it does not. */
export interface SaidTimes {
  /** ffprobe's name of the container. */
  readonly format: string;
  readonly fileStart: number | undefined;
  readonly fileDuration: number | undefined;
  readonly videoStart: number | undefined;
  readonly videoDuration: number | undefined;
  /** Of Matroska: a text like `00:01:30.500000000`. */
  readonly durationTag: string | undefined;
  /** Of AVI: frames that the head of the file promises. */
  readonly frames: number | undefined;
  readonly fps: string | undefined;
}

/** The length of a video: the time between the start of its file and the end of its last frame, which sound may outlast. */
export type VideoLength =
  | { readonly seconds: number | null }
  /** One program writes the time of the end, another the length. */
  | { readonly ifEnd: number; readonly ifLength: number; readonly start: number };

/** A smaller start is the delay of a decoder. */
const LEAST_START_SECONDS = 1;

export function videoLength(said: SaidTimes): VideoLength {
  const { format, fileStart = 0, videoStart = fileStart, videoDuration, fileDuration } = said;
  const names = format.split(',');
  if (names.includes('matroska')) {
    const duration = readTag(said.durationTag) ?? fileDuration ?? 0;
    if (duration <= 0) return { seconds: null };
    if (fileStart < LEAST_START_SECONDS || duration <= fileStart) return { seconds: duration };
    return { ifEnd: duration - fileStart, ifLength: duration, start: fileStart };
  }
  // Of an AVI that was cut off ffprobe says the time that is left.
  const promised = names.includes('avi') && said.fps ? (said.frames ?? 0) / fpsValue(said.fps) : 0;
  const ownLength = Math.max(promised || 0, videoDuration ?? 0);
  const seconds = ownLength > 0 ? Math.max(0, videoStart - fileStart) + ownLength : (fileDuration ?? 0);
  return { seconds: seconds > 0 ? seconds : null };
}

function readTag(text: string | undefined): number | null {
  const [, hours, minutes, seconds] = /^(\d+):(\d+):(\d+(?:\.\d+)?)/.exec(text ?? '') ?? [];
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return total > 0 ? total : null;
}
