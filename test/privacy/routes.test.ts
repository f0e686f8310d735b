import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fromBuffer, type ZipFile } from 'yauzl';
import { checkImageStorage } from '../../src/images/check-storage.ts';
import { removeOldExports } from '../../src/privacy/export/retention.job.ts';
import { erasePictures } from '../../src/privacy/pictures/erase-pictures.job.ts';
import { workOnNext } from '../../src/privacy/work-on-jobs.ts';
import { type ApiUser, codeOf, type TestApi, TestClock, testApi } from '../support/api.ts';
import { addScene, type FilledScene, fillMoment } from './filled-scene.ts';

const FROM = '2026-11-01T10:00:00.000Z';
const TO = '2026-11-01T14:00:00.000Z';
const RANGE = { from: FROM, to: TO };
const at = (time: string) => new Date(`2026-11-01T${time}:30.000Z`);
const ABSENT = '11111111-1111-1111-1111-111111111111';

const clock = new TestClock();
let api: TestApi;
let user: ApiUser;
let scene: FilledScene;
const work = () => workOnNext(api.context, new AbortController().signal);
beforeAll(async () => {
  api = await testApi({}, clock);
  await checkImageStorage(api.context);
  user = await api.user();
  scene = await addScene(api.context.db, user.userId);
  for (const time of ['09:10', '10:05', '12:17']) await fillMoment(api.context, scene, at(time));
});
afterAll(() => api.drop());

/** The entries of a zip file. */
async function unzip(bytes: Buffer): Promise<Record<string, Buffer>> {
  const zip = await new Promise<ZipFile>((resolve, reject) =>
    fromBuffer(bytes, { lazyEntries: true }, (error, file) => (error ? reject(error) : resolve(file))),
  );
  const entries: Record<string, Buffer> = {};
  return new Promise((resolve, reject) => {
    zip.on('entry', (entry) =>
      zip.openReadStream(entry, async (error, stream) => {
        if (error) return reject(error);
        entries[entry.fileName] = await buffer(stream);
        zip.readEntry();
      }),
    );
    zip.on('end', () => resolve(entries)).on('error', reject);
    zip.readEntry();
  });
}

const rowsIn = (file: Buffer | undefined): Record<string, unknown>[] =>
  file!
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const download = (id: string) =>
  user
    .get(`/privacy/exports/${id}/file`)
    .buffer(true)
    .parse((response, done) => {
      buffer(response as never).then(
        (bytes) => {
          done(null, bytes);
          return bytes;
        },
        (error: Error) => {
          done(error, null);
          throw error;
        },
      );
    });

/** An object with other methods or parts. */
const instead = <Target extends object>(target: Target, parts: Partial<Target>): Target =>
  new Proxy(target, {
    get(object, name) {
      if (Object.hasOwn(parts, name)) return Reflect.get(parts, name);
      const value = Reflect.get(object, name);
      return typeof value === 'function' ? value.bind(object) : value;
    },
  });

describe('an export', () => {
  test('is a zip file with the rows and images of the range, which expires after seven days', async () => {
    const asked = await user.post('/privacy/exports', RANGE);
    expect(asked.status).toBe(202);
    const { id } = asked.body.data;
    expect(asked.body.data).toMatchObject({
      ...RANGE,
      status: 'queued',
      progressPercent: 0,
      file: null,
      counts: {},
    });
    expect(codeOf(await user.get(`/privacy/exports/${id}/file`))).toEqual([404, 'NOT_FOUND']);
    expect(await work()).toBe(true);
    const done = (await user.get(`/privacy/exports/${id}`)).body.data;
    expect(done).toMatchObject({ status: 'completed', progressPercent: 100, error: null });
    expect(done.counts).toEqual({
      ...{ visits: 2, alertEvents: 2, insights: 2, images: 2, imageFiles: 2, attributeRecords: 2 },
      ...{
        attributeHours: 2,
        minutes: 2,
        snapshots: 2,
        rollingRecords: 4,
        floorHours: 2,
        staffingAdvice: 2,
        unusualActivity: 2,
      },
    });
    const answer = await download(id);
    expect([answer.status, answer.headers['content-type'], answer.headers['content-disposition']]).toEqual([
      ...[200, 'application/zip', 'attachment; filename="export-2026-11-01.zip"'],
    ]);
    expect(Number(answer.headers['content-length'])).toBe(done.file.sizeBytes);
    const entries = await unzip(answer.body as Buffer);
    expect(rowsIn(entries['visits.ndjson']).map((row) => row.queueEnteredAt)).toEqual([
      ...[at('10:05').toISOString(), at('12:17').toISOString()],
    ]);
    expect(rowsIn(entries['floorHours.ndjson'])[0]!.cells).toBe(Buffer.from([1, 2, 3]).toString('base64'));
    expect(rowsIn(entries['minutes.ndjson'])[0]).toMatchObject({ inQueueMs: 1, sceneId: scene.sceneId });
    const pictures = Object.keys(entries).filter((name) => name.startsWith('images/'));
    expect(pictures).toHaveLength(2);
    expect(entries[pictures[0]!]!.toString()).toMatch(/^image \d/);
    const manifest = JSON.parse(entries['manifest.json']!.toString());
    expect(manifest).toMatchObject({ ...RANGE, userId: user.userId, rows: done.counts });
    expect(manifest.devices.map((device: { id: string }) => device.id)).toEqual([scene.deviceId]);
    expect(JSON.stringify(manifest)).not.toContain('streamUrl');

    const head = await user.get(`/privacy/exports/${id}/file`).set('Range', 'bytes=0-1');
    expect(head.status).toBe(200);
    clock.forward(7 * 86_400);
    expect(codeOf(await user.get(`/privacy/exports/${id}/file`))).toEqual([404, 'NOT_FOUND']);
    await removeOldExports(api.context);
    expect((await user.get(`/privacy/exports/${id}`)).body.data).toMatchObject({
      status: 'completed',
      file: null,
    });
    const actions = (await user.get('/audit?limit=100')).body.data.map(
      (entry: { action: string }) => entry.action,
    );
    expect(actions).toEqual(
      expect.arrayContaining(['export_requested', 'export_completed', 'export_downloaded']),
    );
  });

  test('can be cancelled; a completed one loses its file', async () => {
    const { id } = (await user.post('/privacy/exports', RANGE)).body.data;
    expect((await user.delete(`/privacy/exports/${id}`)).status).toBe(204);
    expect((await user.get(`/privacy/exports/${id}`)).body.data.status).toBe('cancelled');
    expect(await work()).toBe(false);
    const again = (await user.post('/privacy/exports', RANGE)).body.data.id;
    await work();
    expect((await user.delete(`/privacy/exports/${again}`)).status).toBe(204);
    expect((await user.get(`/privacy/exports/${again}`)).body.data).toMatchObject({
      status: 'completed',
      file: null,
    });
    expect(codeOf(await user.get(`/privacy/exports/${again}/file`))).toEqual([404, 'NOT_FOUND']);
  });

  test('that is cancelled while it runs leaves no file', async () => {
    const { id } = (await user.post('/privacy/exports', RANGE)).body.data;
    const { images } = api.context;
    const keys: string[] = [];
    const putStream = async (...given: Parameters<typeof images.objects.putStream>) => {
      keys.push(given[0]);
      const size = await images.objects.putStream(...given);
      await user.delete(`/privacy/exports/${id}`);
      return size;
    };
    const store = instead(images, { objects: instead(images.objects, { putStream }) });
    await workOnNext({ ...api.context, images: store }, new AbortController().signal);
    expect((await user.get(`/privacy/exports/${id}`)).body.data).toMatchObject({
      status: 'cancelled',
      file: null,
    });
    expect(await images.objects.sizeOf(keys[0]!)).toBeNull();
  });

  test('whose storage is full says so and is tried again', async () => {
    const { StorageFull } = await import('../../src/platform/images/object-store.ts');
    const { id } = (await user.post('/privacy/exports', RANGE)).body.data;
    const { images } = api.context;
    const full = async () => {
      throw new StorageFull('no space');
    };
    const store = instead(images, { objects: instead(images.objects, { putStream: full }) });
    await workOnNext({ ...api.context, images: store }, new AbortController().signal);
    const { status, error } = (await user.get(`/privacy/exports/${id}`)).body.data;
    expect([status, error]).toEqual(['queued', expect.stringContaining('storage of the service is full')]);
    await user.delete(`/privacy/exports/${id}`);
  });
});

describe('an erasure', () => {
  test('is requested, shows its progress and is listed; it can be cancelled until it begins', async () => {
    const { id } = (await user.post('/privacy/erasures', RANGE)).body.data;
    const cancelled = await user.delete(`/privacy/erasures/${id}`);
    expect(cancelled.status).toBe(204);
    expect(await work()).toBe(false);
    const next = (
      await user.post('/privacy/erasures', { ...RANGE, deviceIds: [scene.deviceId, scene.deviceId] })
    ).body;
    expect(next.data.deviceIds).toEqual([scene.deviceId]);
    await work();
    const done = (await user.get(`/privacy/erasures/${next.data.id}`)).body.data;
    expect(done).toMatchObject({
      status: 'completed',
      progressPercent: 100,
      error: null,
      counts: { visits: 2, images: 2 },
    });
    expect(codeOf(await user.delete(`/privacy/erasures/${next.data.id}`))).toEqual([409, 'ERASURE_STARTED']);
    const listed = (await user.get('/privacy/erasures')).body.data;
    expect(listed.map((each: { id: string }) => each.id)).toEqual([next.data.id, id]);
    expect(await api.context.db.visit.count({ where: { sceneId: scene.sceneId } })).toBe(1);
  });

  test('that fails is tried again and says so', async () => {
    const { id } = (await user.post('/privacy/erasures', RANGE)).body.data;
    const { images } = api.context;
    const broken = instead(images, { readId: () => Promise.reject(new Error('the bucket is gone')) });
    await workOnNext({ ...api.context, images: broken }, new AbortController().signal);
    const { status, error } = (await user.get(`/privacy/erasures/${id}`)).body.data;
    expect([status, error]).toEqual(['queued', expect.stringContaining('tried again')]);
    // It has begun: part of the range may be gone.
    expect(codeOf(await user.delete(`/privacy/erasures/${id}`))).toEqual([409, 'ERASURE_STARTED']);
    await api.context.db
      .$executeRaw`UPDATE "DataJob" SET "dueAt" = now() - interval '1 second' WHERE id = ${id}::uuid`;
    await work();
    expect((await user.get(`/privacy/erasures/${id}`)).body.data).toMatchObject({
      status: 'completed',
      error: null,
    });
  });

  test('of one user runs one at a time', async () => {
    const other = await api.user();
    for (const each of [user, user, other]) await each.post('/privacy/erasures', RANGE);
    const { claimJob } = await import('../../src/privacy/data-job.store.ts');
    const claim = () => claimJob(api.context.db, ABSENT, 60);
    const claimed = [await claim(), await claim(), await claim()];
    expect(claimed.map((one) => one?.job.userId ?? null)).toEqual([user.userId, other.userId, null]);
    await api.context.db.$executeRaw`UPDATE "DataJob" SET "claimedUntil" = NULL`;
    while (await work());
  });
});

describe('a bad request', () => {
  test.each<[string, object, number, string]>([
    ['no range', {}, 400, 'VALIDATION_ERROR'],
    ['an empty range', { from: FROM, to: FROM }, 400, 'INVALID_DATE_RANGE'],
    ['a range that ends before it starts', { from: TO, to: FROM }, 400, 'INVALID_DATE_RANGE'],
    ['the future', { from: FROM, to: '2999-01-01T00:00:00Z' }, 400, 'INVALID_DATE_RANGE'],
    ['no time', { from: 'yesterday', to: TO }, 400, 'VALIDATION_ERROR'],
    ['no devices', { ...RANGE, deviceIds: [] }, 400, 'VALIDATION_ERROR'],
    ['an unknown field', { ...RANGE, sceneIds: [] }, 400, 'VALIDATION_ERROR'],
    ['a device that does not exist', { ...RANGE, deviceIds: [ABSENT] }, 404, 'NOT_FOUND'],
  ])('%s', async (_what, body, status, code) => {
    for (const path of ['/privacy/exports', '/privacy/erasures'])
      expect(codeOf(await user.post(path, body))).toEqual([status, code]);
  });

  test('more than five that wait', async () => {
    const busy = await api.user();
    for (let n = 0; n < 5; n++) expect((await busy.post('/privacy/exports', RANGE)).status).toBe(202);
    expect(codeOf(await busy.post('/privacy/exports', RANGE))).toEqual([409, 'LIMIT_REACHED']);
    expect((await busy.post('/privacy/erasures', RANGE)).status).toBe(202);
    await api.context.db.dataJob.deleteMany({ where: { userId: busy.userId } });
  });

  test('an export is no erasure', async () => {
    const { id } = (await user.post('/privacy/exports', RANGE)).body.data;
    expect(codeOf(await user.get(`/privacy/erasures/${id}`))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await user.delete(`/privacy/erasures/${id}`))).toEqual([404, 'NOT_FOUND']);
    await user.delete(`/privacy/exports/${id}`);
  });
});

test('images of deleted scenes and devices are erased, also those that come late; alert events stay', async () => {
  const { db, images } = api.context;
  const [kept, ofScene, ofDevice] = [
    await addScene(db, user.userId),
    await addScene(db, user.userId),
    await addScene(db, user.userId),
  ];
  for (const each of [kept, ofScene, ofDevice]) await fillMoment(api.context, each, at('11:00'));
  expect((await user.delete(`/scenes/${ofScene.sceneId}`)).status).toBe(204);
  expect((await user.delete(`/devices/${ofDevice.deviceId}`)).status).toBe(204);
  const left = async (each: FilledScene) => {
    const rows = await db.storedImage.findMany({ where: { alertEvent: { sceneId: each.sceneId } } });
    return Promise.all(rows.map(async ({ objectKey }) => (await images.get(objectKey)) !== null));
  };
  const [gone] = await db.storedImage.findMany({ where: { alertEvent: { sceneId: ofScene.sceneId } } });
  await erasePictures(api.context);
  expect([await left(kept), await left(ofScene), await left(ofDevice)]).toEqual([[true], [], []]);
  expect(await images.get(gone!.objectKey)).toBeNull();
  expect(await db.alertEvent.count({ where: { sceneId: ofScene.sceneId } })).toBe(1);
  await fillMoment(api.context, ofScene, at('12:05'));
  await erasePictures(api.context);
  expect(await left(ofScene)).toEqual([]);
  clock.forward(600);
  await erasePictures(api.context);
  const rows = await db.scene.findMany({ where: { picturesErasedAt: { not: null } }, select: { id: true } });
  expect(rows.map(({ id }) => id).sort()).toEqual([ofScene.sceneId, ofDevice.sceneId].sort());
});

test('images of a deleted alert event are erased, and no others', async () => {
  const { context } = api;
  const user = await api.user();
  const scene = await addScene(context.db, user.userId);
  for (const hour of [10, 11]) await fillMoment(context, scene, new Date(Date.UTC(2026, 10, 1, hour)));
  const [deleted, kept] = await context.db.storedImage.findMany({
    where: { userId: user.userId },
    orderBy: { capturedAt: 'asc' },
  });
  expect((await user.delete(`/analysis/alerts/${deleted!.alertEventId}`)).status).toBe(204);
  await erasePictures(context);
  expect(await context.db.storedImage.findMany({ where: { userId: user.userId } })).toEqual([kept]);
  const stored = [deleted, kept].map((image) => context.images.get(image!.objectKey));
  expect((await Promise.all(stored)).map((jpeg) => jpeg !== null)).toEqual([false, true]);
});
