import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { peopleOf } from '../../src/attributes/stored-people.ts';
import { coveredKeys } from '../../src/models/covered-keys.ts';
import { MODELS_DIR } from '../../src/platform/config.ts';
import { ALL_ATTRIBUTE_KEYS } from '../../src/vision/attributes/keys.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { addDevice, queueScene } from '../support/rows/runs.ts';
import { REAL_DETECTOR, startTestWorker, type TestWorker } from '../support/worker.ts';

let database: TestDatabase;
let worker: TestWorker;

beforeAll(async () => {
  database = await testDatabase();
  worker = await startTestWorker(database, { ...REAL_DETECTOR, attributeModels: ['embedded'] });
});
afterAll(async () => {
  await worker.stop();
  await database.drop();
});

test('attributes of people are recorded, charged and counted for a LEVEL_02 camera and not for a LEVEL_01 camera', async () => {
  const { db } = database;
  const watched = await addDevice(db, 'sim:shop?seed=1&start=120', 2);
  await db.device.update({ where: { id: watched.id }, data: { plan: 'LEVEL_02' } });
  const { scene, task } = await queueScene(db, watched);
  const plain = await addDevice(db, 'sim:shop?seed=2&start=120', 2);
  const other = await queueScene(db, plain);
  const records = await eventually('two captures, one of them with attributes', async () => {
    const rows = await db.attributeRecord.findMany({
      where: { sceneId: scene.id },
      orderBy: { capturedAt: 'asc' },
    });
    const found = rows.map((row) => ({ ...row, ...peopleOf(row) }));
    const classified = found.filter(({ attributes }) =>
      Object.values(attributes).some((count) => count! > 0),
    );
    return found.length >= 2 && classified.length >= 1 && found;
  });
  const last = records.at(-1)!;
  expect(last).toMatchObject({ userId: watched.userId, deviceId: watched.id, taskId: task.id });
  expect(last.totalPersons).toBe(last.persons.length);
  expect(last.totalPersons).toBeGreaterThan(0);
  const { known, attributes: held } = last;
  for (const key of ALL_ATTRIBUTE_KEYS) {
    expect(known![key]).toBeGreaterThanOrEqual(held[key]!);
    expect(known![key]).toBeLessThanOrEqual(last.totalPersons);
    if (!last.coveredKeys.includes(key)) expect([key, known![key]]).toEqual([key, 0]);
  }
  expect(last.coveredKeys).toEqual(await coveredKeys(['embedded'], MODELS_DIR));
  const { _sum } = await db.usageEvent.aggregate({
    where: { deviceId: watched.id, feature: 'attribute' },
    _sum: { quantity: true },
  });
  const stored = await db.attributeRecord.count({ where: { sceneId: scene.id } });
  expect(Math.abs(Number(_sum.quantity) - stored)).toBeLessThanOrEqual(1);
  const hours = await db.attributeHour.findMany({ where: { sceneId: scene.id } });
  const tracks = await db.attributeTrack.count({ where: { taskId: task.id } });
  for (const { knownMale, male, totalPersons, coveredKeys: keys } of hours) {
    expect(knownMale).toBeGreaterThanOrEqual(male);
    expect(knownMale).toBeLessThanOrEqual(totalPersons);
    expect(keys).toEqual(['female', 'male', 'ageLess18', 'age18To60', 'ageOver60']);
  }
  expect(hours.reduce((sum, { totalPersons }) => sum + totalPersons, 0)).toBe(tracks);
  const { stats } = await db.analysisTask.findUniqueOrThrow({ where: { id: task.id } });
  expect(stats).toMatchObject({
    attributes: {
      models: ['embedded'],
      persons: expect.any(Number),
      coverage: { hat: 0 },
      coveredKeys: last.coveredKeys,
    },
  });
  expect(await db.attributeRecord.count({ where: { sceneId: other.scene.id } })).toBe(0);
});
