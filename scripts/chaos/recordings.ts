import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { decodeCells } from '../../src/metrics/floor/encode-cells.ts';
import {
  type QueuedRecording,
  queueRecording,
  recordingState,
  untilAnalysed,
  writeShopVideo,
} from '../support/footage/recordings.ts';
import type { Installation } from '../support/installation.ts';
import { progress } from '../support/terminal.ts';
import { checkHistory } from './history/check-history.ts';
import { installedPart } from './part.ts';
import { untilRestarted } from './runs.ts';
import { verdict } from './verdict.ts';

/** A node that continues begins with the cells of the stored hour, which are rounded to this. */
const FLOOR_ROUNDING_SECONDS = 0.1;

export const recordings = installedPart({
  name: 'recordings',
  description:
    'Analyses a video of the simulated shop undisturbed, and again while the worker that has it is killed with SIGKILL ' +
    'again and again. Both analyses must have stored the same rows.',
  options: {
    kills: ['number of kills', 5],
    seconds: ['length of the video', 180],
    fps: ['frames a second of the video', 10],
  },
  needs: { workers: 2 },
  async run(installation, { kills, seconds, fps }) {
    const video = join(installation.folder, 'shop.mp4');
    await writeShopVideo(video, { seconds, fps, seed: 5 });
    const undisturbed = await queueRecording(installation, video, seconds);
    const { tookMs } = await untilAnalysed(installation, undisturbed, seconds);
    const expected = await rowsOf(installation, undisturbed);

    const disturbed = await queueRecording(installation, video, seconds);
    const killedAtSeconds: number[] = [];
    const bar = progress('recordings', kills, 'kills');
    for (let kill = 1; kill <= kills; kill++) {
      const positionMs = await killHolder(installation, disturbed, (seconds * 1000 * kill) / (kills + 2));
      killedAtSeconds.push(positionMs / 1000);
      bar.step();
    }
    bar.stop();
    await untilAnalysed(installation, disturbed, 60 + seconds);
    const found = await rowsOf(installation, disturbed);
    const differing = Object.keys(expected).filter(
      (table) => !isDeepStrictEqual(found[table], expected[table]),
    );
    const floorSeconds = floorDifference(
      await floorOf(installation, undisturbed),
      await floorOf(installation, disturbed),
    );
    const { faults } = await checkHistory(installation);
    return {
      kills,
      killedAtSeconds,
      /** Seconds of video in a second, undisturbed. */
      secondsPerSecond: (seconds * 1000) / tookMs!,
      visits: expected.visits!.length,
      /** Tables whose rows are not the same. */
      differing,
      /** Of the cell of the floor map where it is largest. */
      floorSeconds,
      faults,
      ...verdict({
        differing: { is: differing.length, exactly: 0 },
        floorSeconds: { is: floorSeconds, atMost: FLOOR_ROUNDING_SECONDS * (kills + 1) },
        faults: { is: faults.length, exactly: 0 },
        visits: { is: expected.visits!.length, atLeast: 1 },
      }),
    };
  },
});

/** Kills the worker that analyses the recording, once it is at this position. @returns the position that was stored then */
async function killHolder(
  installation: Installation,
  recording: QueuedRecording,
  fromMs: number,
): Promise<number> {
  const isThere = async () => {
    const { status, positionMs } = await recordingState(installation, recording);
    return status === 'PROCESSING' && (positionMs ?? 0) >= fromMs;
  };
  await installation.until('the recording is analysed that far', isThere, 120);
  const { nodeId, positionMs } = await recordingState(installation, recording);
  const [node] = await installation.query<{ name: string }>('SELECT name FROM "ComputeNode" WHERE id = $1', [
    nodeId,
  ]);
  const number = Number(node!.name.split('-').at(-1));
  const sinceMs = Date.now();
  process.kill(installation.workers[number]!.pid, 'SIGKILL');
  installation.note(`kill -9 of ${node!.name} at ${positionMs} ms of the recording`);
  await installation.workers[number]!.ended;
  installation.startWorker(number);
  await untilRestarted(installation, nodeId!, sinceMs);
  return positionMs!;
}

/** What is stored of a recording, without the columns that each analysis has for itself. */
async function rowsOf(
  installation: Installation,
  { taskId, sceneId }: QueuedRecording,
): Promise<Record<string, object[]>> {
  const rows = (sql: string, id: string) => installation.query<Record<string, unknown>>(sql, [id]);
  return {
    visits: await rows(
      `SELECT number, "trackId", state, outcome, "queueEnteredAt", "queueLeftAt", "serviceStartedAt", "serviceEndedAt",
              "arrivalDecidedAt", "outcomeDecidedAt" FROM "Visit" WHERE "taskId" = $1 ORDER BY number`,
      taskId,
    ),
    minutes: await rows(
      `SELECT to_jsonb(m) - 'sceneId' AS row FROM "OccupancyMinute" m WHERE "sceneId" = $1 ORDER BY minute`,
      sceneId,
    ),
    totals: await rows(
      `SELECT to_jsonb(t) - 'sceneId' - 'updatedAt' AS row FROM "SceneTotals" t WHERE "sceneId" = $1`,
      sceneId,
    ),
    snapshots: await rows(
      `SELECT "windowStart", "windowEnd", numbers FROM "MetricSnapshot" WHERE "sceneId" = $1
       ORDER BY "windowEnd"`,
      sceneId,
    ),
    floorHours: await rows(
      `SELECT hour, "coveredMs" FROM "FloorHour" WHERE "sceneId" = $1 ORDER BY hour`,
      sceneId,
    ),
    charged: await rows(
      `SELECT sum(quantity)::float8 AS seconds FROM "UsageEvent" WHERE "taskId" = $1 AND feature = 'analysis'`,
      taskId,
    ),
  };
}

/** The seconds of each cell of the floor map. */
async function floorOf(installation: Installation, { sceneId }: QueuedRecording): Promise<Float64Array> {
  const hours = await installation.query<{ cells: Buffer }>(
    'SELECT cells FROM "FloorHour" WHERE "sceneId" = $1',
    [sceneId],
  );
  return decodeCells(Buffer.concat(hours.map(({ cells }) => cells))).ms.map((ms) => ms / 1000);
}

const floorDifference = (a: Float64Array, b: Float64Array): number =>
  Math.max(...a.map((seconds, cell) => Math.abs(seconds - b[cell]!)));
