import { parseShopAddress } from '../simulator/shop-address.ts';
import { faultFromLog } from './camera-fault.ts';
import { inputOptions, SHORT_ANALYSIS } from './ffmpeg/ffmpeg-arguments.ts';
import type { FfmpegBinaries } from './ffmpeg/ffmpeg-binaries.ts';
import { runToEnd } from './ffmpeg/run-to-end.ts';
import { rgbToJpeg } from './jpeg.ts';
import { type CameraProxy, connectCamera } from './proxy/camera-proxy.ts';
import { StreamError } from './stream-error.ts';
import { parseStreamUrl } from './stream-url.ts';

export interface GrabOptions {
  readonly binaries: FfmpegBinaries;
  readonly timeoutMs: number;
  readonly cameraProxy?: CameraProxy | undefined;
}

const MAX_JPEG_BYTES = 16 * 1024 * 1024;
/** The size of images of a running stream: at most 960 pixels, never larger than the camera's frames. */
const SCALE = 'scale=w=min(960\\,iw):h=min(960\\,ih):force_original_aspect_ratio=decrease';

/**
 * One image of a stream that no lane reads, as JPEG.
 * @throws StreamError
 */
export async function grabImage(url: string, options: GrabOptions): Promise<Buffer> {
  const parsed = parseStreamUrl(url);
  if (parsed.scheme === 'sim') return drawShop(url);
  const { binaries, timeoutMs } = options;
  const connection = await connectCamera(parsed, options);
  try {
    const { address, httpProxy } = connection;
    const argv = [
      ...['-nostdin', '-hide_banner', '-loglevel', 'warning'],
      ...(address.scheme === 'file' ? [] : SHORT_ANALYSIS),
      ...inputOptions({ address, ioTimeoutMs: timeoutMs, httpProxy }, binaries.ffmpeg),
      ...['-i', address.input, '-an', '-sn', '-frames:v', '1', '-vf', SCALE],
      ...['-f', 'image2pipe', '-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-q:v', '3', 'pipe:1'],
    ];
    const limits = { timeoutMs, maxOutputBytes: MAX_JPEG_BYTES, httpProxy };
    const { stdout, stderr, fault } = await runToEnd(binaries.ffmpeg, argv, limits);
    if (fault === null && stdout.length > 0) return stdout;
    throw faultFromLog(address, fault || stderr || 'it gives no frame');
  } finally {
    connection.close();
  }
}

/** The simulated shop at the moment that its address begins with. */
async function drawShop(url: string): Promise<Buffer> {
  const shop = parseShopAddress(url);
  if (!shop) throw new StreamError('The address of the simulated shop cannot be read.');
  const { ShopFrames } = await import('../simulator/shop-frames.ts');
  const drawing = new ShopFrames({ ...shop, fps: 1 });
  const rgb = new Uint8Array(drawing.width * drawing.height * 3);
  await drawing.prepare(0);
  drawing.frame(0, rgb);
  return rgbToJpeg(rgb, drawing);
}
