import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type ApiUser, codeOf, shopOf, type TestApi, TestClock, testApi } from '../../support/api.ts';
import { addAlert, addRule } from '../../support/rows/alert-rows.ts';

const ABSENT = '11111111-1111-1111-1111-111111111111';
const clock = new TestClock();
let api: TestApi;
let owner: ApiUser;
let other: ApiUser;
let door: { deviceId: string; sceneId: string };
let till: { deviceId: string; sceneId: string };
beforeAll(async () => {
  clock.time = new Date('2026-11-18T14:30:00Z');
  api = await testApi(
    {
      SEARCH_RATE_LIMIT_PER_MINUTE: '1000000',
      ...{ SEARCH_PROVIDER: 'openai', VLM_URL: 'http://127.0.0.1:9/v1', VLM_MODEL: 'none' },
    },
    clock,
  );
  [owner, other] = [await api.user(), await api.user()];
  [door, till] = [await shopOf(owner), await shopOf(owner)];
  await owner.patch(`/devices/${door.deviceId}`, { name: 'Main Entrance' });
  const { db } = api.context;
  const critical = await addRule(db, { userId: owner.userId, ...door }, { severity: 'critical' });
  const warning = await addRule(db, { userId: owner.userId, ...till });
  const at = (time: string) => ({ event: { triggeredAt: new Date(time) } });
  await addAlert(db, critical, {
    ...at('2026-11-17T19:00:00Z'),
    ...{ summary: 'A crowd is arguing.', riskLevel: 'high', personCount: 8 },
  });
  await addAlert(db, critical, {
    ...at('2026-11-17T10:00:00Z'),
    ...{ summary: 'Three people, one arguing.', riskLevel: 'low', personCount: 3 },
  });
  await addAlert(db, warning, {
    ...at('2026-11-12T12:00:00Z'),
    ...{ summary: 'A long line waits.', riskLevel: 'medium', personCount: 6 },
  });
});
afterAll(() => api.drop());

const search = (body: object, user = owner) => user.post('/analysis/insights/search', body);
const part = (field: string, operator: string, value: unknown, more: object = {}) => ({
  field,
  operator,
  value,
  ...more,
});
const summaries = ({ body }: { body: { data: { data: { vlmSummary: string }[] } } }) =>
  body.data.data.map(({ vlmSummary }) => vlmSummary);
const found = async (...parts: object[]) => summaries(await search({ parts }));

const [CROWD, THREE, LINE] = ['A crowd is arguing.', 'Three people, one arguing.', 'A long line waits.'];

describe('a search by parts alone', () => {
  test('asks no language model, costs no tokens, and shows the parts as they were sent', async () => {
    const ask = jest.spyOn(api.context.chat!, 'ask');
    const parts = [
      part('severity', 'is', 'critical'),
      part('persons', 'moreThan', 5, { text: 'more than five' }),
    ];
    const answer = await search({ parts });
    expect([answer.status, summaries(answer)]).toEqual([200, [CROWD]]);
    expect(answer.body.data.tokensUsed.totalTokens).toBe(0);
    expect(answer.body.data.interpretation).toMatchObject({
      ...{ interpretedBy: 'rules', severity: 'critical', minPersons: 6, unusedWords: [] },
      parts: [
        { field: 'severity', operator: 'is', value: 'critical', text: null, excludeGroup: null },
        { field: 'persons', operator: 'atLeast', value: 6, text: 'more than five', excludeGroup: null },
      ],
      understood: [
        { text: null, filter: 'severity critical' },
        { text: 'more than five', filter: 'people in the picture > 5' },
      ],
    });
    expect(ask).not.toHaveBeenCalled();
    ask.mockRestore();
  });

  test('each field narrows it, and excludes by a number', async () => {
    expect(await found(part('riskLevel', 'oneOf', ['high', 'medium']))).toEqual([CROWD, LINE]);
    expect(await found(part('word', 'contains', 'argue'))).toEqual([CROWD, THREE]);
    const day = { from: '2026-11-17T00:00:00+01:00', before: '2026-11-17T12:00:00Z' };
    expect(await found(part('time', 'within', day))).toEqual([THREE]);
    const place = { deviceIds: [till.deviceId], sceneIds: [] };
    expect(await found(part('place', 'oneOf', place))).toEqual([LINE]);
    expect(await found(part('place', 'oneOf', place, { excludeGroup: 0 }))).toEqual([CROWD, THREE]);
    const [severity, word] = [part('severity', 'is', 'critical'), part('riskLevel', 'oneOf', ['low'])];
    const together = [
      { ...severity, excludeGroup: 1 },
      { ...word, excludeGroup: 1 },
    ];
    expect(await found(...together)).toEqual([CROWD, LINE]);
  });

  test('the parts of an answer can be sent back, changed or not', async () => {
    const query = 'critical alerts at the main entrance yesterday with more than five people';
    const { interpretation } = (await search({ query })).body.data;
    const again = await search({ parts: interpretation.parts });
    expect(summaries(again)).toEqual([CROWD]);
    expect(again.body.data.interpretation).toMatchObject({
      parts: interpretation.parts,
      deviceName: 'Main Entrance',
    });
    const fewer = interpretation.parts.filter(({ field }: { field: string }) => field !== 'persons');
    expect(await found(...fewer)).toEqual([CROWD, THREE]);
  });

  test.each(['2026-10-01T00:00:00.000Z', '2026-10-02T00:00:00.000Z'])(
    'a time that ends at 1 October and one from %s on have nothing in common, find nothing, and stay two parts',
    async (from) => {
      const [ends, begins] = [
        { from: null, before: '2026-10-01T00:00:00.000Z' },
        { from, before: null },
      ];
      const answer = await search({ parts: [part('time', 'within', ends), part('time', 'within', begins)] });
      expect([answer.status, summaries(answer)]).toEqual([200, []]);
      const { parts } = answer.body.data.interpretation;
      expect(parts.map(({ value }: { value: object }) => value)).toEqual([begins, ends]);
      expect((await search({ parts })).body.data.interpretation.parts).toEqual(parts);
    },
  );

  test('devices and scenes that are foreign or absent find nothing', async () => {
    for (const id of [ABSENT, till.deviceId]) {
      const place = part('place', 'oneOf', { deviceIds: [id], sceneIds: [id] });
      const { status, body } = await search({ parts: [place] }, other);
      expect([status, body.data.total]).toEqual([200, 0]);
      expect(JSON.stringify(body)).not.toContain('Main Entrance');
    }
  });
});

test('parts beside a query apply too', async () => {
  const body = { query: 'arguing', parts: [part('riskLevel', 'oneOf', ['low'])] };
  expect(summaries(await search(body))).toEqual([THREE]);
});

test.each<[string, object, string]>([
  ['neither query nor parts', {}, 'query'],
  ['no parts', { parts: [] }, 'parts'],
  ['51 parts', { parts: Array(51).fill(part('word', 'contains', 'a')) }, 'parts'],
  ['an unknown field', { parts: [part('colour', 'is', 'red')] }, 'parts.0.field'],
  ['another operator', { parts: [part('severity', 'moreThan', 'critical')] }, 'parts.0.operator'],
  ['another value', { parts: [part('severity', 'is', 'high')] }, 'parts.0.value'],
  ['an unknown key', { parts: [part('severity', 'is', 'critical', { more: 1 })] }, 'parts.0.more'],
  ['no level', { parts: [part('riskLevel', 'oneOf', [])] }, 'parts.0.value'],
  ['a negative number', { parts: [part('persons', 'atLeast', -1)] }, 'parts.0.value'],
  ['a huge number', { parts: [part('persons', 'atLeast', 1e10)] }, 'parts.0.value'],
  [
    'an excluded number',
    { parts: [part('persons', 'atLeast', 1, { excludeGroup: 0 })] },
    'parts.0.excludeGroup',
  ],
  ['no time', { parts: [part('time', 'within', { from: null, before: null })] }, 'parts.0.value'],
  [
    'an end before the start',
    { parts: [part('time', 'within', { from: '2026-01-02T00:00:00Z', before: '2026-01-01T00:00:00Z' })] },
    'parts.0.value.from',
  ],
  [
    'the year 0',
    { parts: [part('time', 'within', { from: '0000-01-01T00:00:00Z', before: null })] },
    'parts.0.value.from',
  ],
  ['no place', { parts: [part('place', 'oneOf', { deviceIds: [], sceneIds: [] })] }, 'parts.0.value'],
  [
    'a malformed id',
    { parts: [part('place', 'oneOf', { deviceIds: ['x'], sceneIds: [] })] },
    'parts.0.value.deviceIds.0',
  ],
  ['an empty word', { parts: [part('word', 'contains', '')] }, 'parts.0.value'],
  ['no forms', { parts: [part('word', 'contains', 'a', { forms: [] })] }, 'parts.0.forms'],
])('%s is refused', async (_name, body, path) => {
  const answer = await search(body);
  expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
  expect(answer.body.error.details[0].path).toBe(path);
});

test.each([['!!!'], ['the'], ["'); DROP"], ['a & | !'], ['\\']])(
  'the word %s breaks nothing',
  async (word) => {
    for (const forms of [null, [word]]) {
      expect((await search({ parts: [part('word', 'contains', word, { forms })] })).status).toBe(200);
    }
  },
);
