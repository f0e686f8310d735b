import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { sealStreamUrl } from '../../src/cameras/devices/stream-url.ts';
import { DISCOVERY_PORT } from '../../src/video/onvif/probe-network.ts';
import { type ApiUser, codeOf, shopOf, type TestApi, testApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { CAMERA_LOGIN, startOnvifCamera } from '../support/servers/onvif-camera.ts';
import { serveStreams } from '../support/streams/event-stream.ts';
import { startTestWorker, type TestWorker } from '../support/worker.ts';

/** A camera of this test. No other address may be asked, so that a search sends nothing into the network of this machine. */
const CAMERA = '127.0.3.7';
let api: TestApi;
let user: ApiUser;
let workers: TestWorker[];

beforeAll(async () => {
  api = await testApi({ STREAM_NETWORKS: 'none', STREAM_ALLOW_HOSTS: CAMERA });
  user = await api.user();
  const { context } = api;
  const database = {
    db: context.db,
    url: context.config.databaseUrl!,
    imagesDir: api.imagesDir,
    drop: async () => undefined,
  };
  const network = { streamNetworks: ['none'], streamAllowHosts: [CAMERA] };
  workers = [await startTestWorker(database, network), await startTestWorker(database, network)];
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await api.drop();
});

const requests = (deviceId: string) =>
  api.context.db.frameRequest.findMany({ where: { deviceId }, orderBy: { createdAt: 'asc' } });
const sizeOf = async (jpeg: Buffer) => {
  const { format, width, height } = await sharp(jpeg).metadata();
  return { format, width, height };
};
/** Mean red, green and blue. */
const colourOf = async (jpeg: Buffer) => (await sharp(jpeg).stats()).channels.map(({ mean }) => mean);

const leftOf = (right: number) => ({
  type: 'polygon',
  points: [
    [0, 0],
    [right, 0],
    [right, 1],
    [0, 1],
  ],
});
async function frameOf(deviceId: string): Promise<Buffer> {
  const { status, body } = await user.get(`/devices/${deviceId}/frame`);
  expect(status).toBe(200);
  return body;
}
/** Mean of a strip in the middle of the height, a tenth of the picture wide. */
async function brightness(jpeg: Buffer, at: number): Promise<number> {
  const { width, height } = await sharp(jpeg).metadata();
  const area = { left: Math.round((at - 0.05) * width), top: Math.round(0.3 * height) };
  const size = { width: Math.round(0.1 * width), height: Math.round(0.4 * height) };
  const { channels } = await sharp(
    await sharp(jpeg)
      .extract({ ...area, ...size })
      .raw()
      .toBuffer(),
    {
      raw: { ...size, channels: 3 },
    },
  ).stats();
  return Math.round(channels.reduce((sum, { mean }) => sum + mean, 0));
}
const sharpness = async (jpeg: Buffer) => (await sharp(jpeg).stats()).sharpness;

describe('GET /devices/{id}/frame', () => {
  test('a device without a run: one node opens it once for all callers', async () => {
    const { deviceId } = await shopOf(user);
    const answers = await Promise.all([1, 2, 3].map(() => user.get(`/devices/${deviceId}/frame`)));
    for (const { status, headers, body } of answers) {
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([
        200,
        'image/jpeg',
        'no-store',
      ]);
      expect(body.equals(answers[0]!.body)).toBe(true);
    }
    expect(await sizeOf(answers[0]!.body)).toMatchObject({ format: 'jpeg', width: expect.any(Number) });
    const made = await requests(deviceId);
    expect(made).toHaveLength(1);
    expect(made[0]).toMatchObject({ status: 'completed', computeNodeId: expect.any(String) });
  });

  test('a device with a run: the newest frame; its events and metrics are on the event stream', async () => {
    const shop = await shopOf(user);
    const server = await serveStreams(api.app);
    const stream = await server.open('/stream', { authorization: `Bearer ${user.key}` });
    const started = await user.post(`/devices/${shop.deviceId}/analysis/start`, { sceneId: shop.sceneId });
    expect(started.status).toBe(202);
    const [event] = await stream.of('analysis');
    expect(event!.data).toMatchObject({ type: 'analysis_started', data: { sceneId: shop.sceneId } });
    const [metrics] = await stream.of('metrics', 2);
    expect(metrics!.data).toMatchObject({ ...shop, metrics: { current: { inQueue: expect.any(Number) } } });

    const plain = await eventually('it has a picture', async () => {
      const answer = await user.get(`/devices/${shop.deviceId}/frame`);
      return answer.status === 200 && answer.body;
    });
    // Whoever streams it needs no claim.
    expect((await requests(shop.deviceId)).at(-1)).toMatchObject({ computeNodeId: null });
    const drawn = await user.get(`/devices/${shop.deviceId}/frame?sceneId=${shop.sceneId}`);
    expect(await sizeOf(drawn.body)).toEqual(await sizeOf(plain));
    const [before, after] = [await colourOf(plain), await colourOf(drawn.body)];
    // Amber over a good part of it: less blue.
    expect(after[2]!).toBeLessThan(before[2]! - 3);

    await user.post(`/devices/${shop.deviceId}/analysis/stop`, {});
    const [, stopped] = await stream.of('analysis', 2);
    expect(stopped!.data).toMatchObject({ type: 'analysis_stopped', data: { reason: 'user_request' } });
    stream.close();
    await server.close();
  });

  test('masks and hidden people, without a run', async () => {
    const { deviceId } = await shopOf(user);
    const streamUrl = 'sim:shop?seed=1&start=300';
    const privacyMask = [leftOf(0.5)];
    await user.patch(`/devices/${deviceId}`, { streamUrl, privacyMask });
    const plain = await frameOf(deviceId);
    expect([await brightness(plain, 0.25), await brightness(plain, 0.75)]).toEqual([0, expect.any(Number)]);
    const detail = await sharpness(plain);
    for (const blurPeople of ['bodies', 'none'] as const) {
      await user.patch('/users/me', { blurPeople });
      const shown = await frameOf(deviceId);
      expect(await brightness(shown, 0.25)).toBe(0);
      // The people of the shop are found, and become a mosaic.
      if (blurPeople === 'bodies') expect(await sharpness(shown)).toBeLessThan(0.97 * detail);
      else expect(await sharpness(shown)).toBe(detail);
    }
  });

  test('a changed mask holds for the next image of a device with a run, without a restart', async () => {
    const shop = await shopOf(user);
    await user.post(`/devices/${shop.deviceId}/analysis/start`, { sceneId: shop.sceneId });
    await eventually('it has a picture of its run', async () => {
      const answer = await user.get(`/devices/${shop.deviceId}/frame`);
      return answer.status === 200 && (await requests(shop.deviceId)).at(-1)!.computeNodeId === null;
    });
    expect(await brightness(await frameOf(shop.deviceId), 0.25)).toBeGreaterThan(10);
    await user.patch(`/devices/${shop.deviceId}`, { privacyMask: [leftOf(0.5)] });
    const half = await frameOf(shop.deviceId);
    expect(await brightness(half, 0.25)).toBe(0);
    expect(await brightness(half, 0.75)).toBeGreaterThan(10);
    await user.patch(`/scenes/${shop.sceneId}`, { config: { privacyMask: [leftOf(1)] } });
    const drawn = await user.get(`/devices/${shop.deviceId}/frame?sceneId=${shop.sceneId}&width=320`);
    expect(await brightness(await frameOf(shop.deviceId), 0.75)).toBe(0);
    expect((await sharp(drawn.body).stats()).channels[2]!.mean).toBeLessThan(10);
    await user.patch(`/scenes/${shop.sceneId}`, { config: { privacyMask: [] } });
    await user.patch('/users/me', { blurPeople: 'faces' });
    expect(await brightness(await frameOf(shop.deviceId), 0.25)).toBe(0);
    await user.patch('/users/me', { blurPeople: 'none' });
    expect(await api.context.db.analysisTask.count({ where: { deviceId: shop.deviceId } })).toBe(1);
    await user.post(`/devices/${shop.deviceId}/analysis/stop`, {});
  });

  test('a camera that does not answer leads to 503 with the reason', async () => {
    const streamUrl = 'rtsp://127.0.0.1:9/camera';
    const { context } = api;
    const { deviceId } = await shopOf(user);
    const streamUrlEncrypted = sealStreamUrl(context.sealer, streamUrl);
    await context.db.device.update({ where: { id: deviceId }, data: { streamUrlEncrypted } });
    const answer = await user.get(`/devices/${deviceId}/frame`);
    expect(codeOf(answer)).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(answer.body.message).toMatch(/127\.0\.0\.1/);
  });

  test('a foreign device or scene, a scene of another device and malformed ids are refused', async () => {
    const [mine, other] = [await shopOf(user), await shopOf(user)];
    const theirs = await shopOf(await api.user());
    const ask = async (path: string) => codeOf(await user.get(path));
    expect(await ask(`/devices/${theirs.deviceId}/frame`)).toEqual([404, 'NOT_FOUND']);
    for (const sceneId of [theirs.sceneId, other.sceneId, '11111111-1111-1111-1111-111111111111']) {
      expect(await ask(`/devices/${mine.deviceId}/frame?sceneId=${sceneId}`)).toEqual([404, 'NOT_FOUND']);
    }
    expect(await ask(`/devices/${mine.deviceId}/frame?sceneId=x`)).toEqual([400, 'VALIDATION_ERROR']);
    expect(await ask('/devices/x/frame')).toEqual([400, 'VALIDATION_ERROR']);
    expect(await requests(mine.deviceId)).toEqual([]);
  });
});

test('a search for cameras: one node finds a camera, and a device shows it', async () => {
  const camera = await startOnvifCamera({ address: CAMERA, udpPort: DISCOVERY_PORT, login: 'token' });
  const { user: username, password } = CAMERA_LOGIN;
  const asked = await user.post('/devices/discover', {
    network: `${CAMERA}/32`,
    credentials: { username, password },
  });
  expect(asked.status).toBe(202);
  const { cameras } = await eventually('the search has ended', async () => {
    const { data } = (await user.get(`/devices/discover/${asked.body.data.id}`)).body;
    return data.status === 'completed' && data;
  });
  expect(cameras).toMatchObject([{ address: CAMERA, credentials: 'accepted', model: 'IPC-4' }]);
  const asking = camera.requests.filter((body) => body.includes('GetProfiles'));
  await camera.close();
  expect(asking).toHaveLength(1);
});

test('without a node the answer is 503 after five seconds, or 204 for who asks for that', async () => {
  const alone = await testApi();
  const somebody = await alone.user();
  const { deviceId } = await shopOf(somebody);
  const [answer, nothing] = await Promise.all(
    ['', '?orNothing=true'].map((query) => somebody.get(`/devices/${deviceId}/frame${query}`)),
  );
  expect(codeOf(answer!)).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(answer!.body.message).toContain('No compute node');
  expect(nothing!.status).toBe(204);
  await alone.drop();
});
