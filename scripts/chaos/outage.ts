import { setTimeout as pause } from 'node:timers/promises';
import { FfmpegSource } from '../../src/video/ffmpeg/ffmpeg-source.ts';
import { progress } from '../support/terminal.ts';
import { CameraServer } from './camera-server.ts';
import { part } from './part.ts';
import { TcpProxy } from './tcp-proxy.ts';
import { VirtualTime } from './virtual-time.ts';

export interface OutageOptions {
  readonly cameras: number;
  readonly minutes: number;
  readonly fps: number;
}

export interface OutageResult {
  readonly cameras: number;
  readonly minutes: number;
  readonly attempts: number;
  readonly mostAttemptsOfACamera: number;
  /** What the pauses allow: quick tries first, then at most one in half a minute. */
  readonly attemptsAllowed: number;
  /** From a quarter of the time to its end; garbage was collected where node runs with --expose-gc. */
  readonly heapGrowthMib: number;
  readonly camerasBack: number;
  readonly passed: boolean;
}

export const outage = part({
  name: 'outage',
  description:
    'The network is away for an hour of virtual time; real streams try to reach their cameras meanwhile.',
  options: {
    cameras: ['streams', 16],
    minutes: ['how long, virtual', 60],
    fps: ['frames a second of each', 2],
  },
  run: runOutage,
});

const QUICK_TRIES = 16;
const LEAST_PAUSE_SECONDS = 30;

/** The network is away for an hour of virtual time: streams go on trying, at a bounded rate, and all come back. */
export async function runOutage({ cameras, minutes, fps }: OutageOptions): Promise<OutageResult> {
  const server = await CameraServer.open(fps);
  const proxy = await new TcpProxy(server.port).listen();
  const time = new VirtualTime();
  const attempts = new Array<number>(cameras).fill(0);
  const sources = attempts.map(
    (_, number) =>
      new FfmpegSource({
        url: `http://127.0.0.1:${proxy.port}/stream`,
        ...{ fps, inputWidth: 320, inputHeight: 320, pace: 'realtime', pictureLongSide: null },
        wait: time.wait,
        onEvent: ({ type }) => {
          if (type === 'restarting') attempts[number]!++;
        },
      }),
  );
  try {
    await Promise.all(sources.map((source) => nextFrame(source)));
    attempts.fill(0);
    await proxy.set('refused');
    const endMs = minutes * 60_000;
    const bar = progress('outage', minutes, 'minutes');
    // Whoever has not noticed yet is not waiting.
    await until(() => time.waiting === cameras, 60);
    let quarterBytes: number | null = null;
    while (time.nowMs < endMs) {
      await until(() => time.waiting === cameras, 60);
      if (!time.step(endMs)) break;
      if (time.nowMs > endMs / 4) quarterBytes ??= heapBytes();
      bar.update(Math.floor(time.nowMs / 60_000));
    }
    bar.stop();
    const heapGrowthMib = (heapBytes() - (quarterBytes ?? heapBytes())) / 2 ** 20;
    const made = attempts.reduce((sum, count) => sum + count, 0);
    await proxy.set('none');
    time.release();
    const back = await Promise.all(sources.map((source) => nextFrame(source, 60)));
    const camerasBack = back.filter(Boolean).length;
    const mostAttemptsOfACamera = Math.max(...attempts);
    const attemptsAllowed = QUICK_TRIES + Math.ceil((minutes * 60) / LEAST_PAUSE_SECONDS);
    return {
      ...{ cameras, minutes, attempts: made, mostAttemptsOfACamera, attemptsAllowed },
      heapGrowthMib: Math.round(heapGrowthMib * 10) / 10,
      camerasBack,
      passed: mostAttemptsOfACamera <= attemptsAllowed && heapGrowthMib < 10 && camerasBack === cameras,
    };
  } finally {
    time.release();
    await Promise.all(sources.map((source) => source.close()));
    await proxy.close();
    await server.close();
  }
}

/** @returns false when none came in time */
async function nextFrame(source: FfmpegSource, deadlineSeconds = 60): Promise<boolean> {
  const before = source.stats.processedFrames;
  const deadline = pause(deadlineSeconds * 1000, false, { ref: false });
  // A frame that was read before the outage is no sign of life after it.
  const frame = async () => {
    while (source.stats.processedFrames < before + 3) if (!(await source.next())) return false;
    return true;
  };
  return Promise.race([frame(), deadline]);
}

async function until(look: () => boolean, deadlineSeconds: number): Promise<void> {
  const deadlineMs = performance.now() + deadlineSeconds * 1000;
  while (!look()) {
    if (performance.now() > deadlineMs)
      throw new Error(`The streams did not settle within ${deadlineSeconds} s.`);
    await pause(5);
  }
}

function heapBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
