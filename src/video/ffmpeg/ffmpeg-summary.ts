import {
  chosenTrack,
  fpsValue,
  MAX_PLAUSIBLE_FPS,
  type ProbedStream,
  readableTracks,
  type VideoTrack,
} from '../probe/probed-stream.ts';
import { shownSize } from '../probe/shown-size.ts';

const SIZE = /^.*?, (\d+)x(\d+)/;

/**
 * Reads what `ffmpeg -i` prints about an input. It lacks the start of the video and rounds rates to two digits, but it
 * suffices where ffprobe crashes.
 * @param text from `Input #0` on
 * @param wanted number of the video to read; default the largest
 * @returns null when it names no video with a size; its videos when the wanted one is none of them
 */
export function readFfmpegSummary(text: string, wanted?: number): ProbedStream | VideoTrack[] | null {
  const format = /^Input #0, (.+), from '/m.exec(text)?.[1];
  const streams = text.split(/^\s+(?=Stream #0:)/m).slice(1);
  const videos = streams.filter((s) => /^Stream #0:\d+.*: Video: /.test(s));
  const tracks = readableTracks(videos.map(trackOf));
  if (format === undefined || tracks.length === 0) return null;
  const track = chosenTrack(tracks, wanted);
  if (!track) return tracks;
  const line = lineOf(videos[track.number]!);
  const { width, height, codec } = track;
  return {
    ...{ width, height, codec, videoTracks: tracks },
    fps: exactRate(rateOf(line)),
    durationSeconds: readDuration(text),
    videoIndex: track.number,
    startMs: 0,
    colourMatrix: /\((?:[^)]*, ?)?bt709\b/.test(line) ? 'bt709' : 'bt601',
    isFullFormat: /, yuv420p(?!\(pc\b)[(,]/.test(line),
    format,
  };
}

const lineOf = (video: string): string => video.replace(/\n.*/s, '');

const rateOf = (line: string): number =>
  Math.max(...[...line.matchAll(/, ([\d.]+) (?:fps|tbr)/g)].map((match) => Number(match[1])), 0);

function trackOf(video: string, number: number): VideoTrack & { isCover: boolean } {
  const line = lineOf(video);
  const [, width = 0, height = 0] = SIZE.exec(line) ?? [];
  const rate = exactRate(rateOf(line));
  return {
    number,
    ...shownSize({
      width: Number(width),
      height: Number(height),
      pixelAspect: /SAR (\d+:\d+)/.exec(line)?.[1],
      rotationDegrees: Number(/displaymatrix: rotation of (-?[\d.]+)/.exec(video)?.[1] ?? 0),
    }),
    codec: /: Video: (\w+)/.exec(line)?.[1] ?? 'unknown',
    fps: rate === null ? null : fpsValue(rate),
    isCover: video.includes('(attached pic)'),
  };
}

const NTSC = 1001;

/** `29.97` stands for 30000/1001, and so on for all rates that are almost whole. */
function exactRate(rate: number): string | null {
  if (!(rate > 0) || rate > MAX_PLAUSIBLE_FPS) return null;
  const whole = Math.round(rate);
  const ntsc = (whole * 1000) / NTSC;
  return rate !== whole && Math.abs(rate - ntsc) < 0.006 ? `${whole * 1000}/${NTSC}` : String(rate);
}

function readDuration(text: string): number | null {
  const [, hours, minutes, seconds] = /Duration: (\d+):(\d+):([\d.]+)/.exec(text) ?? [];
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return total > 0 ? total : null;
}
