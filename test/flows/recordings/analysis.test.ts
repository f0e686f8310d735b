import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { runFfmpeg, scratchFolder } from '../../support/ffmpeg.ts';
import { queueRecording } from '../../support/rows/recorded.ts';
import { startTestWorker, type TestWorker } from '../../support/worker.ts';

// Forty seconds of video, in which the detector finds somebody in the queue, a worker with its lane, and the database.

const SECONDS = 40;
const RECORDED_AT = '2024-03-01T09:00:00Z';

let database: TestDatabase;
let worker: TestWorker;
let folder: string;
let video: string;
beforeAll(async () => {
  folder = scratchFolder();
  video = join(folder, 'moving.mp4');
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=64x36:rate=5:duration=${SECONDS}`];
  await runFfmpeg(...picture, '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', video);
  database = await testDatabase();
  worker = await startTestWorker(database);
});
afterAll(async () => {
  await worker.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

test('a worker analyses every frame of a recording, and every row has the time of the video', async () => {
  const recording = {
    imagesDir: database.imagesDir,
    video,
    recordedAt: RECORDED_AT,
    durationMs: SECONDS * 1000,
  };
  const { task, scene } = await queueRecording(database.db, recording);
  const ended = await eventually('the analysis ends', async () => {
    const row = await database.db.analysisTask.findUniqueOrThrow({ where: { id: task.id } });
    return row.completedAt && row;
  });
  expect(ended).toMatchObject({
    status: 'COMPLETED',
    errorMessage: null,
    positionMs: (SECONDS - 0.2) * 1000,
  });
  const [from, to] = [new Date(RECORDED_AT), new Date(Date.parse(RECORDED_AT) + SECONDS * 1000)];
  const visits = await database.db.visit.findMany({ where: { sceneId: scene.id } });
  expect(visits).toHaveLength(1);
  for (const { arrivalDecidedAt, outcomeDecidedAt } of visits) {
    expect(arrivalDecidedAt.getTime()).toBeGreaterThanOrEqual(from.getTime());
    expect(outcomeDecidedAt!.getTime()).toBeLessThan(to.getTime());
  }
  const minutes = await database.db.occupancyMinute.findMany({ where: { sceneId: scene.id } });
  expect(minutes).toMatchObject([{ minute: from, coveredMs: (SECONDS - 0.2) * 1000 }]);
  const [hour] = await database.db.floorHour.findMany({ where: { sceneId: scene.id } });
  expect(hour).toMatchObject({ hour: from, coveredMs: (SECONDS - 0.2) * 1000 });
  const usage = await database.db.usageEvent.findMany({ where: { taskId: task.id } });
  expect(usage.reduce((sum, { quantity }) => sum + Number(quantity), 0)).toBe(SECONDS);
  expect(await database.db.event.count()).toBe(0);
});
