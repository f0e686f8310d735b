import { setTimeout as pause } from 'node:timers/promises';
import { FfmpegSource } from '../../src/video/ffmpeg/ffmpeg-source.ts';
import { progress } from '../support/terminal.ts';
import { until } from '../support/until.ts';
import { openJpegCamera } from './cameras/jpeg-camera.ts';
import { TcpProxy } from './cameras/tcp-proxy.ts';
import { part } from './part.ts';
import { verdict } from './verdict.ts';
import { VirtualTime } from './virtual-time.ts';

export const outage = part({
  name: 'outage',
  description:
    'Cuts the network to the cameras for an hour of virtual time, while real camera streams reconnect.',
  options: {
    cameras: ['number of camera streams', 16],
    minutes: ['length of the outage in virtual time', 60],
    fps: ['frames a second of each', 2],
  },
  /** Cuts the network: streams must retry at a bounded rate, and all must have frames again afterwards. */
  async run({ cameras, minutes, fps }) {
    const server = await openJpegCamera(fps);
    const proxy = await new TcpProxy(server.port).listen();
    const time = new VirtualTime();
    const attempts = new Array<number>(cameras).fill(0);
    const sources = attempts.map(
      (_, number) =>
        new FfmpegSource({
          url: `http://127.0.0.1:${proxy.port}/stream`,
          ...{ fps, inputWidth: 320, inputHeight: 320, pace: 'realtime', fullLongSide: null },
          wait: time.wait,
          onEvent: ({ type }) => {
            if (type === 'restarting') attempts[number]!++;
          },
        }),
    );
    try {
      await Promise.all(sources.map(hasFrames));
      attempts.fill(0);
      await proxy.set('refused');
      const endMs = minutes * 60_000;
      const bar = progress('outage', minutes, 'minutes');
      let quarterBytes: number | null = null;
      // Time passes only while all streams wait for their next attempt.
      const allWait = () => time.waiting === cameras;
      do {
        await until('every stream waits for its next attempt', allWait, 60, 5);
        if (time.nowMs > endMs / 4) quarterBytes ??= heapBytes();
        bar.update(Math.floor(time.nowMs / 60_000));
      } while (time.step(endMs));
      bar.stop();
      const heapGrowthMib = (heapBytes() - (quarterBytes ?? heapBytes())) / 2 ** 20;
      const made = attempts.reduce((sum, count) => sum + count, 0);
      const mostAttemptsOfACamera = Math.max(...attempts);
      await proxy.set('none');
      time.release();
      const camerasBack = (await Promise.all(sources.map(hasFrames))).filter(Boolean).length;
      const attemptsAllowed = QUICK_TRIES + Math.ceil((minutes * 60) / LEAST_PAUSE_SECONDS);
      return {
        cameras,
        minutes,
        attempts: made,
        mostAttemptsOfACamera,
        /** By the pauses between attempts: quick ones first, then at most one in half a minute. */
        attemptsAllowed,
        /** From a quarter of the time to its end. With `node --expose-gc` garbage is collected before both. */
        heapGrowthMib: Math.round(heapGrowthMib * 10) / 10,
        camerasBack,
        ...verdict({
          mostAttemptsOfACamera: { is: mostAttemptsOfACamera, atMost: attemptsAllowed },
          heapGrowthMib: { is: heapGrowthMib, atMost: 10 },
          camerasBack: { is: camerasBack, exactly: cameras },
        }),
      };
    } finally {
      time.release();
      await Promise.all(sources.map((source) => source.close()));
      await proxy.close();
      await server.close();
    }
  },
});

const QUICK_TRIES = 16;
const LEAST_PAUSE_SECONDS = 30;
const FRAME_SECONDS = 60;

/** Waits for three frames: the first may have been read before the outage. @returns false when they do not come in time */
async function hasFrames(source: FfmpegSource): Promise<boolean> {
  const before = source.stats.processedFrames;
  const deadline = pause(FRAME_SECONDS * 1000, false, { ref: false });
  const frames = async () => {
    while (source.stats.processedFrames < before + 3) if (!(await source.next())) return false;
    return true;
  };
  return Promise.race([frames(), deadline]);
}

function heapBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
