import type { ColourMatrix } from '../../vision/frame.ts';
import type { Drawing } from '../drawing.ts';
import type { Decoding, Pace, StreamInfo } from '../frame-source.ts';
import { decodesInHardware, type Hardware } from '../hardware/hardware.ts';
import { type Rotation, turnedSize } from '../picture/turn.ts';
import { fpsValue, type ProbedStream } from '../probe/probed-stream.ts';
import { isIndexed } from '../recording/container.ts';
import type { StreamAddress } from '../stream-url.ts';
import { type DecodePlan, fitFullFrame, type Reading, type RecordedPart } from './ffmpeg-arguments.ts';
import { fitLetterbox } from './letterbox.ts';

export interface PlanOptions {
  /** The most frames per second. */
  readonly fps: number;
  readonly inputWidth: number;
  readonly inputHeight: number;
  /** Of full frames; null: none are made. */
  readonly fullLongSide: number | null;
  readonly pace: Pace;
  readonly decodeThreads: number;
  /** The input is a recording that is read after this presentation time; null: after none. Undefined: no recording. */
  readonly recordedAfterMs?: number | null | undefined;
  /** How frames are turned; default 0. */
  readonly rotation?: Rotation | undefined;
  /** Decodes what it can; undefined: software decodes everything. */
  readonly hardware?: Hardware | undefined;
  /** Default `all`. */
  readonly decoding?: Decoding | undefined;
  /** Only of files that are no recordings: it is read from this presentation time on; undefined: from its start. */
  readonly continueMs?: number | undefined;
}

/** How ffmpeg reads one stream, and how its frames are timed. */
export interface StreamPlan {
  readonly info: StreamInfo;
  readonly decode: DecodePlan;
  readonly colourMatrix: ColourMatrix;
  /** Presentation time of the first frame; null if frames get the time of their arrival, or the one in ffmpeg's log. */
  readonly firstTimeMs: number | null;
}

export interface StreamAccess {
  readonly address: StreamAddress;
  readonly ioTimeoutMs: number;
  readonly httpProxy?: string | undefined;
  readonly formats?: string | undefined;
}

export function planStream(probed: ProbedStream, access: StreamAccess, options: PlanOptions): StreamPlan {
  const live = isLive(probed, access.address);
  const sourceFps = probed.fps === null ? null : fpsValue(probed.fps);
  const thinning = sourceFps === null || sourceFps > options.fps;
  const fps = thinning || probed.fps === null ? String(options.fps) : probed.fps;
  const { rotation = 0 } = options;
  const shown = turnedSize({ width: probed.width, height: probed.height }, rotation);
  const letterbox = fitLetterbox(shown, options.inputWidth, options.inputHeight);
  const { recordedAfterMs } = options;
  const recorded = recordedAfterMs === undefined ? null : recordedPart(recordedAfterMs, probed.format);
  return {
    info: {
      ...shown,
      codec: probed.codec,
      sourceFps,
      fps: fpsValue(fps),
      durationSeconds: live ? null : probed.durationSeconds,
      live,
      letterbox,
    },
    decode: {
      input: {
        kind: 'stream',
        ...access,
        videoIndex: probed.videoIndex,
        codec: probed.codec,
        demuxer: probed.demuxer,
        reading: reading(probed, live),
      },
      fps,
      thinning,
      letterbox,
      full: options.fullLongSide === null ? null : fitFullFrame(shown, options.fullLongSide),
      isFullFormat: probed.isFullFormat,
      decodeThreads: options.decodeThreads,
      rotation,
      ...(options.hardware && decodesInHardware(probed.codec) && { hardware: options.hardware }),
      recorded,
      decoding: options.decoding,
      continueMs: options.continueMs,
    },
    colourMatrix: probed.colourMatrix,
    firstTimeMs:
      live || recorded ? null : (options.continueMs ?? firstTimeOf(probed.startMs, { fps, thinning })),
  };
}

function firstTimeOf(startMs: number, { fps, thinning }: Pick<DecodePlan, 'fps' | 'thinning'>): number {
  const firstFrame = (startMs * fpsValue(fps)) / 1000;
  return ((thinning ? Math.ceil(firstFrame - 1e-6) : Math.round(firstFrame)) * 1000) / fpsValue(fps);
}

/** At pace `realtime` a drawing acts as a camera, else as a file without end. */
export function planDrawing(drawing: Drawing, options: PlanOptions): StreamPlan {
  const live = options.pace === 'realtime';
  const { width, height, pixelFormat } = drawing;
  const { rotation = 0 } = options;
  const shown = turnedSize({ width, height }, rotation);
  const letterbox = fitLetterbox(shown, options.inputWidth, options.inputHeight);
  return {
    info: {
      ...{ ...shown, codec: 'rawvideo', sourceFps: options.fps, fps: options.fps },
      ...{ durationSeconds: null, live, letterbox },
    },
    decode: {
      input: { kind: 'raw', width, height, pixelFormat, fps: options.fps },
      fps: String(options.fps),
      thinning: false,
      letterbox,
      full: options.fullLongSide === null ? null : fitFullFrame(shown, options.fullLongSide),
      isFullFormat: false,
      decodeThreads: options.decodeThreads,
      rotation,
      recorded: null,
    },
    colourMatrix: 'bt601',
    firstTimeMs: live ? null : 0,
  };
}

/** Frames right after a seek may be incomplete: their reference frames were not decoded. */
const SEEK_MARGIN_SECONDS = 5;
/** Without an index ffmpeg begins anywhere, and nothing can be decoded before the next key frame. */
const UNINDEXED_MARGIN_SECONDS = 60;

/** Whole seconds, because they are exact in the time base of every container. */
function recordedPart(afterMs: number | null, format: string): RecordedPart {
  const margin = isIndexed(format) ? SEEK_MARGIN_SECONDS : UNINDEXED_MARGIN_SECONDS;
  const seekSeconds = Math.max(0, Math.floor((afterMs ?? 0) / 1000) - margin);
  return { afterMs: afterMs ?? -1, seekSeconds };
}

/** A recording on a web server has a length; a camera has none. */
function isLive(probed: ProbedStream, { scheme }: StreamAddress): boolean {
  if (scheme === 'file') return false;
  return !(scheme.startsWith('http') && probed.durationSeconds !== null);
}

/** A file is never paced by ffmpeg: `FrameQueue` says when its frames are due. */
function reading(probed: ProbedStream, live: boolean): Reading {
  if (!live) return 'fast';
  return probed.format.split(',').includes('hls') ? 'paced' : 'arrival';
}
