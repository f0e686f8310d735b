import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** ffmpeg that makes an H.264 video out of rgb24 frames. Wait for `write` before the buffer is used again. */
export function startEncoder(
  ffmpeg: string,
  out: string,
  video: { width: number; height: number; fps: number },
) {
  const input = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${video.width}x${video.height}`];
  const encode = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-pix_fmt', 'yuv420p'];
  const child = spawn(
    ffmpeg,
    ['-y', '-loglevel', 'error', ...input, '-r', `${video.fps}`, '-i', 'pipe:0', ...encode, out],
    { stdio: ['pipe', 'ignore', 'pipe'] },
  );
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint = `${complaint}${chunk}`.slice(-2000);
  });
  child.stdin.on('error', () => {}); // told by the exit code
  const closed = once(child, 'close');
  const fail = () => new Error(`ffmpeg could not write ${out}: ${complaint.trim() || 'it ended early'}`);
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
