import { type ApiUser, shopOf, TestClock, testApi } from '../../support/api.ts';
import { type AddedAlert, addAlert, addRule } from '../../support/rows/alert-rows.ts';
import { VlmServer } from '../../support/servers/vlm-server.ts';
import { NOW } from './questions.ts';

/** A user whose device and scene have names. */
export async function namedShop(user: ApiUser, device: string, scene: string) {
  const shop = await shopOf(user);
  await user.patch(`/devices/${shop.deviceId}`, { name: device });
  await user.patch(`/scenes/${shop.sceneId}`, { name: scene });
  return { userId: user.userId, ...shop };
}

/** An API with a language model, and a user with five alerts in two places, beside another user with one. */
export async function searchedShop(provider: 'rules' | 'openai') {
  const clock = new TestClock();
  clock.time = NOW;
  const server = await VlmServer.start();
  const api = await testApi(
    {
      ...{ VLM_URL: server.url, VLM_MODEL: 'test-llm', VLM_API_KEY: server.key, VLM_TIMEOUT_SECONDS: '5' },
      ...{ SEARCH_PROVIDER: provider, SEARCH_RATE_LIMIT_PER_MINUTE: '1000000' },
    },
    clock,
  );
  const { db } = api.context;
  const [owner, other] = [await api.user(), await api.user()];
  const entrance = await namedShop(owner, 'Main Entrance', 'Door');
  const till = await namedShop(owner, 'Till 3', 'Checkout area');
  const door = await addRule(db, entrance, { severity: 'critical' });
  const queue = await addRule(db, till);
  const at = (time: string) => ({ event: { triggeredAt: new Date(time) } });
  const measured = (time: string, metric: string, actualValue: number, current: object) => ({
    event: {
      ...{ triggeredAt: new Date(time), metricPath: `current.${metric}`, actualValue },
      facts: { metrics: { current } } as object,
    },
  });
  const alerts: Record<string, AddedAlert> = {
    crowd: await addAlert(db, door, {
      ...at('2026-11-17T19:00:00Z'),
      summary: 'A dense crowd pushes through the door; some are arguing loudly.',
      ...{ activities: ['pushing', 'arguing'], riskLevel: 'high', personCount: 8 },
    }),
    quiet: await addAlert(db, door, {
      ...at('2026-11-17T10:00:00Z'),
      ...{ summary: 'Three people at the door, one of them arguing.', riskLevel: 'low', personCount: 3 },
    }),
    line: await addAlert(db, queue, {
      ...measured('2026-11-12T12:00:00Z', 'maxWaitSeconds', 300, { inQueue: 4, maxServiceSeconds: 90 }),
      ...{ summary: 'A long line waits; nobody fights.', activities: ['waiting'] },
      ...{ environment: 'supermarket', riskLevel: 'medium', personCount: 6 },
    }),
    old: await addAlert(db, queue, {
      ...measured('2026-03-04T12:00:00Z', 'inQueue', 9, { maxWaitSeconds: 720.5 }),
      ...{
        summary: 'A long, long, long line of customers. The line is long.',
        riskLevel: 'critical',
        personCount: 12,
      },
    }),
    pending: await addAlert(db, queue, at('2026-11-18T14:00:00Z')),
  };
  const vault = await addRule(db, await namedShop(other, 'Secret vault', 'Vault'));
  const foreign = await addAlert(db, vault, { summary: 'A long line of strangers arguing' });

  const post = (body: object, user = owner) => user.post('/analysis/insights/search', body);
  const search = (query: string, more: object = {}, user = owner) => post({ query, ...more }, user);
  const namesOf = ({ data }: { data: { id: string }[] }) =>
    data.map(({ id }) => Object.keys(alerts).find((name) => alerts[name]!.insight.id === id) ?? id);
  return {
    ...{ api, clock, server, owner, other, entrance, till, door, alerts, foreign, post, search, namesOf },
    found: async (query: string, more: object = {}) => namesOf((await search(query, more)).body.data),
    interpreted: async (query: string, more: object = {}, user = owner) =>
      (await search(query, more, user)).body.data.interpretation,
    async end() {
      await api.drop();
      await server.stop();
    },
  };
}
