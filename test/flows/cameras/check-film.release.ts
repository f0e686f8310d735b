import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type JpegCamera, openJpegCamera } from '../../../scripts/chaos/cameras/jpeg-camera.ts';
import { TcpProxy } from '../../../scripts/chaos/cameras/tcp-proxy.ts';
import { findPicture, removeOldPictures } from '../../../src/cameras/devices/images/live-picture.store.ts';
import { takeStills } from '../../../src/cameras/scenes/checks/take-stills.job.ts';
import { filmCameras } from '../../../src/cameras/scenes/checks/times/film-cameras.job.ts';
import { type ApiUser, codeOf, QUEUE_ZONE, type TestApi, TestClock, testApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestWorker, type TestWorker } from '../../support/worker.ts';

const clock = new TestClock();
let api: TestApi;
let user: ApiUser;
let camera: JpegCamera;
let line: TcpProxy;
let worker: TestWorker;
let deviceId: string;
let sceneId: string;

beforeAll(async () => {
  clock.time = new Date();
  api = await testApi({ STREAM_ALLOW_HOSTS: '127.0.0.1' }, clock);
  user = await api.user();
  camera = await openJpegCamera(5);
  line = await new TcpProxy(camera.port).listen();
  const { db, config } = api.context;
  const database = { db, url: config.databaseUrl!, imagesDir: api.imagesDir, drop: async () => undefined };
  worker = await startTestWorker(database, { streamAllowHosts: ['127.0.0.1'] });
  const streamUrl = `http://127.0.0.1:${line.port}/stream`;
  deviceId = (await user.post('/devices', { name: 'Camera', streamUrl })).body.data.id;
  const scene = { deviceId, name: 'Till', analysisType: 'queue_analysis' };
  const zones = { queueZone: QUEUE_ZONE };
  sceneId = (await user.post('/scenes', { ...scene, config: { zones } })).body.data.id;
  await user.patch('/users/me', { blurPeople: 'bodies' });
  expect((await user.post(`/devices/${deviceId}/analysis/start`, { sceneId })).status).toBe(202);
  // Once somebody has come to the line, each look at the camera finds them there.
  await eventually('somebody waits', () => db.visit.findFirst({ where: { sceneId } }));
});
afterAll(async () => {
  await worker.stop();
  await line.close();
  await camera.close();
  await api.drop();
});

/** Notes the live pictures of the device until it is stopped: as a check gets them, and as watchers do. */
function notePictures() {
  const noted = { shown: new Set<string>(), hidden: new Set<string>() };
  const stopping = new AbortController();
  const noting = (async () => {
    while (!stopping.signal.aborted) {
      for (const [name, showsPeople] of [
        ['shown', true],
        ['hidden', false],
      ] as const) {
        const picture = await findPicture(api.context.db, deviceId, showsPeople);
        if (picture) noted[name].add(Buffer.from(picture.jpeg).toString('base64'));
      }
      await pause(50);
    }
  })();
  return async () => {
    stopping.abort();
    await noting;
    return noted;
  };
}

const JPEG_BEGINS = /(?=\xff\xd8\xff\xdb|\xff\xd8\xff\xe0)/;
/** The pictures of a film, as `notePictures` notes them. */
const picturesIn = (film: Uint8Array): string[] =>
  Buffer.from(film)
    .toString('latin1')
    .split(JPEG_BEGINS)
    .map((jpeg) => Buffer.from(jpeg, 'latin1').toString('base64'));

test('a camera is filmed for a check with the people whom the account hides, by one program after the other, and while it is away seconds are missing; the end erases the film', async () => {
  const { db } = api.context;
  const wanted = await user.post(`/scenes/${sceneId}/times-checks`, { showsPeople: true });
  expect(wanted.body.data).toMatchObject({ status: 'collecting', showsPeople: true });
  const { id } = wanted.body.data as { id: string };
  const stills = await user.post(`/scenes/${sceneId}/checks`, { stills: 20, hours: 1, showsPeople: true });
  expect(stills.body.data).toMatchObject({ keepsWrongStills: false, showsPeople: true });
  const { id: stillsId } = stills.body.data as { id: string };
  const pieces = () => db.checkFilm.findMany({ where: { checkId: id }, orderBy: { piece: 'asc' } });
  const look = async () => {
    clock.time = (await db.sceneCheck.findUniqueOrThrow({ where: { id: stillsId } })).nextAt!;
    expect(await takeStills(api.context)).toEqual({ done: 1, failed: 0 });
    return db.checkStill.findMany({ where: { checkId: stillsId } });
  };

  const first = new AbortController();
  const pictures = notePictures();
  const filming = filmCameras(api.context, first.signal);
  const [still] = await look();
  expect(still).toMatchObject({ waiting: 1 });
  await eventually('a piece is kept', async () => (await pieces()).length > 0);
  first.abort();
  await filming;
  const noted = await pictures();
  const [piece] = await pieces();
  expect(picturesIn(piece!.jpegs)).toHaveLength(20);

  await line.set('refused');
  // As if nobody had filmed for half a minute.
  const { startedAt, missed } = await db.sceneCheck.findUniqueOrThrow({ where: { id } });
  const earlier = new Date(startedAt.getTime() - 30_000);
  await db.sceneCheck.update({ where: { id }, data: { startedAt: earlier } });
  const second = new AbortController();
  const goingOn = filmCameras(api.context, second.signal);
  expect(await look()).toHaveLength(1);
  expect((await user.get(`/checks/${stillsId}`)).body.data).toMatchObject({ missedMoments: 1 });
  await eventually('the camera is missing in a piece', async () =>
    (await pieces()).some(({ jpegs }) => jpegs.length === 0),
  );
  expect((await db.sceneCheck.findUniqueOrThrow({ where: { id } })).missed).toBeGreaterThanOrEqual(
    missed + 40,
  );
  for (const each of [id, stillsId]) await user.post(`/checks/${each}/stop`);
  await goingOn;

  // The film and the still show the people; nothing of them is what watchers see.
  const film = (await user.get(`/checks/${id}/film?piece=${piece!.piece}`)).body as Buffer;
  expect(picturesIn(film).filter((picture) => noted.shown.has(picture)).length).toBeGreaterThan(0);
  const image = (await user.get(`/check-stills/${still!.id}/picture`)).body as Buffer;
  expect([...picturesIn(film), ...picturesIn(image)].filter((picture) => noted.hidden.has(picture))).toEqual(
    [],
  );
  // A screen that shows cameras does not check.
  const viewer = await user.post('/api-keys', { name: 'screen', scopes: ['device:read'] });
  const authorization = `Bearer ${viewer.body.data.key}`;
  for (const path of [`/checks/${id}/film?piece=${piece!.piece}`, `/check-stills/${still!.id}/picture`])
    expect(codeOf(await user.get(path).set({ authorization }))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  const log = await db.auditEntry.findMany({ where: { userId: user.userId } });
  expect(log.filter(({ details }) => (details as { showsPeople?: boolean }).showsPeople)).toHaveLength(2);
  expect(log.map(({ action }) => action)).toContain('pictures_viewed');

  await user.put(`/check-stills/${still!.id}/answer`, { waiting: 3, served: 0 });
  for (const each of [id, stillsId]) expect((await user.post(`/checks/${each}/finish`, {})).status).toBe(200);
  await removeOldPictures({ db });
  expect([
    await db.checkFilm.count(),
    await db.checkStill.count({ where: { jpeg: { not: null } } }),
    await db.liveWish.count(),
    await db.livePicture.count(),
  ]).toEqual([0, 0, 0, 0]);
});
