import { parseShopAddress } from '../simulator/shop-address.ts';
import type { FullFrame } from '../vision/frame.ts';
import { faultFromLog } from './camera-fault.ts';
import { inputOptions, SHORT_ANALYSIS } from './ffmpeg/ffmpeg-arguments.ts';
import type { FfmpegBinaries } from './ffmpeg/ffmpeg-binaries.ts';
import { BLOCK_LIMIT } from './ffmpeg/media-limits.ts';
import { runToEnd } from './ffmpeg/run-to-end.ts';
import { frameOfRgb } from './picture/from-rgb.ts';
import { type Rotation, turnedSize, turnFilters, turnRgb } from './picture/turn.ts';
import { mayBeJpegs } from './probe/ffprobe.ts';
import { JPEG_DEMUXER } from './probe/probed-stream.ts';
import { type CameraConnection, type CameraProxy, connectCamera } from './proxy/camera-proxy.ts';
import { StreamError } from './stream-error.ts';
import { parseStreamUrl } from './stream-url.ts';

export interface GrabOptions {
  readonly binaries: FfmpegBinaries;
  readonly timeoutMs: number;
  readonly cameraProxy?: CameraProxy | undefined;
  /** How the frame is turned; default 0. */
  readonly rotation?: Rotation | undefined;
}

const MAX_BYTES = 16 * 1024 * 1024;
/** The size of images of a running stream. */
const LONGEST = 960;

/** Turned frames of at most `longest` pixels, never larger than those of the source, of even size. */
export const frameFilters = (longest: number, rotation: Rotation): string =>
  [
    ...turnFilters(rotation),
    `scale=w=min(${longest}\\,iw):h=min(${longest}\\,ih):force_original_aspect_ratio=decrease:out_color_matrix=bt601:out_range=tv`,
    'crop=trunc(iw/2)*2:trunc(ih/2)*2:0:0',
    'format=yuv420p',
  ].join(',');
/** YUV4MPEG2: a line with the size, then a line before each frame. */
const HEADER = /^YUV4MPEG2 W(\d+) H(\d+) [^\n]*\nFRAME[^\n]*\n/;

/**
 * One frame of a stream that no lane reads, at most 960 pixels wide and high. `framePicture` makes a JPEG of it.
 * @throws StreamError
 */
export async function grabFrame(url: string, options: GrabOptions): Promise<FullFrame> {
  const parsed = parseStreamUrl(url);
  if (parsed.scheme === 'sim') return drawShop(url, options.rotation ?? 0);
  const connection = await connectCamera(parsed, options);
  try {
    return await grab(connection, options).catch((error: unknown) => {
      if (!mayBeJpegs(connection.address, error)) throw error;
      return grab(connection, options, JPEG_DEMUXER).catch(() => {
        throw error;
      });
    });
  } catch (error) {
    throw connection.faultOf(error);
  } finally {
    connection.close();
  }
}

/** @param demuxer undefined: ffmpeg recognises the format */
async function grab(
  { address, httpProxy }: Pick<CameraConnection, 'address' | 'httpProxy'>,
  { binaries, timeoutMs, rotation = 0 }: GrabOptions,
  demuxer?: string,
): Promise<FullFrame> {
  const argv = [
    ...BLOCK_LIMIT,
    ...['-nostdin', '-hide_banner', '-loglevel', 'warning'],
    ...(address.scheme === 'file' ? [] : SHORT_ANALYSIS),
    ...inputOptions({ address, ioTimeoutMs: timeoutMs, httpProxy }, binaries.ffmpeg),
    ...['-threads', '2', ...(demuxer === undefined ? [] : ['-f', demuxer])],
    ...['-i', address.input, '-an', '-sn', '-frames:v', '1', '-vf', frameFilters(LONGEST, rotation)],
    ...['-f', 'yuv4mpegpipe', 'pipe:1'],
  ];
  const limits = { timeoutMs, maxOutputBytes: MAX_BYTES, httpProxy };
  const { stdout, stderr, fault } = await runToEnd(binaries.ffmpeg, argv, limits);
  const frame = fault === null ? readFrame(stdout) : null;
  if (frame) return frame;
  throw faultFromLog(address, fault || stderr || 'it gives no frame');
}

const FRAME = 'FRAME\n';

/** @param output of `-f yuv4mpegpipe` @returns null when there is no whole frame */
export function readFrame(output: Buffer): FullFrame | null {
  const header = HEADER.exec(output.subarray(0, 500).toString('latin1'));
  if (!header) return null;
  const [width, height] = [Number(header[1]), Number(header[2])];
  const start = header[0].length;
  const data = output.subarray(start, start + (width * height * 3) / 2);
  if (data.length < (width * height * 3) / 2) return null;
  return { index: 0, timeMs: 0, width, height, colourMatrix: 'bt601', data };
}

/** @param output of `-f yuv4mpegpipe` @returns its whole frames */
export function readFrames(output: Buffer): FullFrame[] {
  const first = readFrame(output);
  if (!first) return [];
  const frames = [first];
  const size = first.data.length;
  for (let end = output.indexOf(FRAME) + FRAME.length; ; ) {
    // Each frame has a line before it.
    const start = output.indexOf(FRAME, end + size);
    if (start < 0 || start + FRAME.length + size > output.length) return frames;
    end = start + FRAME.length;
    frames.push({ ...first, index: frames.length, data: output.subarray(end, end + size) });
  }
}

/** The simulated shop at the moment that its address begins with. */
async function drawShop(url: string, rotation: Rotation): Promise<FullFrame> {
  const shop = parseShopAddress(url);
  if (!shop) throw new StreamError('The address of the simulated shop cannot be read.');
  const { ShopFrames } = await import('../simulator/shop-frames.ts');
  const drawing = new ShopFrames({ ...shop, fps: 1 });
  const rgb = new Uint8Array(drawing.width * drawing.height * 3);
  await drawing.prepare(0);
  drawing.frame(0, rgb);
  return frameOfRgb(
    turnRgb(rgb, drawing, rotation),
    turnedSize({ width: drawing.width, height: drawing.height }, rotation),
  );
}
