import { gzipSync } from 'node:zlib';
import { measuringCommand } from '../../support/measuring-command.ts';
import { eachWithProgress, table } from '../../support/terminal.ts';
import { type BenchRequest, measure } from './measure.ts';
import { type Places, readPlaces } from './places.ts';
import { withSeededApi } from './seeded-api.ts';

/** Most processor time of a call before the caller is known. */
const MAX_STRANGER_MS = 5;
/** Calls of a kind before it is measured. */
const WARM_UP = 20;

interface Attack {
  readonly kind: string;
  readonly request: BenchRequest;
  readonly expectStatus: number;
  /** A call that lasts is made so often, and not for a time. */
  readonly times?: number;
}

const names = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `nmae${at}${'x'.repeat(4)}`);
const keys = (count: number) => Object.fromEntries(names(count).map((name) => [name, 1]));
const YEARS = 'from=2016-01-01T00:00:00Z&to=2026-01-01T00:00:00Z';
const LARGEST = 250_000;
/** Node takes 16 KB of headers with the path. */
const LONGEST = 14_000;

/** Calls of somebody without a key. */
const STRANGER: readonly Attack[] = [
  { kind: 'body, 900 unknown keys', request: post('/session', keys(900)), expectStatus: 400 },
  {
    kind: 'body, 20 unknown keys of 700 letters',
    request: post('/session', Object.fromEntries(names(20).map((name) => [name.repeat(70), 1]))),
    expectStatus: 400,
  },
  ...[
    ['an address of 8,000 dots', { email: `${'a.'.repeat(8_000)}@x`, password: 'x' }],
    ['a code of 16,000 letters', { code: 'A-'.repeat(8_000) }],
    ['7,900 entries', { email: Array(7_900).fill(1), password: 'x' }],
  ].map(([what, body]) => ({
    kind: `body, ${String(what)}`,
    request: post('/session', body!),
    expectStatus: 400,
  })),
  ...[
    ['2,700 escapes', `{"email":"${'\\u0041'.repeat(2_700)}"}`],
    ['no JSON, blanks', `{"a":${' '.repeat(16_000)}`],
    ['no JSON, 8,000 commas', `[${', '.repeat(7_900)}]`],
  ].map(([what, body]) => ({ kind: `body, ${what}`, request: post('/session', body!), expectStatus: 400 })),
  { kind: 'body, 10,000 unknown keys', request: post('/session', keys(10_000)), expectStatus: 413 },
  { kind: 'body, 1,999 unknown keys', request: post('/session', keys(1_999)), expectStatus: 413 },
  {
    kind: 'body, 20 long unknown keys',
    request: post('/session', Object.fromEntries(names(20).map((name) => [name.repeat(1_000), 1]))),
    expectStatus: 413,
  },
  ...[['a text of 250 KB', { email: 'x'.repeat(LARGEST) }]].map(([what, body]) => ({
    kind: `body, ${String(what)}`,
    request: post('/session', body!),
    expectStatus: 413,
  })),
  ...[
    ['41,000 escapes', `{"email":"${'\\u0041'.repeat(41_000)}"}`],
    ['a number of 250,000 digits', `{"email":${'9'.repeat(LARGEST)}}`],
    ['no JSON, 250 KB of blanks', `{"a":${' '.repeat(LARGEST)}`],
    ['no JSON, 250,000 letters', 'x'.repeat(LARGEST)],
    ['no JSON, 9,900 commas with blanks', `[${', '.repeat(9_900)}]`],
  ].map(([what, body]) => ({ kind: `body, ${what}`, request: post('/session', body!), expectStatus: 413 })),
  {
    kind: 'body, 1 MB that was 1 KB',
    request: {
      ...post('/session', gzipSync('x'.repeat(1_000_000))),
      headers: { 'content-encoding': 'gzip' },
    },
    expectStatus: 413,
  },
  {
    kind: 'a code that does not exist',
    request: post('/session', { code: 'A'.repeat(25) }),
    expectStatus: 401,
  },
  {
    kind: 'query, 1,000 unknown parameters',
    request: get(`/setup?${names(1_000).join('&')}`),
    expectStatus: 400,
  },
  {
    kind: 'query, 100 long parameters',
    request: get(
      `/setup?${names(99)
        .map((name) => `${name}${'y'.repeat(125)}`)
        .join('&')}`,
    ),
    expectStatus: 400,
  },
  { kind: 'path, 300 letters', request: get(`/${'analytics/'.repeat(30)}`), expectStatus: 404 },
  { kind: 'path, 1,000 segments', request: get(`/${'a/'.repeat(1_000)}`), expectStatus: 404 },
  {
    kind: 'path, a segment of 14,000 letters',
    request: get(`/${'devicse'.repeat(LONGEST / 7)}`),
    expectStatus: 404,
  },
  {
    kind: 'path, 4,600 percent signs',
    request: get(`/devices/${'%41'.repeat(LONGEST / 3)}`),
    expectStatus: 401,
  },
  { kind: 'wrong key', request: { ...get('/devices'), key: `vas_${'x'.repeat(4_000)}` }, expectStatus: 401 },
  ...[
    ['authorization, 14,000 blanks', { authorization: `Bearer${'\t '.repeat(LONGEST / 2)}x` }],
    ['cookie, 3,500 cookies', { cookie: 'a=b;'.repeat(LONGEST / 4) }],
    ['cookie, a session that does not exist', { cookie: `vas=${'a'.repeat(43)}` }],
    ['accept, 3,500 types', { accept: 'a/b,'.repeat(LONGEST / 4) }],
    ['origin and request headers, 14,000 letters', { origin: `http://${'a.'.repeat(LONGEST / 2)}x` }],
  ].map(([kind, headers]) => ({
    kind: kind as string,
    request: { ...get('/devices'), headers: headers as Record<string, string> },
    expectStatus: 401,
  })),
  { kind: 'document, /openapi.json', request: get('/openapi.json'), expectStatus: 200 },
  {
    kind: 'page, 2,000 ranges',
    request: { path: '/', headers: { range: `bytes=${'0-1,'.repeat(2_000)}2-3` } },
    expectStatus: 200,
  },
];

const LETTERS = 'abcdefghij';
const searches: readonly (readonly [string, string])[] = [
  ['"long queue yesterday"', 'long queue yesterday'],
  ['"queue or" 55 times', 'queue or '.repeat(55)],
  ['"monday" 71 times', 'monday '.repeat(71)],
  ['"not" 125 times', 'not '.repeat(125)],
  [
    '100 unknown words',
    Array.from({ length: 100 }, (_, at) => `qx${LETTERS[Math.floor(at / 10)]}${LETTERS[at % 10]}`).join(' '),
  ],
];
const circle = (count: number) =>
  Array.from({ length: count }, (_, at) => {
    const angle = (2 * Math.PI * at) / count;
    return [0.5 + 0.4 * Math.cos(angle), 0.5 + 0.4 * Math.sin(angle)];
  });

/** Calls of somebody with a key. */
const withKey = (key: string, { scenes, site }: Pick<Places, 'scenes' | 'site'>): Attack[] =>
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
      kind: 'zones, a polygon of 4,900 points',
      request: post('/scenes', {
        config: { zones: { queueZone: { type: 'polygon', points: circle(4_900) } } },
      }),
      expectStatus: 400,
    },
    ...searches.map(([what, query]) => ({
      kind: `search text, ${what}`,
      request: post('/analysis/insights/search', { query: query.slice(0, 500).trim() }),
      expectStatus: 200,
    })),
    {
      kind: 'series of ten years by hour',
      request: get(`/analytics/scenes/${scenes[0]}/series?${YEARS}&bucket=1h`),
      expectStatus: 400,
    },
    ...[
      ['CSV of years, series of a scene by week', `/analytics/scenes/${scenes[0]}/series?${YEARS}&bucket=1w`],
      [
        'CSV of years, series of a site by week',
        `/analytics/sites/${site}/series?from=2023-01-01T00:00:00Z&to=2026-01-01T00:00:00Z&bucket=1w`,
      ],
      ['CSV of years, every visit', '/visits?from=2016-01-01T00:00:00Z'],
      [
        'heat map of a site, 400 days',
        `/analytics/sites/${site}/heatmap?from=2025-01-01T00:00:00Z&to=2026-02-04T00:00:00Z`,
      ],
      ['report of a week, JSON', `/reports/${site}?period=week`],
      ['report of a week, HTML', `/reports/${site}?period=week&format=html`],
      ['report of a week, CSV', `/reports/${site}?period=week&format=csv`],
      ['overview', '/overview'],
    ].map(([kind, path]) => ({
      kind: kind!,
      request: { ...get(path!), headers: kind!.startsWith('CSV') ? { accept: 'text/csv' } : {} },
      expectStatus: 200,
      ...(kind!.includes('every visit') && { times: 3 }),
    })),
  ].map(({ request, ...attack }) => ({ ...attack, request: { ...request, key } }));

export const hostile = measuringCommand({
  name: 'hostile',
  description:
    'Processor time of the API for the dearest call of each kind that we know, from strangers and with a key. A small ' +
    'database is seeded once into DATA_DIR/bench and kept.',
  options: { seconds: ['how long each call is measured', 5] },
  async measure({ seconds }) {
    return withSeededApi(
      'hostile_years',
      { devices: 10, minutes: 200_000, visits: 20_000 },
      async ({ api, databaseUrl, key }) => {
        const places = await readPlaces(databaseUrl);
        const attacks = [
          ...STRANGER.map((attack) => ({ ...attack, who: 'a stranger' })),
          ...withKey(key, places).map((attack) => ({ ...attack, who: 'a key' })),
        ];
        const results = await eachWithProgress('bench', attacks, 'calls', async (attack) => {
          const { kind, who, request, expectStatus, times } = attack;
          const each = { connections: 1, expectStatus };
          const repeated = (count: number) => ({
            requests: Array<BenchRequest>(count).fill(request),
            once: true as const,
          });
          if (times === undefined) await measure(api, { ...each, ...repeated(WARM_UP) });
          const measured = await measure(api, {
            ...each,
            ...(times === undefined ? { requests: [request], seconds } : repeated(times)),
          });
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

function post(path: string, body: object | string): BenchRequest {
  return { method: 'POST', path: `/api/v1${path}`, body };
}
