import { API_ROUTES } from '../../../src/app.ts';
import type { SeededKey } from '../../seed/people.ts';
import { COMMON_WORD, TERMS } from '../../seed/words.ts';
import { query } from '../../support/sql.ts';
import type { BenchRequest } from './measure.ts';

/** The aims of the cases: 95th percentile in ms. */
const FIRST_PAGE_P95_MS = 50;
const SEARCH_P95_MS = 100;
/** The built-in parser understands these searches. */
const PLAIN_WORDS_P95_MS = 150;

/** Requests of one kind, all for the largest user. */
export interface BenchCase {
  readonly name: string;
  readonly requests: readonly BenchRequest[];
  /** The aim; null where there is none. */
  readonly maxP95Ms: number | null;
}

/** Ids for the requests. */
export interface BenchRows {
  readonly key: string;
  /** Of the largest user. */
  readonly scenes: readonly string[];
  /** The one with the most snapshots. */
  readonly largestScene: string;
  /** Every scene of all users, with the key of its owner. */
  readonly idle: readonly { readonly sceneId: string; readonly deviceId: string; readonly key: string }[];
}

export async function readRows(databaseUrl: string, keys: readonly SeededKey[]): Promise<BenchRows> {
  const largest = keys[0]!;
  const keyOf = new Map(keys.map(({ userId, key }) => [userId, key]));
  const rows = await query<{ id: string; deviceId: string; userId: string }>(
    databaseUrl,
    `SELECT id, "deviceId", "userId" FROM "Scene" WHERE "deletedAt" IS NULL AND "userId" = ANY($1)
     ORDER BY "createdAt", id`,
    [[...keyOf.keys()]],
  );
  const scenes = rows.filter(({ userId }) => userId === largest.userId).map(({ id }) => id);
  return {
    key: largest.key,
    scenes,
    largestScene: scenes[0]!,
    idle: rows.map(({ id, deviceId, userId }) => ({ sceneId: id, deviceId, key: keyOf.get(userId)! })),
  };
}

const API = '/api/v1';

export const detailRequests = ({ scenes, key }: BenchRows): BenchRequest[] =>
  scenes.map((id) => ({ path: `${API}/scenes/${id}`, key }));

export const startRequests = ({ idle }: BenchRows): BenchRequest[] =>
  idle.map(({ deviceId, sceneId, key }) => ({
    method: 'POST',
    path: `${API}/devices/${deviceId}/analysis/start`,
    key,
    body: { sceneId },
  }));

/** Searches as people write them: a thing alone, a thing with time, place, number or risk, and these without a thing. */
const QUESTIONS = [
  ...TERMS.map(({ word, phrase }, at) => {
    const forms = [
      word,
      `${phrase} last week`,
      `critical alerts with ${phrase}`,
      `${word} near the entrance in the last 30 days`,
      `high risk with ${phrase} and at least four people`,
    ];
    return forms[at % forms.length]!;
  }),
  'critical alerts at the main entrance yesterday evening with more than five people',
  'warnings on Monday between 9 and 11 am',
  'high or critical risk last night',
  'what happened this morning',
  'at least six people last weekend',
  'waiting in a crowded foyer',
  'somebody reading a phone in a dim corridor',
  'gestern Abend mit mehr als fünf Personen',
  'kritische Alarme letzte Woche',
  'hier soir plus de cinq personnes',
  'alertas críticas de la semana pasada',
  'la settimana scorsa almeno 4 persone',
  'вчера вечером больше 5 человек',
  '昨天晚上超过5个人',
  '先週',
  'vorige week',
  'semana passada com pelo menos 3 pessoas',
  'last month',
  'in the last three days',
  'dangerous situations since Friday',
];

/** The first page of every list of the API, deep pages, and full text. */
export function readCases({ key, largestScene }: BenchRows): BenchCase[] {
  const get = (name: string, path: string, maxP95Ms: number | null = FIRST_PAGE_P95_MS): BenchCase => ({
    name,
    requests: [{ path: `${API}${path}`, key }],
    maxP95Ms,
  });
  const searching = (
    name: string,
    queries: readonly string[],
    maxP95Ms: number | null = null,
  ): BenchCase => ({
    name,
    requests: queries.map((query) => ({
      ...{ method: 'POST', path: `${API}/analysis/insights/search`, key, body: { query } },
    })),
    maxP95Ms,
  });
  const lists = API_ROUTES.filter(
    ({ paging, path, scope }) => paging && !path.includes('{') && scope !== 'admin',
  );
  return [
    ...lists.map(({ path }) =>
      get(
        `${path.slice(1)}, first page`,
        path.startsWith('/analytics/') ? `${path}?sceneId=${largestScene}` : path,
      ),
    ),
    get('analysis/alerts, page 1,000', '/analysis/alerts?page=1000', null),
    get('analysis/insights, page 1,000', '/analysis/insights?page=1000', null),
    get('analytics/snapshots, page 1,000', `/analytics/snapshots?sceneId=${largestScene}&page=1000`, null),
    get('analytics/scenes/{id}/latest', `/analytics/scenes/${largestScene}/latest`),
    get('analysis/alerts/stats, 7 days', '/analysis/alerts/stats', null),
    {
      name: `analysis/insights, q of ${TERMS.length} terms`,
      requests: TERMS.map(({ word }) => ({ path: `${API}/analysis/insights?q=${word}`, key })),
      maxP95Ms: SEARCH_P95_MS,
    },
    searching(`analysis/insights/search, ${QUESTIONS.length} questions`, QUESTIONS, PLAIN_WORDS_P95_MS),
    searching('analysis/insights/search, a word in half of all', [COMMON_WORD]),
    get('analysis/insights, q in half of all', `/analysis/insights?q=${COMMON_WORD}`, null),
  ];
}
