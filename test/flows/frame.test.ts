import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { sealStreamUrl } from '../../src/devices/stream-url.ts';
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
}, 120_000);
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await api.drop();
}, 30_000);

const requests = (deviceId: string) =>
  api.context.db.frameRequest.findMany({ where: { deviceId }, orderBy: { createdAt: 'asc' } });
const sizeOf = async (jpeg: Buffer) => {
  const { format, width, height } = await sharp(jpeg).metadata();
  return { format, width, height };
};
/** Mean red, green and blue. */
const colourOf = async (jpeg: Buffer) => (await sharp(jpeg).stats()).channels.map(({ mean }) => mean);

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
  }, 30_000);

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
  }, 60_000);

  test('a camera that does not answer leads to 503 with the reason', async () => {
    const streamUrl = 'rtsp://127.0.0.1:9/camera';
    const { context } = api;
    const { deviceId } = await shopOf(user);
    const streamUrlEncrypted = sealStreamUrl(context.sealer, streamUrl);
    await context.db.device.update({ where: { id: deviceId }, data: { streamUrlEncrypted } });
    const answer = await user.get(`/devices/${deviceId}/frame`);
    expect(codeOf(answer)).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(answer.body.message).toMatch(/127\.0\.0\.1/);
  }, 20_000);

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
}, 30_000);

test('without a node the answer is 503 after five seconds', async () => {
  const alone = await testApi();
  const somebody = await alone.user();
  const { deviceId } = await shopOf(somebody);
  const answer = await somebody.get(`/devices/${deviceId}/frame`);
  expect(codeOf(answer)).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(answer.body.message).toContain('No compute node');
  await alone.drop();
}, 20_000);
