import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Discoveries } from '../../../src/cameras/discovery/discoveries.ts';
import { removeOldDiscoveries } from '../../../src/cameras/discovery/discovery.store.ts';
import { type ApiUser, codeOf, type TestApi, testApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { addNode } from '../../support/rows/runs.ts';
import { CAMERA_LOGIN, type OnvifCamera, startOnvifCamera } from '../../support/servers/onvif-camera.ts';

const ABSENT = '11111111-1111-1111-1111-111111111111';
const CAMERA = '127.0.3.1';
const NETWORK = `${CAMERA}/32`;
const credentials = { username: CAMERA_LOGIN.user, password: CAMERA_LOGIN.password };
let api: TestApi;
let camera: OnvifCamera;
let user: ApiUser;
let nodeId: string;

beforeAll(async () => {
  api = await testApi({ STREAM_ALLOW_HOSTS: CAMERA });
  camera = await startOnvifCamera({ address: CAMERA, udpPort: 0, login: 'digest' });
});
afterAll(async () => {
  await camera.close();
  await api.drop();
});
beforeEach(async () => {
  user = await api.user();
  nodeId = await addNode(api.context.db, 'node');
});
afterEach(async () => {
  await api.context.db.discoveryRequest.deleteMany();
  await api.context.db.computeNode.deleteMany();
});

const discover = (body: object = {}, by = user) => by.post('/devices/discover', body);
const read = async (id: string, by = user) => by.get(`/devices/discover/${id}`);
const node = (id = nodeId, { probeMs = 1_000, db = api.context.db } = {}) =>
  new Discoveries({
    context: { ...api.context, db },
    nodeId: id,
    probe: { port: camera.udpPort, multicast: false, probeMs },
  });
const rowOf = (id: string) => api.context.db.discoveryRequest.findUniqueOrThrow({ where: { id } });

describe('a search for cameras', () => {
  test('is answered at once, and a node finds the cameras', async () => {
    const { status, body } = await discover({ network: NETWORK, credentials });
    const { id } = body.data;
    expect([status, body.data]).toEqual([
      202,
      {
        ...{ id, status: 'pending', network: NETWORK, computeNodeId: null, cameras: [], refusedAnswers: 0 },
        ...{ errorMessage: null, createdAt: expect.any(String), finishedAt: null },
      },
    ]);
    const { loginEncrypted } = await rowOf(id);
    expect([typeof loginEncrypted, JSON.stringify(await rowOf(id)).includes(credentials.password)]).toEqual([
      'string',
      false,
    ]);

    await node().run();
    const done = (await read(id)).body.data;
    expect(done).toMatchObject({
      ...{ status: 'completed', computeNodeId: nodeId, errorMessage: null, finishedAt: expect.any(String) },
      cameras: [
        { address: CAMERA, name: 'Till 3', credentials: 'accepted', streams: [{ profile: 'main' }, {}] },
      ],
    });
    const row = await rowOf(id);
    expect(row.loginEncrypted).toBeNull();
    // Stream addresses may hold secrets.
    expect(JSON.stringify(row)).not.toContain('rtsp');
    expect(JSON.stringify(done)).not.toContain(credentials.password);
    // A device takes the address as it is.
    const streamUrl = done.cameras[0].streams[0].url.replace('rtsp://', 'rtsp://user:password@');
    expect((await user.post('/devices', { name: 'Till', streamUrl })).status).toBe(201);
  });

  test('without a network and a login finds nothing here, and completes', async () => {
    const { id } = (await discover()).body.data;
    await node().run();
    expect((await read(id)).body.data).toMatchObject({ status: 'completed', network: null, cameras: [] });
  });

  test('with an empty password works', async () => {
    const { id } = (await discover({ network: NETWORK, credentials: { username: 'a', password: '' } })).body
      .data;
    await node().run();
    expect((await read(id)).body.data.cameras).toMatchObject([{ credentials: 'wrong', streams: [] }]);
  });

  test('is done by one of several nodes, once', async () => {
    const others = [nodeId, await addNode(api.context.db, 'b'), await addNode(api.context.db, 'c')];
    await discover({ network: NETWORK });
    const asked = camera.requests.length;
    await Promise.all(others.map((id) => node(id).run()));
    expect(camera.requests.slice(asked).filter((text) => text.includes('GetSystemDateAndTime'))).toHaveLength(
      1,
    );
  });

  test('is left to the node that is named', async () => {
    const other = await addNode(api.context.db, 'b');
    const { id } = (await discover({ network: NETWORK, computeNodeId: other })).body.data;
    await node().run();
    expect((await read(id)).body.data.status).toBe('pending');
    await node(other).run();
    expect((await read(id)).body.data).toMatchObject({ status: 'completed', computeNodeId: other });
  });

  test('follows the networks of the user at the time of the search', async () => {
    const { id } = (await discover({ network: '192.168.7.0/30' })).body.data;
    const { userId } = await rowOf(id);
    await api.context.db.user.update({ where: { id: userId }, data: { streamNetworks: ['none'] } });
    await node().run();
    expect((await read(id)).body.data).toMatchObject({ status: 'completed', cameras: [] });
    const refused = await discover({ network: '192.168.7.0/30' });
    expect(codeOf(refused)).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('is found that is asked for while the last claims of enough searches end', async () => {
    let claims = 0;
    let release: () => void = () => undefined;
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    // Two claims that find nothing, and whose answer comes late.
    const db = new Proxy(api.context.db, {
      get: (target, name) => {
        if (name !== '$queryRaw' || claims === 2) return Reflect.get(target, name);
        claims += 1;
        return () => isReleased.then(() => []);
      },
    });
    const busy = node(nodeId, { db });
    const running = [busy.run(), busy.run()];
    await eventually('both claim', () => claims === 2);
    const { id } = (await discover({ network: NETWORK, credentials })).body.data;
    await busy.run();
    release();
    await Promise.all(running);
    expect((await read(id)).body.data.status).toBe('completed');
  });

  test('of a node that is stopped fails', async () => {
    const { id } = (await discover()).body.data;
    const stopped = node(nodeId, { probeMs: 60_000 });
    const running = stopped.run();
    for (;;) if ((await rowOf(id)).status === 'searching') break;
    await stopped.stop();
    await running;
    expect((await read(id)).body.data).toMatchObject({
      status: 'failed',
      errorMessage: 'The compute node was stopped: try again.',
    });
    expect((await discover()).status).toBe(202);
  });

  test('of a node that died fails after a minute, and its login is removed', async () => {
    const { id } = (await discover({ credentials })).body.data;
    const { db } = api.context;
    await db.discoveryRequest.update({ where: { id }, data: { status: 'searching', computeNodeId: nodeId } });
    expect((await read(id)).body.data.status).toBe('searching');
    await db.discoveryRequest.update({ where: { id }, data: { createdAt: new Date(Date.now() - 61_000) } });
    expect((await read(id)).body.data).toMatchObject({ status: 'failed', errorMessage: expect.any(String) });
    await removeOldDiscoveries(api.context);
    expect(await rowOf(id)).toMatchObject({ status: 'failed', loginEncrypted: null });
    // A node that comes back late writes nothing.
    await node().run();
    expect((await read(id)).body.data.status).toBe('failed');
    await db.discoveryRequest.update({ where: { id }, data: { createdAt: new Date(Date.now() - 601_000) } });
    await removeOldDiscoveries(api.context);
    expect((await read(id)).status).toBe(404);
  });
});

describe('a search is refused', () => {
  test.each([
    ['a network with more addresses', { network: '192.168.0.0/16' }],
    ['an address', { network: '192.168.0.1' }],
    ['a made-up network', { network: '192.168.0.0/33' }],
    ['octal numbers', { network: '010.0.0.0/24' }],
    ['IPv6', { network: 'fd00::/120' }],
    ['loopback', { network: '127.0.0.0/24' }],
    ['metadata', { network: '169.254.169.0/24' }],
    ['multicast', { network: '239.255.255.0/24' }],
    ['a login without a password', { credentials: { username: 'a' } }],
    ['a login without a name', { credentials: { username: '', password: 'b' } }],
    ['a long password', { credentials: { username: 'a', password: 'b'.repeat(201) } }],
    ['an unknown field', { networks: ['192.168.0.0/24'] }],
  ])('with %s', async (_name, body) => {
    expect(codeOf(await discover(body))).toEqual([400, 'VALIDATION_ERROR']);
    expect(await api.context.db.discoveryRequest.count()).toBe(0);
  });

  test('while another one of the user is under way', async () => {
    const [first, second] = await Promise.all([discover(), discover()]);
    expect([first, second].map(({ status }) => status).sort()).toEqual([202, 409]);
    expect(codeOf(await discover())).toEqual([409, 'LIMIT_REACHED']);
    expect((await discover({}, await api.user())).status).toBe(202);
  });

  test('without a node that could search', async () => {
    expect(codeOf(await discover({ computeNodeId: ABSENT }))).toEqual([404, 'NOT_FOUND']);
    await api.context.db.computeNode.updateMany({ data: { lastHeartbeatAt: new Date(0) } });
    const answers = [await discover(), await discover({ computeNodeId: nodeId })];
    for (const answer of answers) {
      expect(codeOf(answer)).toEqual([503, 'NO_COMPUTE_NODE']);
      expect(answer.headers['retry-after']).toBe('30');
    }
  });

  test('and read, when it is of somebody else', async () => {
    const { id } = (await discover()).body.data;
    expect((await read(id, await api.user())).status).toBe(404);
    expect((await read(ABSENT)).status).toBe(404);
  });
});
