import ffmpeg from 'fluent-ffmpeg';
import type { Letterbox } from '../../vision/types.ts';
import type { Scheme, StreamAddress } from '../stream-url.ts';
import type { Binary } from './ffmpeg-binaries.ts';

/** Where ffmpeg's output goes: file descriptors of the child. */
const MODEL_PIPE = 1;
export const PICTURE_PIPE = 3;

/** Grey around the picture, as the detectors were trained with (114, 114, 114). */
const LETTERBOX_GREY = '0x727272';

/**
 * What an input may open, itself or through a playlist or redirect. Never file, concat, subfile or data for a
 * network: a hostile playlist could read this machine's files.
 */
const PROTOCOLS: Readonly<Record<Exclude<Scheme, 'sim'>, string>> = {
  file: 'file',
  rtsp: 'rtsp,rtp,tcp',
  rtsps: 'rtsps,rtsp,rtp,tls,tcp',
  rtmp: 'rtmp,tcp',
  http: 'http,https,tls,tcp,crypto',
  https: 'http,https,tls,tcp,crypto',
};
/** Through our proxy all is plain HTTP. `httpproxy:` in a playlist would be a connection to anywhere. */
const BEHIND_PROXY = 'http,tcp,crypto';
/** What a web address may turn out to be: no format that only lists other addresses, but for HLS, which the proxy reads. */
const WEB_FORMATS =
  'hls,mpegts,mpjpeg,mjpeg,jpeg_pipe,flv,live_flv,mov,matroska,webm,avi,asf,mpeg,mpegvideo,h264,hevc,m4v,aac,mp3,webvtt';

/**
 * How fast the input is read, and which clock its frames carry.
 * `arrival`: as it comes, stamped on arrival (a camera's own clock may jump). `paced`: at 1× by its own clock
 * (files, and HLS, which comes in bursts of a segment). `fast`: by its own clock, as fast as it can be read.
 */
export type Reading = 'arrival' | 'paced' | 'fast';

export interface StreamInput {
  readonly kind: 'stream';
  readonly address: StreamAddress;
  /** As of a `ProbedStream`. */
  readonly videoIndex: number;
  /** ffmpeg's name of it. */
  readonly codec: string;
  readonly reading: Reading;
  /** Longest silence of the network. */
  readonly ioTimeoutMs: number;
  /** `http://host:port` that all HTTP goes through. */
  readonly httpProxy?: string | undefined;
}

/** Frames drawn by ourselves, fed to standard input. */
interface RawInput {
  readonly kind: 'raw';
  readonly width: number;
  readonly height: number;
  readonly pixelFormat: 'rgb24';
  readonly fps: number;
}

export interface DecodePlan {
  readonly input: StreamInput | RawInput;
  /** Frames per second out, as ffmpeg writes it: `5` or `30000/1001`. */
  readonly fps: string;
  /** Whether frames are left out, or all of the source are taken. */
  readonly thinning: boolean;
  readonly letterbox: Letterbox;
  /** Null: no picture is made. Even sizes. */
  readonly picture: { readonly width: number; readonly height: number } | null;
  /** As of a `ProbedStream`. */
  readonly isPictureFormat: boolean;
  readonly decodeThreads: number;
}

/** The options that stand before `-i`, the same for ffmpeg and ffprobe. */
export function inputOptions(
  input: Omit<StreamInput, 'kind' | 'videoIndex' | 'codec' | 'reading'>,
  binary: Binary,
): string[] {
  const { scheme } = input.address;
  const timeoutUs = String(input.ioTimeoutMs * 1000);
  const isProxied = input.httpProxy !== undefined && scheme.startsWith('http');
  const options = [
    '-protocol_whitelist',
    isProxied ? BEHIND_PROXY : PROTOCOLS[scheme === 'sim' ? 'file' : scheme],
  ];
  if (scheme === 'rtsp' || scheme === 'rtsps') {
    options.push('-rtsp_transport', 'tcp', '-allowed_media_types', 'video');
    options.push(binary.rtspTimeoutOption, timeoutUs);
  } else if (scheme !== 'file') {
    options.push('-rw_timeout', timeoutUs);
  }
  const { hostHeader } = input.address;
  if (hostHeader !== undefined) options.push('-headers', `Host: ${hostHeader}\r\n`);
  if (isProxied) options.push('-http_proxy', input.httpProxy!, '-format_whitelist', WEB_FORMATS);
  return options;
}

/**
 * ffmpeg's arguments for one stream: frames are left out first, then one branch makes the model's input and one
 * the picture, each on a pipe of its own.
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
        ...inputOptions(input, binary),
        ...(input.address.scheme === 'file' ? [] : AT_ONCE),
        ...(input.reading === 'arrival' ? ['-use_wallclock_as_timestamps', '1'] : []),
        ...(input.reading === 'paced' ? ['-re'] : []),
      );
  }
  command.complexFilter(filterGraph(plan));
  command.output(`pipe:${MODEL_PIPE}`).outputOptions('-map', '[model]', ...rawOutput(binary));
  if (plan.picture) {
    command.output(`pipe:${PICTURE_PIPE}`).outputOptions('-map', '[picture]', ...rawOutput(binary));
  }
  return [...(input.kind === 'raw' ? [] : ['-nostdin']), ...globals(input), ...command._getArguments()];
}

/** Sizes are known already: frames at once, instead of a second look of some seconds. */
const AT_ONCE = ['-analyzeduration', '1000000', '-probesize', '1000000', '-fpsprobesize', '0'];

/**
 * `level+verbose`: every line names its level, and one tells when the stream's size changes. `-debug_ts` tells of each
 * picture that leaves the decoder. HEVC says only at `debug` whether a picture was decoded to its end.
 */
function globals(input: StreamInput | RawInput): string[] {
  const level = input.kind === 'stream' && input.codec === 'hevc' ? 'level+debug' : 'level+verbose';
  const pictures = input.kind === 'stream' ? ['-debug_ts'] : [];
  return ['-hide_banner', '-nostats', '-loglevel', level, ...pictures, '-filter_complex_threads', '1'];
}

/** Every frame that leaves the filters is written once: ffmpeg's own idea of a rate would repeat some. */
function rawOutput({ major }: Binary): string[] {
  const passthrough = [major < FPS_MODE_MAJOR ? '-vsync' : '-fps_mode', 'passthrough'];
  return [...passthrough, '-an', '-sn', '-dn', '-f', 'rawvideo', '-threads', '1'];
}
/** `-vsync` was renamed during ffmpeg 5 and is gone from later ones. */
const FPS_MODE_MAJOR = 6;

function filterGraph({ input, fps, thinning, letterbox, picture, isPictureFormat }: DecodePlan): string {
  const source = input.kind === 'raw' ? '0:0' : `0:v:${input.videoIndex}`;
  // Rounding up shows the newest frame that is not from the future; where every frame is taken, timestamps
  // rounded to ms would slip by one, so there the nearest.
  const head = `[${source}]fps=fps=${fps}:round=${thinning ? 'up' : 'near'}`;
  const model = [
    `scale=${letterbox.contentWidth}:${letterbox.contentHeight}:flags=fast_bilinear`,
    `format=rgb24`,
    `pad=${letterbox.inputWidth}:${letterbox.inputHeight}:0:0:color=${LETTERBOX_GREY}`,
    'setsar=1[model]',
  ].join(',');
  if (!picture) return `${head},${model}`;
  // Asked for a range, scale copies even a frame that has it and the size already.
  const range = isPictureFormat ? '' : ':out_range=tv';
  const shown = `scale=${picture.width}:${picture.height}:flags=fast_bilinear${range},format=yuv420p,setsar=1[picture]`;
  return `${head},split=2[a][b];[a]${model};[b]${shown}`;
}

/** The largest size of the picture's aspect that fits the model's input. Sizes in pixels. */
export function fitLetterbox(
  picture: { width: number; height: number },
  inputWidth: number,
  inputHeight: number,
): Letterbox {
  const scale = Math.min(inputWidth / picture.width, inputHeight / picture.height);
  const scaled = (size: number, limit: number) => Math.min(limit, Math.max(1, Math.round(size * scale)));
  return {
    inputWidth,
    inputHeight,
    contentWidth: scaled(picture.width, inputWidth),
    contentHeight: scaled(picture.height, inputHeight),
  };
}

/** Size of the kept picture: never enlarged, even because yuv420p halves it. */
export function fitPicture(
  picture: { width: number; height: number },
  longSide: number,
): { width: number; height: number } {
  const scale = Math.min(1, longSide / Math.max(picture.width, picture.height));
  const even = (size: number) => Math.max(2, Math.floor((size * scale + 1e-6) / 2) * 2);
  return { width: even(picture.width), height: even(picture.height) };
}
