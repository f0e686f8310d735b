import { execFile } from 'node:child_process';
import { childEnvironment } from '../platform/processes/child-environment.ts';
import { parseShopAddress } from '../simulator/shop-address.ts';
import { streamFault } from './camera-fault.ts';
import { inputOptions } from './ffmpeg/ffmpeg-arguments.ts';
import type { FfmpegBinaries } from './ffmpeg/ffmpeg-binaries.ts';
import { StreamError } from './frame-source.ts';
import { rgbToJpeg } from './jpeg.ts';
import { type CameraConnection, type CameraProxy, connectCamera } from './proxy/camera-proxy.ts';
import { parseStreamUrl } from './stream-url.ts';

export interface GrabOptions {
  readonly binaries: FfmpegBinaries;
  readonly timeoutMs: number;
  readonly cameraProxy?: CameraProxy | undefined;
}

const MAX_JPEG_BYTES = 16 * 1024 * 1024;
/** As the pictures of a running stream: 960 at most, never larger than the camera's own. */
const SCALE = 'scale=w=min(960\\,iw):h=min(960\\,ih):force_original_aspect_ratio=decrease';
/** Little is looked at before the first picture: whoever asked waits for it. */
const AT_ONCE = ['-analyzeduration', '1000000', '-probesize', '1000000', '-fpsprobesize', '0'];

/**
 * One picture of a stream that nobody reads, as JPEG.
 * @throws StreamError saying why there is none
 */
export async function grabImage(url: string, options: GrabOptions): Promise<Buffer> {
  const parsed = parseStreamUrl(url);
  if (parsed.scheme === 'sim') return drawPicture(url);
  const { binaries, timeoutMs, cameraProxy } = options;
  const connection = await connectCamera(parsed, { cameraProxy, binaries, timeoutMs });
  try {
    return await grabFrom(connection, binaries, timeoutMs);
  } finally {
    connection.close();
  }
}

function grabFrom(
  { address, httpProxy }: CameraConnection,
  binaries: FfmpegBinaries,
  timeoutMs: number,
): Promise<Buffer> {
  const argv = [
    ...['-nostdin', '-hide_banner', '-loglevel', 'warning', ...(address.scheme === 'file' ? [] : AT_ONCE)],
    ...inputOptions({ address, ioTimeoutMs: timeoutMs, httpProxy }, binaries.ffmpeg),
    ...['-i', address.input, '-an', '-sn', '-frames:v', '1', '-vf', SCALE],
    ...['-f', 'image2pipe', '-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-q:v', '3', 'pipe:1'],
  ];
  const limits = {
    ...({ timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: MAX_JPEG_BYTES } as const),
    env: childEnvironment(httpProxy),
  };
  return new Promise((resolve, reject) => {
    execFile(binaries.ffmpeg.path, argv, { ...limits, encoding: 'buffer' }, (error, stdout, stderr) => {
      if (!error && stdout.length > 0) return resolve(stdout);
      const said = String(stderr).trim() || 'it gives no picture';
      reject(streamFault(address, error?.killed ? 'timed out' : said));
    });
  });
}

/** The simulated shop as it is at the moment its address begins with. */
async function drawPicture(url: string): Promise<Buffer> {
  const shop = parseShopAddress(url);
  if (!shop) throw new StreamError('The address of the simulated shop cannot be read.');
  const { shopFrames } = await import('../simulator/shop-frames.ts');
  const drawing = shopFrames({ ...shop, fps: 1 });
  const rgb = new Uint8Array(drawing.width * drawing.height * 3);
  await drawing.prepare(0);
  drawing.frame(0, rgb);
  return rgbToJpeg(rgb, drawing);
}
