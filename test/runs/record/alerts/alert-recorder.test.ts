import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { NO_IMAGES } from '../../../../src/images/image.store.ts';
import { NO_IMAGE } from '../../../../src/lanes/lane-pool.ts';
import type { LaneImage } from '../../../../src/lanes/lane-protocol.ts';
import { systemClock } from '../../../../src/platform/clock.ts';
import { loadConfig } from '../../../../src/platform/config.ts';
import { LocalImages } from '../../../../src/platform/images/local-images.ts';
import { createLogger } from '../../../../src/platform/logger.ts';
import { AlertRecorder } from '../../../../src/runs/record/alerts/alert-recorder.ts';
import { decideFiring } from '../../../../src/runs/record/alerts/decide-firing.ts';
import type { FiredRun, Firing } from '../../../../src/runs/record/alerts/fired-frame.ts';
import {
  type AlertContext,
  recordAbandonedAlerts,
  recordAlert,
} from '../../../../src/runs/record/alerts/record-alert.ts';
import { UserWriteQueue } from '../../../../src/runs/record/user-write-queue.ts';
import { claimRuns } from '../../../../src/runs/store/claim-runs.store.ts';
import { fenceRuns } from '../../../../src/runs/store/stop-runs.store.ts';
import { SHOP_ZONES } from '../../../../src/simulator/shop-zones.ts';
import { type TestDatabase, testDatabase } from '../../../support/database.ts';
import { eventually } from '../../../support/eventually.ts';
import { type AddedRule, addRule } from '../../../support/rows/alert-rows.ts';
import { addDevice, addNode, queueScene } from '../../../support/rows/runs.ts';
import { told } from '../../../support/told.ts';

const AT_MS = Date.parse('2026-01-05T10:00:00Z');
let database: TestDatabase;
let jpeg: Buffer;
let run: FiredRun;
/** The payloads of sent jobs. */
let jobs: unknown[];
/** Answer the requests for images, in their order. */
let answers: ((image: LaneImage) => void)[];
let refused: string[];
beforeAll(async () => {
  database = await testDatabase();
  jpeg = await sharp({ create: { width: 320, height: 180, channels: 3, background: '#446688' } })
    .jpeg()
    .toBuffer();
});
afterAll(() => database.drop());
beforeEach(async () => {
  const { db } = database;
  await db.user.deleteMany();
  [jobs, answers, refused] = [[], [], []];
  await queueScene(db, await addDevice(db));
  const nodeId = await addNode(db, 'node');
  const [claimed] = await claimRuns(db, { nodeId, heldDeviceIds: [], maxDevices: 9, leaseSeconds: 600 });
  run = { ...claimed!, nodeId };
});

const contextOf = (waitSeconds: number): AlertContext => ({
  config: { ...loadConfig({}), alertPictureWaitSeconds: waitSeconds },
  db: database.db,
  clock: systemClock,
  images: new LocalImages(database.imagesDir),
  logger: createLogger({ level: 'silent', program: 'test' }),
  urlSigningKey: 'a key for tests that is long enough',
  queue: {
    async send(_, payload) {
      jobs.push(payload);
      return null;
    },
  },
});
const recorderOf = (waitSeconds: number) =>
  new AlertRecorder({
    context: contextOf(waitSeconds),
    userWrites: new UserWriteQueue(),
    image: () => new Promise((resolve) => answers.push(resolve)),
    onRefused: (_, ruleId) => refused.push(ruleId),
  });
const IMAGE = () => ({ jpeg, capturedAtMs: 0, privacyRevision: 1, fault: null });

const newRule = (name: string) => addRule(database.db, run, { name });
const firingOf = (rule: AddedRule, atMs = AT_MS): Firing => ({
  rule: { ...rule, conditions: [], schedule: null },
  held: { metricPath: 'current.inQueue', operator: 'GT', threshold: 5, actualValue: 7 },
  holdingSinceMs: atMs,
  atMs,
  facts: { version: 1, tracks: [] } as never,
  capture: null,
});
const frameOf = (...firings: Firing[]) => ({
  ...{ run, zones: SHOP_ZONES, frameIndex: 1 },
  firings,
});

const alertOf = ({ id: ruleId }: AddedRule) =>
  database.db.alertEvent.findFirst({ where: { ruleId }, include: { images: true, insight: true } });
const recorded = (rule: AddedRule) => eventually(`${rule.name} is recorded`, () => alertOf(rule));
const sentOf = async (alertEventId: string) =>
  (await told(database.db, { alertEventId })).map(({ data }) => (data.snapshotUrls as string[]).length);
const firings = () => database.db.firing.count();

test('an alert is recorded with images that come within the wait, and its webhook shows them', async () => {
  const rule = await newRule('In time');
  recorderOf(300).add(frameOf(firingOf(rule)));
  await eventually('it is decided', async () => (await firings()) === 1);
  expect(await alertOf(rule)).toBeNull();
  expect(await database.db.alertRule.findUniqueOrThrow({ where: { id: rule.id } })).toMatchObject({
    triggerCount: 1,
    lastTriggeredAt: new Date(AT_MS),
  });
  answers[0]!(IMAGE());
  const alert = await recorded(rule);
  expect([alert.images.length, await sentOf(alert.id), await firings()]).toEqual([3, [2], 0]);
});

test('images that were made for former masks of the device are not stored, in time or late', async () => {
  const { db } = database;
  const files = async () =>
    (await readdir(database.imagesDir, { recursive: true })).filter((name) => name.endsWith('.jpg'));
  const filesBefore = (await files()).length;
  const rule = await newRule('Masked');
  recorderOf(300).add(frameOf(firingOf(rule)));
  await eventually('it is decided', async () => (await firings()) === 1);
  await db.device.update({ where: { id: run.deviceId }, data: { maskAnalysis: true } });
  answers[0]!(IMAGE());
  const alert = await recorded(rule);
  expect([alert.images.length, await sentOf(alert.id)]).toEqual([0, [0]]);

  const late = await newRule('Late');
  recorderOf(0).add(frameOf(firingOf(late)));
  const before = await recorded(late);
  expect(before.awaitsPictures).toBe(true);
  answers[1]!(IMAGE());
  const settled = await eventually('nobody waits', async () => {
    const after = await recorded(late);
    return !after.awaitsPictures && after;
  });
  expect(settled.images).toEqual([]);
  await eventually('none of their files is left', async () => (await files()).length === filesBefore);

  const masked = await newRule('Present masks');
  recorderOf(300).add(frameOf(firingOf(masked)));
  await eventually('it is asked', async () => answers.length === 3);
  answers[2]!({ ...IMAGE(), privacyRevision: 2 });
  expect((await recorded(masked)).images).toHaveLength(3);
});

test('no transaction is open while an alert waits for its images', async () => {
  const rule = await newRule('Slow');
  recorderOf(300).add(frameOf(firingOf(rule)));
  await eventually('it is decided', async () => (await firings()) === 1);
  const open = await database.db.$queryRaw<unknown[]>`
    SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND state LIKE 'idle in transaction%'`;
  expect(open).toEqual([]);
  answers[0]!(NO_IMAGE);
  await recorded(rule);
});

test('images that come after the wait are added to the alert and start its insight; the webhook does not change', async () => {
  const rule = await newRule('Late');
  recorderOf(0).add(frameOf(firingOf(rule)));
  const early = await recorded(rule);
  expect([early.images, early.awaitsPictures, await sentOf(early.id)]).toEqual([[], true, [0]]);
  await database.db.insight.updateMany({
    data: { vlmError: 'SNAPSHOT_MISSING', vlmDueAt: new Date(Date.now() + 1_800_000) },
  });
  jobs.length = 0;
  answers[0]!(IMAGE());
  const alert = await eventually('it has its images', async () => {
    const found = await alertOf(rule);
    // The row of the event is read first, so that the images that are read after it are complete.
    return found?.awaitsPictures === false ? found : null;
  });
  expect(alert.images.map(({ kind }) => kind).sort()).toEqual(['annotated', 'clean', 'thumbnail']);
  expect([alert.awaitsPictures, await sentOf(alert.id)]).toEqual([false, [0]]);
  expect(alert.insight).toMatchObject({ vlmStatus: 'pending', vlmError: null });
  expect(alert.insight!.vlmDueAt.getTime()).toBeLessThanOrEqual(Date.now());
  expect(jobs).toEqual([{ insightId: alert.insight!.id }]);
});

test('an alert that waits delays neither another rule of its scene nor the end of the run', async () => {
  const [slow, fast] = [await newRule('Slow'), await newRule('Fast')];
  const recorder = recorderOf(300);
  recorder.add(frameOf(firingOf(slow)));
  recorder.add(frameOf(firingOf(fast, AT_MS + 1_000)));
  answers[1]!(IMAGE());
  expect((await recorded(fast)).images).toHaveLength(3);
  await recorder.decide([run]);
  await fenceRuns(database.db, [run.id], 'user_request');
  recorder.forget(run.id);
  expect(await alertOf(slow)).toBeNull();
  answers[0]!(IMAGE());
  expect((await recorded(slow)).images).toHaveLength(3);
});

test('an alert does not wait for images that cannot be made', async () => {
  const rule = await newRule('None');
  recorderOf(300).add(frameOf(firingOf(rule)));
  answers[0]!(NO_IMAGE);
  const alert = await recorded(rule);
  expect([alert.images, alert.awaitsPictures, await sentOf(alert.id)]).toEqual([[], false, [0]]);
});

test('an alert no longer awaits late images that cannot be made', async () => {
  const rule = await newRule('Late and none');
  recorderOf(0).add(frameOf(firingOf(rule)));
  expect(await recorded(rule)).toMatchObject({ awaitsPictures: true });
  answers[0]!(NO_IMAGE);
  await eventually('it awaits no images', async () => (await alertOf(rule))?.awaitsPictures === false);
});

test('a program that ends records its decided firings', async () => {
  const rule = await newRule('Ending');
  const recorder = recorderOf(300);
  recorder.add(frameOf(firingOf(rule)));
  await recorder.decide([run]);
  await recorder.close();
  expect(await alertOf(rule)).toMatchObject({ images: [], awaitsPictures: false });
  expect(await firings()).toBe(0);
});

test('a rule fires once when its firing is decided and recorded several times', async () => {
  const rule = await newRule('Once');
  const context = contextOf(5);
  const first = await decideFiring(context, run, firingOf(rule));
  // A worker repeats the call when it does not know whether the first commit succeeded.
  expect(await decideFiring(context, run, firingOf(rule))).toEqual(first);
  expect(await decideFiring(context, run, firingOf(rule, AT_MS + 1_000))).toEqual({ outcome: 'refused' });
  const { id } = first as { id: string };
  const outcomes = await Promise.all([1, 2, 3].map(() => recordAlert(context, id, NO_IMAGES)));
  expect(outcomes.filter(Boolean)).toHaveLength(1);
  expect(await decideFiring(context, run, firingOf(rule))).toEqual(first);
  expect(await database.db.alertEvent.count()).toBe(1);
  expect(await database.db.usageEvent.count({ where: { feature: 'alert' } })).toBe(1);
  expect(await database.db.alertRule.findUniqueOrThrow({ where: { id: rule.id } })).toMatchObject({
    triggerCount: 1,
  });
});

test('another worker records a decided firing of a dead worker, once and not before its time', async () => {
  const rule = await newRule('Left');
  const context = contextOf(5);
  await decideFiring(context, run, firingOf(rule));
  await recordAbandonedAlerts(context);
  expect(await alertOf(rule)).toBeNull();
  await database.db.firing.updateMany({ data: { recordBy: new Date(Date.now() - 1_000) } });
  await fenceRuns(database.db, [run.id], 'user_request');
  await Promise.all([recordAbandonedAlerts(context), recordAbandonedAlerts(context)]);
  const alert = await alertOf(rule);
  expect(alert).toMatchObject({ triggeredAt: new Date(AT_MS), images: [], message: expect.any(String) });
  expect([await database.db.alertEvent.count(), await sentOf(alert!.id), await firings()]).toEqual([
    1,
    [0],
    0,
  ]);
});

test('a worker adds its images to an alert that another worker has recorded', async () => {
  const rule = await newRule('Overtaken');
  recorderOf(300).add(frameOf(firingOf(rule)));
  await eventually('it is decided', async () => (await firings()) === 1);
  await database.db.firing.updateMany({ data: { recordBy: new Date(Date.now() - 1_000) } });
  await recordAbandonedAlerts(contextOf(5));
  answers[0]!(IMAGE());
  await eventually('it has its images', async () => (await alertOf(rule))?.images.length === 3);
  expect(await database.db.alertEvent.count()).toBe(1);
});

test('a run of another node decides nothing, and a changed rule is refused', async () => {
  const [rule, changed] = [await newRule('Lost'), await newRule('Changed')];
  const context = contextOf(0);
  const older = { ...firingOf(changed), rule: { ...firingOf(changed).rule, revision: 0 } };
  const recorder = recorderOf(0);
  recorder.add(frameOf(older));
  await recorder.decide([run]);
  expect(refused).toEqual([changed.id]);
  await fenceRuns(database.db, [run.id], 'user_request');
  expect(await decideFiring(context, run, firingOf(rule))).toEqual({ outcome: 'lost' });
  expect([await firings(), await database.db.alertEvent.count()]).toEqual([0, 0]);
});

test('images of a firing that was erased meanwhile leave no file', async () => {
  const { db, imagesDir } = database;
  const rule = await newRule('Erased');
  const removed: string[] = [];
  class NotedImages extends LocalImages {
    override async remove(keys: readonly string[]): Promise<void> {
      await super.remove(keys);
      removed.push(...keys);
    }
  }
  const images = new NotedImages(imagesDir);
  const recorder = new AlertRecorder({
    context: { ...contextOf(30), images },
    userWrites: new UserWriteQueue(),
    image: () => new Promise((resolve) => answers.push(resolve)),
    onRefused: (_, ruleId) => refused.push(ruleId),
  });
  recorder.add(frameOf(firingOf(rule)));
  await eventually('it is decided', async () => (await firings()) === 1);
  await db.firing.deleteMany();
  answers[0]!(IMAGE());
  await eventually('the images are removed', () => removed.length === 3);
  expect(await Promise.all(removed.map((key) => images.get(key)))).toEqual([null, null, null]);
  expect(await alertOf(rule)).toBeNull();
});
