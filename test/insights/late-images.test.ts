import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { NO_IMAGES } from '../../src/images/image.store.ts';
import { describeDue, sweepInsights } from '../../src/insights/describe.job.ts';
import { awaitImage, claimDue } from '../../src/insights/describe.store.ts';
import type { InsightWriter } from '../../src/insights/writer.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { newImageKey } from '../../src/platform/images/image-store.ts';
import { LocalImages } from '../../src/platform/images/local-images.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { addLateImages } from '../../src/runs/record/alerts/add-late-images.ts';
import { TestClock } from '../support/api.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { type AddedAlert, addAlert, addRule } from '../support/rows/alert-rows.ts';
import { addDevice, queueScene } from '../support/rows/runs.ts';

const NEVER = new AbortController().signal;
let database: TestDatabase;
let images: LocalImages;
let clock: TestClock;
let alert: AddedAlert;
/** The number of images in each call of the writer. */
let written: number[];
beforeAll(async () => {
  database = await testDatabase();
  images = new LocalImages(database.imagesDir);
});
afterAll(() => database.drop());
beforeEach(async () => {
  const { db } = database;
  await db.user.deleteMany();
  written = [];
  clock = new TestClock();
  clock.time = new Date('2026-01-05T10:00:00Z');
  const { scene } = await queueScene(db, await addDevice(db));
  const rule = await addRule(db, { userId: scene.userId, deviceId: scene.deviceId, sceneId: scene.id });
  const vlmDeadlineAt = new Date(clock.time.getTime() + 30 * 60_000);
  alert = await addAlert(db, rule, {
    event: { triggeredAt: clock.time, awaitsPictures: true },
    insight: { vlmDueAt: clock.time, vlmDeadlineAt },
  });
});

const writer: InsightWriter = {
  name: 'openai',
  model: 'none',
  needsImages: true,
  reservedTokens: 100,
  async write({ images: received }) {
    written.push(received.length);
    const told = { summary: 'Seven people wait.', personCount: 7, riskLevel: 'high' } as const;
    const result = { ...told, activities: [], suggestions: [], environment: 'shop' };
    return { result, inputTokens: 10, outputTokens: 5 };
  },
};
const context = () => ({
  config: loadConfig({}),
  db: database.db,
  clock,
  images,
  logger: createLogger({ level: 'silent', program: 'test' }),
  urlSigningKey: 'a key for tests that is long enough',
  writer,
  // An insight that is due is found without its job.
  queue: { send: async () => null },
});
const insight = () => database.db.insight.findUniqueOrThrow({ where: { id: alert.insight.id } });

async function addPicture(): Promise<void> {
  const jpeg = await sharp({ create: { width: 64, height: 36, channels: 3, background: '#446688' } })
    .jpeg()
    .toBuffer();
  const objectKey = newImageKey(clock.now(), alert.event.userId);
  await images.put(objectKey, jpeg);
  const picture = { kind: 'clean', objectKey, width: 64, height: 36, sizeBytes: jpeg.length } as const;
  await Promise.all(
    [1, 2].map(() => addLateImages(context(), alert.event.id, { images: [picture], privacyRevision: 1 })),
  );
}

describe('an insight whose alert awaits images', () => {
  test('an insight that waits for an image fails at its deadline with SNAPSHOT_MISSING; nothing is asked or paid', async () => {
    for (const seconds of [0, 60, 30 * 60 - 61]) {
      clock.forward(seconds);
      await sweepInsights(context());
      expect(await insight()).toMatchObject({ vlmStatus: 'pending', vlmAttempts: 0, vlmClaimedUntil: null });
    }
    clock.forward(1);
    await sweepInsights(context());
    expect(await insight()).toMatchObject({ vlmStatus: 'failed', vlmError: 'SNAPSHOT_MISSING' });
    expect([written, await database.db.usageEvent.count({ where: { feature: 'vlm' } })]).toEqual([[], 0]);
  });

  test('an insight is written as soon as its image comes, and the image is added once', async () => {
    await describeDue(context(), NEVER);
    clock.forward(60);
    await addPicture();
    await describeDue(context(), NEVER);
    expect(await insight()).toMatchObject({ vlmStatus: 'completed', vlmError: null, vlmAttempts: 1 });
    expect([written, await database.db.storedImage.count()]).toEqual([[1], 1]);
  });

  test('an insight is due at once when its image comes at the moment in which it starts to wait', async () => {
    const limits = { concurrency: 4, userConcurrency: 4, claimSeconds: 20 };
    const claimed = await claimDue(database.db, { now: clock.now(), ...limits });
    await addPicture();
    await database.db.$transaction((tx) => awaitImage(tx, claimed!, clock.now()));
    await describeDue(context(), NEVER);
    expect(await insight()).toMatchObject({ vlmStatus: 'completed' });
  });

  test('an insight fails at once when no image will come', async () => {
    await describeDue(context(), NEVER);
    expect(await insight()).toMatchObject({ vlmStatus: 'pending' });
    await addLateImages(context(), alert.event.id, NO_IMAGES);
    await describeDue(context(), NEVER);
    expect(await insight()).toMatchObject({ vlmStatus: 'failed', vlmError: 'SNAPSHOT_MISSING' });
  });

  test('a deleted alert gets no image', async () => {
    await database.db.alertEvent.update({ where: { id: alert.event.id }, data: { deletedAt: clock.now() } });
    await addPicture();
    expect(await database.db.storedImage.count()).toBe(0);
  });
});
