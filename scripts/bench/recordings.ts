import { join } from 'node:path';
import { Installation } from '../support/installation.ts';
import { measuringCommand } from '../support/measuring-command.ts';
import { processTree } from '../support/process-tree.ts';
import { queueRecording, untilAnalysed, writeShopVideo } from '../support/recordings.ts';
import { table } from '../support/terminal.ts';
import { cpuSecondsOf, cpuSecondsOfEnded } from './cpu-time.ts';

/** Ten minutes in two. */
const LEAST_SECONDS_PER_SECOND = 5;
/** Drawing takes longer than the analysis, so that a minute is drawn and repeated. */
const DRAWN_SECONDS = 60;

export const recordings = measuringCommand({
  name: 'recordings',
  description:
    'How fast a worker with one lane analyses a recording of the simulated shop (640 × 360, 5 analysed frames a second), ' +
    'with its database. With `taskset -c 0` everything has one core. Exit code 0 only if ten minutes take at most two.',
  options: {
    minutes: ['length of the recording', 10],
    fps: ['frames a second of the recording', 25],
  },
  async measure({ minutes, fps }) {
    const installation = await Installation.open({ workers: 1 });
    try {
      const video = join(installation.folder, 'shop.mp4');
      await writeShopVideo(video, { seconds: DRAWN_SECONDS, fps, seed: 1, times: minutes });
      const tree = () => processTree(installation.workers[0]!.pid).map(({ pid }) => pid);
      const cpuSeconds = () =>
        tree().reduce((sum, pid) => sum + (cpuSecondsOf(pid) ?? 0) + (cpuSecondsOfEnded(pid) ?? 0), 0);
      const before = cpuSeconds();
      const recording = await queueRecording(installation, video, minutes * 60);
      const { tookMs } = await untilAnalysed(installation, recording, 60 * minutes);
      const cpuOfWorkerSeconds = cpuSeconds() - before;
      const [visits] = await installation.query<{ count: number }>(
        'SELECT count(*)::int FROM "Visit" WHERE "taskId" = $1',
        [recording.taskId],
      );
      const secondsPerSecond = (minutes * 60_000) / tookMs!;
      return {
        ...{ minutes, fps, tookSeconds: tookMs! / 1000, secondsPerSecond, cpuOfWorkerSeconds },
        visits: visits!.count,
        passed: secondsPerSecond >= LEAST_SECONDS_PER_SECOND,
      };
    } finally {
      await installation.close();
    }
  },
  report: ({ minutes, fps, tookSeconds, secondsPerSecond, cpuOfWorkerSeconds, visits }) =>
    table([
      ['recording', 'took', 'seconds of video a second', 'aim', 'CPU of worker, lane and ffmpeg', 'visits'],
      [
        `${minutes} min, ${fps} frames/s`,
        `${tookSeconds.toFixed(1)} s`,
        secondsPerSecond.toFixed(1),
        `≥ ${LEAST_SECONDS_PER_SECOND}`,
        `${cpuOfWorkerSeconds.toFixed(1)} s`,
        String(visits),
      ],
    ]),
});
