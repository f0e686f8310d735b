import { spawn } from 'node:child_process';
import { once } from 'node:events';

interface VideoFormat {
  readonly width: number;
  readonly height: number;
  readonly fps: number;
}

/** Starts an ffmpeg that encodes rgb24 frames as H.264. Wait for `write` before you change the buffer. */
export function startEncoder(ffmpeg: string, out: string, video: VideoFormat) {
  const input = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${video.width}x${video.height}`];
  const encode = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-pix_fmt', 'yuv420p'];
  const child = spawn(
    ffmpeg,
    ['-y', '-loglevel', 'error', ...input, '-r', `${video.fps}`, '-i', 'pipe:0', ...encode, out],
    { stdio: ['pipe', 'ignore', 'pipe'] },
  );
  let lastErrors = '';
  child.stderr.on('data', (chunk) => {
    lastErrors = `${lastErrors}${chunk}`.slice(-2000);
  });
  // The exit code reports a failed write.
  child.stdin.on('error', () => {});
  const closed = once(child, 'close');
  const fail = () => new Error(`ffmpeg could not write ${out}: ${lastErrors.trim() || 'it ended early'}`);
  return {
    write: (frame: Uint8Array) =>
      new Promise<void>((resolve, reject) => {
        child.stdin.write(frame, (error) => (error ? closed.then(() => reject(fail()), reject) : resolve()));
      }),
    async end(): Promise<void> {
      child.stdin.end();
      const [code] = (await closed) as [number | null];
      if (code !== 0) throw fail();
    },
    kill(): void {
      if (child.exitCode === null) child.kill('SIGKILL');
    },
  };
}

/** Encodes a video whose frames `draw` writes into the buffer, one after the other. */
export async function encodeVideo(
  ffmpeg: string,
  out: string,
  video: VideoFormat & { readonly frames: number },
  draw: (timeMs: number, pixels: Uint8Array) => Promise<void>,
): Promise<void> {
  const encoder = startEncoder(ffmpeg, out, video);
  const pixels = new Uint8Array(video.width * video.height * 3);
  try {
    for (let index = 0; index < video.frames; index++) {
      await draw((index * 1000) / video.fps, pixels);
      await encoder.write(pixels);
    }
    await encoder.end();
  } finally {
    encoder.kill();
  }
}
