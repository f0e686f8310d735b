import { measuringCommand } from '../../support/measuring-command.ts';
import { query } from '../../support/sql.ts';
import { eachWithProgress, table } from '../../support/terminal.ts';
import { type BenchRequest, measure } from './measure.ts';
import { withSeededApi } from './seeded-api.ts';

/** Most processor time of a call before the caller is known. */
const MAX_STRANGER_MS = 5;
/** Calls of a kind before it is measured. */
const WARM_UP = 20;

interface Attack {
  readonly kind: string;
  readonly request: BenchRequest;
  readonly expectStatus: number;
}

const names = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `nmae${at}${'x'.repeat(4)}`);
const keys = (count: number) => Object.fromEntries(names(count).map((name) => [name, 1]));
const YEARS = 'from=2016-01-01T00:00:00Z&to=2026-01-01T00:00:00Z';

/** Calls of somebody without a key. */
const STRANGER: readonly Attack[] = [
  { kind: 'body, 10,000 unknown keys', request: post('/session', keys(10_000)), expectStatus: 400 },
  { kind: 'body, 1,999 unknown keys', request: post('/session', keys(1_999)), expectStatus: 400 },
  {
    kind: 'body, 20 long unknown keys',
    request: post('/session', Object.fromEntries(names(20).map((name) => [name.repeat(1_000), 1]))),
    expectStatus: 400,
  },
  {
    kind: 'body, a text of 250 KB',
    request: post('/session', { email: 'x'.repeat(250_000) }),
    expectStatus: 400,
  },
  {
    kind: 'query, 1,000 unknown parameters',
    request: get(`/setup?${names(1_000).join('&')}`),
    expectStatus: 400,
  },
  { kind: 'path, 300 letters', request: get(`/${'analytics/'.repeat(30)}`), expectStatus: 404 },
  { kind: 'path, 1,000 segments', request: get(`/${'a/'.repeat(1_000)}`), expectStatus: 404 },
  { kind: 'wrong key', request: { ...get('/devices'), key: `vas_${'x'.repeat(4_000)}` }, expectStatus: 401 },
];

/** Calls of somebody with a key. */
const withKey = (sceneId: string, key: string): Attack[] =>
  [
    { kind: 'body, 1,999 unknown keys', request: post('/devices', keys(1_999)), expectStatus: 400 },
    {
      kind: 'zones, 900 points with unknown keys',
      request: post('/scenes', {
        config: { zones: { queueZone: { type: 'polygon', points: Array(900).fill({ x: 1, z: 2 }) } } },
      }),
      expectStatus: 400,
    },
    {
      kind: 'zones, 9,900 entries',
      request: post('/scenes', {
        config: { zones: { queueZone: { type: 'polygon', points: Array(9_900).fill(1) } } },
      }),
      expectStatus: 400,
    },
    {
      kind: 'search text, 500 letters',
      request: post('/analysis/insights/search', { query: 'queue or '.repeat(55) }),
      expectStatus: 200,
    },
    {
      kind: 'series of ten years by hour',
      request: get(`/analytics/scenes/${sceneId}/series?${YEARS}&bucket=1h`),
      expectStatus: 400,
    },
  ].map(({ request, ...attack }) => ({ ...attack, request: { ...request, key } }));

export const hostile = measuringCommand({
  name: 'hostile',
  description:
    'Processor time of the API for the dearest call of each kind that we know, from strangers and with a key. A small ' +
    'database is seeded once into DATA_DIR/bench and kept.',
  options: { seconds: ['how long each call is measured', 5] },
  async measure({ seconds }) {
    return withSeededApi(
      'hostile',
      { devices: 1, minutes: 1_000, visits: 1_000 },
      async ({ api, databaseUrl, key }) => {
        const [scene] = await query<{ id: string }>(databaseUrl, 'SELECT id::text FROM "Scene" LIMIT 1');
        const attacks = [
          ...STRANGER.map((attack) => ({ ...attack, who: 'a stranger' })),
          ...withKey(scene!.id, key).map((attack) => ({ ...attack, who: 'a key' })),
        ];
        const results = await eachWithProgress('bench', attacks, 'calls', async (attack) => {
          const { kind, who, request, expectStatus } = attack;
          await measure(api, {
            connections: 1,
            requests: Array(WARM_UP).fill(request),
            once: true,
            expectStatus,
          });
          const measured = await measure(api, { connections: 1, requests: [request], seconds, expectStatus });
          return { kind, who, ...measured };
        });
        const dear = results.filter(
          ({ who, cpuMsPerRequest }) => who === 'a stranger' && (cpuMsPerRequest ?? 0) >= MAX_STRANGER_MS,
        );
        return { results, passed: dear.length === 0 };
      },
    );
  },
  report: ({ results, passed }) =>
    `${table([
      ['call', 'of', 'CPU ms', 'p95 ms'],
      ...results.map(({ kind, who, cpuMsPerRequest, p95Ms }) => [
        kind,
        who,
        cpuMsPerRequest?.toFixed(2) ?? '–',
        p95Ms.toFixed(1),
      ]),
    ])}\nCalls of strangers below ${MAX_STRANGER_MS} ms: ${passed ? 'yes' : 'NO'}`,
});

function get(path: string): BenchRequest {
  return { path: `/api/v1${path}` };
}

function post(path: string, body: object): BenchRequest {
  return { method: 'POST', path: `/api/v1${path}`, body };
}
