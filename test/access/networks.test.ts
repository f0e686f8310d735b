import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setNetworks, showNetworks } from '../../src/access/networks.ts';
import { probeIdleDevices } from '../../src/cameras/devices/presence.job.ts';
import { type ApiUser, codeOf, SHOP, type TestApi, testApi } from '../support/api.ts';
import { runCommand } from '../support/command.ts';
import { addNode } from '../support/rows/runs.ts';

let api: TestApi;
let tenant: ApiUser;
let other: ApiUser;
let email: string;

beforeAll(async () => {
  api = await testApi({ STREAM_NETWORKS: 'none' });
  [tenant, other] = [await api.user(), await api.user()];
  ({ email } = await api.context.db.user.findUniqueOrThrow({ where: { id: tenant.userId } }));
});
afterAll(() => api.drop());

const inside = { ...SHOP, streamUrl: 'rtsp://10.1.2.3/live' };

test('a user without own networks has those of STREAM_NETWORKS', async () => {
  for (const user of [tenant, other]) {
    const refused = await user.post('/devices', inside);
    expect(codeOf(refused)).toEqual([400, 'VALIDATION_ERROR']);
    expect(refused.body.message).toBe(
      'streamUrl: may not lead to 10.1.2.3: private addresses are refused; the operator allows networks with STREAM_NETWORKS',
    );
  }
  expect((await tenant.post('/devices', SHOP)).status).toBe(201);
});

test('a stream address is checked against the networks of its user on create, change, probe and start', async () => {
  const { db } = api.context;
  await addNode(db, 'alive');
  await setNetworks(db, email, ['127.0.0.1/32']).then(
    () => expect('accepted').toBe('refused'),
    (error: Error) => expect(error.message).toMatch(/loopback/),
  );
  // Nothing answers there: the probe is told so by the machine itself.
  await setNetworks(db, email, ['10.255.255.255/32', '240.0.0.0/4']);
  const mine = { ...SHOP, streamUrl: 'rtsp://240.0.0.1:1/live' };
  const made = await tenant.post('/devices', mine);
  expect([made.status, made.body.data.onlineStatus]).toEqual([201, 'offline']);
  expect(codeOf(await other.post('/devices', mine))).toEqual([400, 'VALIDATION_ERROR']);
  const { id } = made.body.data;
  const moved = await tenant.patch(`/devices/${id}`, { streamUrl: 'rtsp://10.1.2.3/live' });
  expect(moved.body.message).toBe(
    'streamUrl: may not lead to 10.1.2.3: it lies in none of the networks that are allowed here',
  );

  const scene = await tenant.post('/scenes', { deviceId: id, name: 'Till', analysisType: 'queue_analysis' });
  await tenant.patch(`/scenes/${scene.body.data.id}`, { status: 'active' });
  await setNetworks(db, email, ['public']);
  const start = await tenant.post(`/devices/${id}/analysis/start`, { sceneId: scene.body.data.id });
  expect(codeOf(start)).toEqual([409, 'DEVICE_OFFLINE']);
  expect(start.body.error.details[0].reason).toBe('address_not_allowed');
  await probeIdleDevices(api.context, async () => undefined);
  const { lastError } = await db.device.findUniqueOrThrow({ where: { id } });
  expect(lastError).toMatch(/may not lead to 240\.0\.0\.1/);
});

test('setting the same networks again does not reopen streams', async () => {
  const { db } = api.context;
  const revisions = async () =>
    (await db.device.findMany({ where: { userId: tenant.userId }, orderBy: { id: 'asc' } })).map(
      ({ streamRevision }) => streamRevision,
    );
  await setNetworks(db, email, ['10.7.0.0/16', 'public']);
  const before = await revisions();
  expect(await setNetworks(db, email, ['10.7.0.0/16', 'public'])).toMatchObject({
    networks: ['10.7.0.0/16', 'public'],
  });
  expect(await revisions()).toEqual(before);
  await setNetworks(db, email, []);
  expect(await revisions()).toEqual(before.map((revision) => revision + 1));
  expect((await showNetworks(db, email)).networks).toEqual([]);
  await expect(setNetworks(db, 'nobody', ['public'])).rejects.toThrow('There is no user "nobody"');
});

test('npm run admin sets the networks', async () => {
  const env = { ...process.env, DATABASE_URL: api.context.config.databaseUrl };
  const admin = (...words: string[]) => runCommand('admin', words, env);
  const set = await admin('set-networks', email, '10.3.0.0/16', 'fd12:3456::/48', '--json');
  expect(JSON.parse(set.stdout)).toEqual({
    userId: tenant.userId,
    email,
    networks: ['10.3.0.0/16', 'fd12:3456::/48'],
  });
  const wrong = await admin('set-networks', email, '10.3.0.1/16');
  expect([wrong.code, wrong.stderr]).toEqual([
    1,
    expect.stringContaining('for the network write 10.3.0.0/16'),
  ]);
  expect((await admin('show-networks', email)).stdout).toContain('10.3.0.0/16, fd12:3456::/48');
});
