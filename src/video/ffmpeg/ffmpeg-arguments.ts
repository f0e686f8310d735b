import ffmpeg from 'fluent-ffmpeg';
import type { Letterbox } from '../../vision/types.ts';
import type { Decoding } from '../frame-source.ts';
import { HARDWARE_DOWNLOAD, type Hardware, hardwareInput } from '../hardware/hardware.ts';
import { type Rotation, turnFilters } from '../picture/turn.ts';
import { fpsValue } from '../probe/probed-stream.ts';
import type { Scheme, StreamAddress } from '../stream-url.ts';
import type { Binary } from './ffmpeg-binaries.ts';
import { BLOCK_LIMIT, DECODER_LIMITS } from './media-limits.ts';

/** File descriptors that ffmpeg writes frames to. */
const MODEL_PIPE = 1;
export const FULL_FRAME_PIPE = 3;

/** Red, green and blue of the grey around the frame, with which the detectors were trained. */
export const LETTERBOX_LEVEL = 114;
const LETTERBOX_GREY = `0x${LETTERBOX_LEVEL.toString(16).repeat(3)}`;

/**
 * Protocols that ffmpeg may open for an input, also through a playlist or redirect. Network inputs never get file, concat,
 * subfile or data: a hostile playlist could read the files of this machine.
 */
const PROTOCOLS: Readonly<Record<Exclude<Scheme, 'sim'>, string>> = {
  file: 'file',
  rtsp: 'rtsp,rtp,tcp',
  rtsps: 'rtsps,rtsp,rtp,tls,tcp',
  rtmp: 'rtmp,tcp',
  http: 'http,https,tls,tcp,crypto',
  https: 'http,https,tls,tcp,crypto',
};
/** To our proxy ffmpeg speaks plain HTTP. With `httpproxy:` allowed, a playlist could connect to anywhere. */
const BEHIND_PROXY = 'http,tcp,crypto';
/** Formats allowed over HTTP. Of the formats that list other addresses only HLS, because the proxy checks its playlists. */
const WEB_FORMATS =
  'hls,mpegts,mpjpeg,mjpeg,jpeg_pipe,flv,live_flv,mov,matroska,webm,avi,asf,mpeg,mpegvideo,h264,hevc,m4v,aac,mp3,webvtt';

/**
 * How fast ffmpeg reads the input, and which clock times its frames.
 * `arrival`: as it comes, timed on arrival, because a camera's clock may jump. `paced`: at 1× by its own clock, for HLS,
 * which comes in bursts. `fast`: as fast as its frames are taken from the pipes, by its own clock.
 */
export type Reading = 'arrival' | 'paced' | 'fast';

export interface StreamInput {
  readonly kind: 'stream';
  readonly address: StreamAddress;
  /** See `ProbedStream`. */
  readonly videoIndex: number;
  /** ffmpeg's name. */
  readonly codec: string;
  readonly reading: Reading;
  /** The longest time without data from the network. */
  readonly ioTimeoutMs: number;
  /** `http://host:port` of the proxy for all HTTP. */
  readonly httpProxy?: string | undefined;
  /** See `ProbedStream`. */
  readonly demuxer?: string | undefined;
  /** The demuxers that may read it; by default ffmpeg chooses any by the content. */
  readonly formats?: string | undefined;
}

/** Which frames of a recording are read, see `filterGraph`. Times are presentation times. */
export interface RecordedPart {
  /** Only frames after this one; -1: all. */
  readonly afterMs: number;
  /** ffmpeg begins to decode here, a key frame before `afterMs`; 0: at the start. */
  readonly seekSeconds: number;
}

/** Frames that this process draws and writes to standard input. */
interface RawInput {
  readonly kind: 'raw';
  readonly width: number;
  readonly height: number;
  readonly pixelFormat: 'rgb24';
  readonly fps: number;
}

export interface DecodePlan {
  readonly input: StreamInput | RawInput;
  /** Frames per second of the output, as ffmpeg writes it: `5` or `30000/1001`. */
  readonly fps: string;
  /** Whether frames are left out. */
  readonly thinning: boolean;
  readonly letterbox: Letterbox;
  /** Size of the full frame, even numbers; null: none is made. */
  readonly full: { readonly width: number; readonly height: number } | null;
  /** See `ProbedStream`. */
  readonly isFullFormat: boolean;
  readonly decodeThreads: number;
  /** What decodes it; undefined: software. */
  readonly hardware?: Hardware | undefined;
  /** How the frames are turned before anything else sees them; default 0. All sizes are those of turned frames. */
  readonly rotation?: Rotation | undefined;
  /** Only of recordings: then the log has the time of each frame. */
  readonly recorded: RecordedPart | null;
  /** Default `all`. */
  readonly decoding?: Decoding | undefined;
  /** Presentation time in a file from which on it is read; undefined: from its start. */
  readonly continueMs?: number | undefined;
}

/** Frames come at once. By default ffmpeg analyses a stream for seconds, although its size is known. */
export const SHORT_ANALYSIS = ['-analyzeduration', '1000000', '-probesize', '1000000', '-fpsprobesize', '0'];

/**
 * Skips frames before they are decoded. A frame that is left is the same picture, except for the loop filter: without it a
 * picture is a little more blocky, which the detector does not mind.
 */
const SKIPPING: Readonly<Record<Decoding, readonly string[]>> = {
  all: [],
  needed: ['-skip_frame', 'noref', '-skip_loop_filter', 'all'],
  key: ['-skip_frame', 'nokey', '-skip_loop_filter', 'all'],
};

/** The options before `-i`, the same for ffmpeg and ffprobe. */
export function inputOptions(
  input: Omit<StreamInput, 'kind' | 'videoIndex' | 'codec' | 'demuxer' | 'reading'>,
  binary: Binary,
): string[] {
  const { scheme } = input.address;
  const timeoutUs = String(input.ioTimeoutMs * 1000);
  const proxy = scheme.startsWith('http') ? input.httpProxy : undefined;
  const options = [
    '-protocol_whitelist',
    proxy !== undefined ? BEHIND_PROXY : PROTOCOLS[scheme === 'sim' ? 'file' : scheme],
  ];
  if (scheme === 'rtsp' || scheme === 'rtsps') {
    options.push('-rtsp_transport', 'tcp', '-allowed_media_types', 'video');
    options.push(binary.rtspTimeoutOption, timeoutUs);
  } else if (scheme !== 'file') {
    options.push('-rw_timeout', timeoutUs);
  }
  if (input.formats !== undefined) options.push('-format_whitelist', input.formats);
  const { hostHeader } = input.address;
  if (hostHeader !== undefined) options.push('-headers', `Host: ${hostHeader}\r\n`);
  if (proxy !== undefined) options.push('-http_proxy', proxy, '-format_whitelist', WEB_FORMATS);
  return [...options, ...DECODER_LIMITS];
}

/**
 * ffmpeg's arguments for one stream. It leaves frames out first; then one branch makes the model's input and one the full
 * frame, each for its own pipe.
 * @returns argv without the program; never passed through a shell
 */
export function ffmpegArguments(plan: DecodePlan, binary: Binary): string[] {
  const command = ffmpeg({ logger: undefined });
  const { input } = plan;
  if (input.kind === 'raw') {
    command
      .input(`pipe:0`)
      .inputOptions(
        ...['-protocol_whitelist', 'pipe', '-f', 'rawvideo', '-pixel_format', input.pixelFormat],
        ...['-video_size', `${input.width}x${input.height}`, '-framerate', String(input.fps)],
      );
  } else {
    command
      .input(input.address.input)
      .inputOptions(
        ...['-threads', String(plan.decodeThreads)],
        ...SKIPPING[plan.decoding ?? 'all'],
        ...(plan.hardware ? hardwareInput(plan.hardware) : []),
        ...inputOptions(input, binary),
        ...(input.address.scheme === 'file' ? [] : SHORT_ANALYSIS),
        ...(input.reading === 'arrival' ? ['-use_wallclock_as_timestamps', '1'] : []),
        ...(input.reading === 'paced' ? ['-re'] : []),
        ...(plan.recorded ? KEPT_GAPS : []),
        ...beginAt(plan),
        ...(input.demuxer === undefined ? [] : ['-f', input.demuxer]),
      );
  }
  command.complexFilter(filterGraph(plan));
  command.output(`pipe:${MODEL_PIPE}`).outputOptions('-map', '[model]', ...rawOutput(binary));
  if (plan.full) {
    command.output(`pipe:${FULL_FRAME_PIPE}`).outputOptions('-map', '[full]', ...rawOutput(binary));
  }
  return [...(input.kind === 'raw' ? [] : ['-nostdin']), ...globals(input), ...command._getArguments()];
}

/** Of transport and program streams ffmpeg would otherwise close each gap of more than ten seconds. */
const KEPT_GAPS = ['-dts_delta_threshold', '1000000000'];

function beginAt({ recorded, continueMs }: DecodePlan): string[] {
  const seconds = recorded ? recorded.seekSeconds : (continueMs ?? 0) / 1000;
  return seconds > 0 ? ['-ss', String(seconds)] : [];
}

/**
 * With `level+verbose` each line names its level, and a change of the frame size is logged. `-debug_ts` logs each frame
 * that leaves the decoder. Only at level `debug` the HEVC decoder logs whether a frame was decoded to its end.
 */
function globals(input: StreamInput | RawInput): string[] {
  const level = input.kind === 'stream' && input.codec === 'hevc' ? 'level+debug' : 'level+verbose';
  const timestamps = input.kind === 'stream' ? ['-debug_ts'] : [];
  return [
    ...BLOCK_LIMIT,
    '-hide_banner',
    '-nostats',
    '-loglevel',
    level,
    ...timestamps,
    '-filter_complex_threads',
    '1',
  ];
}

/** Each frame that leaves the filters is written once. Otherwise ffmpeg repeats frames to reach its own rate. */
function rawOutput({ major }: Binary): string[] {
  const passthrough = [major < FPS_MODE_MAJOR ? '-vsync' : '-fps_mode', 'passthrough'];
  return [...passthrough, '-an', '-sn', '-dn', '-f', 'rawvideo', '-threads', '1'];
}
/** `-vsync` was renamed in ffmpeg 5 and removed later. */
const FPS_MODE_MAJOR = 6;

function filterGraph(plan: DecodePlan): string {
  const { input, letterbox, full, isFullFormat, hardware, recorded, rotation = 0 } = plan;
  const source = input.kind === 'raw' ? '0:0' : `0:v:${input.videoIndex}`;
  // After the frames were picked and copied out of the hardware: only those that are used are turned.
  const head = [
    ...(recorded ? [pickFrames(plan, recorded)] : pickedNow(plan)),
    ...(hardware ? [HARDWARE_DOWNLOAD] : []),
    ...turnFilters(rotation),
  ];
  const model = [
    `scale=${letterbox.contentWidth}:${letterbox.contentHeight}:flags=fast_bilinear`,
    `format=rgb24`,
    `pad=${letterbox.inputWidth}:${letterbox.inputHeight}:0:0:color=${LETTERBOX_GREY}`,
    `setsar=1${recorded ? ',showinfo' : ''}[model]`,
  ].join(',');
  if (!full) return `[${source}]${[...head, model].join(',')}`;
  // With a range given, `scale` copies a frame even if range and size are right already.
  const range = isFullFormat ? '' : ':out_range=tv';
  const shown = `scale=${full.width}:${full.height}:flags=fast_bilinear${range},format=yuv420p,setsar=1[full]`;
  return `[${source}]${[...head, 'split=2[a][b]'].join(',')};[a]${model};[b]${shown}`;
}

/** Drawn frames come at the wanted rate. */
function pickedNow(plan: DecodePlan): string[] {
  if (plan.input.kind === 'raw') return [];
  return [plan.input.reading === 'fast' ? steadyFrames(plan) : dueFrames(plan)];
}

/** Of a file: frames at a steady rate; where the input has none, the last one is repeated. */
function steadyFrames({ fps, thinning, continueMs }: DecodePlan): string {
  // Rounding up gives the newest frame that is not from the future. Where no frame is left out, timestamps rounded to
  // milliseconds would slip by one frame, so there the nearest is taken.
  // After a seek the first frame is the one that was sought, even if the file has none at exactly this time.
  const start = continueMs === undefined ? '' : ':start_time=0';
  return `fps=fps=${fps}:round=${thinning ? 'up' : 'near'}${start}`;
}

/**
 * Of a camera: each frame that comes when one is due, at once. The filter `fps` would hold it until the next one comes. A frame is
 * due one interval after the one before was due; where none is to be left out it may come half an interval early, because cameras
 * send unevenly. After a pause one more is due, and a clock that was set back begins anew.
 */
function dueFrames({ fps, thinning }: DecodePlan): string {
  const [interval, early] = [`1/(${fps})`, thinning ? '0' : `0.5/(${fps})`];
  const isDue = `gte(t,ld(0)-${early})+lt(t,ld(0)-2*${interval})`;
  return `select='if(${isDue},st(0,clip(ld(0),t-${interval},t+${early})+${interval}),0)'`;
}

/**
 * The first frame of each interval, with its own time, and nothing where the recording has a gap. The choice depends on the
 * times of frames alone, so that a later start chooses the same frames. Frames that are older than one before are left out.
 */
function pickFrames({ fps, thinning }: DecodePlan, { afterMs, seekSeconds }: RecordedPart): string {
  const perMs = `${fps}/1000`;
  const interval = (time: string) => (thinning ? `floor(${time}*${perMs}+0.000001)` : time);
  const seekMs = seekSeconds * 1000;
  const known = thinning
    ? intervalOf(afterMs, fpsValue(fps)) - intervalOf(seekMs, fpsValue(fps))
    : afterMs - seekMs;
  const [now, before] = [interval('pts'), interval('prev_selected_pts')];
  return `settb=1/1000,select='if(isnan(prev_selected_pts),gt(${now},${known}),gt(${now},${before}))'`;
}

const intervalOf = (timeMs: number, fps: number): number => Math.floor((timeMs * fps) / 1000 + 1e-6);

/** Size of the full frame: never enlarged, and even, because yuv420p halves it. */
export function fitFullFrame(
  frame: { width: number; height: number },
  longSide: number,
): { width: number; height: number } {
  const scale = Math.min(1, longSide / Math.max(frame.width, frame.height));
  const even = (size: number) => Math.max(2, Math.floor((size * scale + 1e-6) / 2) * 2);
  return { width: even(frame.width), height: even(frame.height) };
}
