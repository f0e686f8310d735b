import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { removeOldAlerts } from '../../src/alerts/retention.job.ts';
import { loadConfig } from '../../src/platform/config.ts';
import type { AlertRule } from '../../src/platform/prisma-client/client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { addAlert, addRule } from '../support/rows/alert-rows.ts';
import { addDevice, queueScene } from '../support/rows/runs.ts';

let database: TestDatabase;
let rule: AlertRule;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());
beforeEach(async () => {
  const { db } = database;
  await db.user.deleteMany();
  const device = await addDevice(db);
  const { scene } = await queueScene(db, device);
  rule = await addRule(db, { userId: device.userId, deviceId: device.id, sceneId: scene.id });
});

const removeAfter = (days: number, environment: NodeJS.ProcessEnv = {}) =>
  removeOldAlerts({
    config: loadConfig(environment),
    db: database.db,
    clock: { now: () => new Date(Date.now() + days * 86_400_000 + 60_000) },
  });
const left = async () =>
  (await database.db.alertEvent.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id);

test('alert events stay by default', async () => {
  const { event } = await addAlert(database.db, rule, { summary: 'Five people wait.' });
  await removeAfter(4_000);
  expect(await left()).toEqual([event.id]);
});

test('after ALERT_RETENTION_DAYS they are removed with their insights, those with images when the images are gone', async () => {
  const { db } = database;
  await addAlert(db, rule, { summary: 'Five people wait.' });
  const { event: withImage } = await addAlert(db, rule, { images: ['clean'] });
  await removeAfter(99, { ALERT_RETENTION_DAYS: '100' });
  expect(await left()).toHaveLength(2);
  await removeAfter(100, { ALERT_RETENTION_DAYS: '100' });
  expect(await left()).toEqual([withImage.id]);
  expect((await db.insight.findMany()).map(({ alertEventId }) => alertEventId)).toEqual([withImage.id]);
  await db.storedImage.deleteMany();
  await removeAfter(100, { ALERT_RETENTION_DAYS: '100' });
  expect(await left()).toEqual([]);
});

test('rows of alert events that users deleted are removed after a month', async () => {
  const { db } = database;
  const { event: kept } = await addAlert(db, rule);
  await addAlert(db, rule, { event: { deletedAt: new Date() } });
  await removeAfter(29);
  expect(await left()).toHaveLength(2);
  await removeAfter(30);
  expect(await left()).toEqual([kept.id]);
});

test('alert events do not end before their images', () => {
  expect(() => loadConfig({ ALERT_RETENTION_DAYS: '20' })).toThrow(
    'ALERT_RETENTION_DAYS: must be at least IMAGE_RETENTION_DAYS, because an image belongs to its alert event',
  );
  expect(loadConfig({ ALERT_RETENTION_DAYS: '20', IMAGE_RETENTION_DAYS: '20' }).alertRetentionDays).toBe(20);
});
