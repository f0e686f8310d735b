import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuSecondsOf, cpuSecondsOfEnded } from '../support/cpu-time.ts';
import { queueRecording, untilAnalysed, writeShopVideo } from '../support/footage/recordings.ts';
import { Installation } from '../support/installation.ts';
import { measuringCommand } from '../support/measuring-command.ts';
import { count } from '../support/options.ts';
import { processTree } from '../support/process-tree.ts';
import { table } from '../support/terminal.ts';

/** Ten minutes in two. */
const LEAST_SECONDS_PER_SECOND = 5;
/** Drawing takes longer than the analysis, so that a minute is drawn and repeated. */
const DRAWN_SECONDS = 60;
const CAMERA_FPS = 5;
/** How long cameras are measured without the recording. */
const ALONE_MS = 60_000;

export const recordings = measuringCommand({
  name: 'recordings',
  description:
    'How fast a worker with one lane analyses a recording of the simulated shop (640 × 360, 5 analysed frames a second), ' +
    'with its database. With `taskset -c 0` everything has one core. With `--cameras` simulated cameras run on the same lane, and ' +
    'their analysed frames a second are compared with the minute before. Exit code 0 only if ten minutes take at most two.',
  options: {
    minutes: ['length of the recording', 10],
    fps: ['frames a second of the recording', 25],
    cameras: ['simulated cameras at 5 frames a second beside it', 0, count(0)],
  },
  async measure({ minutes, fps, cameras }) {
    const installation = await Installation.open({ workers: 1 });
    try {
      const video = join(installation.folder, 'shop.mp4');
      await writeShopVideo(video, { seconds: DRAWN_SECONDS, fps, seed: 1, times: minutes });
      const { taskIds } = await installation.startShops('Camera', { scenes: cameras, fps: CAMERA_FPS });
      if (cameras > 0) await installation.untilFrames(taskIds, Date.now(), 90);
      const framesBefore = cameras > 0 ? await frameRate(installation, taskIds, () => pause(ALONE_MS)) : null;
      const tree = () => processTree(installation.workers[0]!.pid).map(({ pid }) => pid);
      const cpuSeconds = () =>
        tree().reduce((sum, pid) => sum + (cpuSecondsOf(pid) ?? 0) + (cpuSecondsOfEnded(pid) ?? 0), 0);
      const before = cpuSeconds();
      const recording = await queueRecording(installation, video, minutes * 60);
      let tookMs = 0;
      const framesBeside = await frameRate(installation, taskIds, async () => {
        tookMs = (await untilAnalysed(installation, recording, 120 * minutes)).tookMs!;
      });
      const cpuOfWorkerSeconds = cpuSeconds() - before;
      const [visits] = await installation.query<{ count: number }>(
        'SELECT count(*)::int FROM "Visit" WHERE "taskId" = $1',
        [recording.taskId],
      );
      const secondsPerSecond = (minutes * 60_000) / tookMs;
      return {
        ...{ minutes, fps, tookSeconds: tookMs / 1000, secondsPerSecond, cpuOfWorkerSeconds },
        /** Analysed frames a second of each camera, without and with the recording; null without cameras. */
        ...{ framesBefore, framesBeside },
        visits: visits!.count,
        passed: secondsPerSecond >= LEAST_SECONDS_PER_SECOND,
      };
    } finally {
      await installation.close();
    }
  },
  report: ({ minutes, fps, tookSeconds, secondsPerSecond, cpuOfWorkerSeconds, visits, ...frames }) =>
    table([
      [
        ...[
          'recording',
          'took',
          'seconds of video a second',
          'aim',
          'CPU of worker, lane and ffmpeg',
          'visits',
        ],
        'frames a second of each camera before, beside it',
      ],
      [
        `${minutes} min, ${fps} frames/s`,
        `${tookSeconds.toFixed(1)} s`,
        secondsPerSecond.toFixed(1),
        `≥ ${LEAST_SECONDS_PER_SECOND}`,
        `${cpuOfWorkerSeconds.toFixed(1)} s`,
        String(visits),
        [frames.framesBefore, frames.framesBeside].map((rate) => rate?.toFixed(2) ?? '–').join(', '),
      ],
    ]),
});

/** Analysed frames a second of each of these runs while `work` goes on; null without runs. */
async function frameRate(
  installation: Installation,
  taskIds: readonly string[],
  work: () => Promise<unknown>,
): Promise<number | null> {
  if (taskIds.length === 0) {
    await work();
    return null;
  }
  const frames = async () => {
    const [row] = await installation.query<{ frames: number }>(
      `SELECT sum((stats->>'processedFrames')::int)::int AS frames FROM "AnalysisTask" WHERE id = ANY($1)`,
      [taskIds],
    );
    return row!.frames;
  };
  const [before, sinceMs] = [await frames(), performance.now()];
  await work();
  const seconds = (performance.now() - sinceMs) / 1000;
  return ((await frames()) - before) / seconds / taskIds.length;
}
