import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiUser, codeOf, QUEUE_ZONE, SHOP, type TestApi, testApi } from '../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi({
    MAX_KEYS_PER_USER: '3',
    MAX_DEVICES_PER_USER: '3',
    MAX_SCENES_PER_USER: '3',
    MAX_SITES_PER_USER: '3',
    MAX_RULES_PER_USER: '3',
  });
});
afterAll(() => api.drop());

const deviceId = async (user: ApiUser) => (await user.post('/devices', SHOP)).body.data.id as string;
const sceneBody = (device: string) => ({
  deviceId: device,
  name: 'Till',
  analysisType: 'queue_analysis',
  config: { zones: { queueZone: QUEUE_ZONE } },
});

/** Path, how many a new user has, and the body that creates one more. */
const KINDS: Record<string, { path: string; has: number; body: (user: ApiUser) => Promise<object> }> = {
  keys: { path: '/api-keys', has: 1, body: async () => ({ name: 'k', scopes: ['scene:read'] }) },
  devices: { path: '/devices', has: 0, body: async () => SHOP },
  scenes: { path: '/scenes', has: 0, body: async (user) => sceneBody(await deviceId(user)) },
  sites: { path: '/sites', has: 0, body: async () => ({ name: 'Shop', timezone: 'UTC' }) },
  rules: {
    path: '/alerts/rules',
    has: 0,
    body: async (user) => ({
      name: 'Long queue',
      sceneId: (await user.post('/scenes', sceneBody(await deviceId(user)))).body.data.id,
      severity: 'warning',
      conditions: [{ metricPath: 'current.inQueue', operator: 'GT', threshold: 5 }],
    }),
  },
};

describe.each(Object.entries(KINDS))('the cap on %s of a user', (_name, { path, has, body }) => {
  test('one more is refused with the allowed number; a deletion makes room', async () => {
    const user = await api.user();
    const sent = await body(user);
    for (let i = has; i < 3; i++) expect((await user.post(path, sent)).status).toBe(201);
    const refused = await user.post(path, sent);
    expect(codeOf(refused)).toEqual([409, 'LIMIT_REACHED']);
    expect(refused.body.message).toContain('the maximum per user is 3');
    const [newest] = (await user.get(path)).body.data;
    expect((await user.delete(`${path}/${newest.id}`)).status).toBe(204);
    expect((await user.post(path, sent)).status).toBe(201);
  });

  test('the limit holds for concurrent calls and does not count other users', async () => {
    const [user, other] = [await api.user(), await api.user()];
    const [sent, sentByOther] = [await body(user), await body(other)];
    const answers = await Promise.all(Array.from({ length: 8 }, () => user.post(path, sent)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3 - has);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5 + has);
    expect((await other.post(path, sentByOther)).status).toBe(201);
  });
});
