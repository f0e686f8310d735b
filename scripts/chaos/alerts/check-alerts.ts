import type { Installation } from '../../support/installation.ts';
import { readRunChanges } from '../history/history.ts';
import { ABOVE_SECONDS, PERIOD_SECONDS, roundAt } from './made-up-queue.ts';
import { TOKENS_PER_ANSWER } from './model-server.ts';

/** Queries for the ids of wrong rows, each with the words for them. */
const FAULTS: readonly (readonly [what: string, sql: string])[] = [
  [
    'events without exactly one insight',
    `SELECT e.id FROM "AlertEvent" e LEFT JOIN "Insight" i ON i."alertEventId" = e.id GROUP BY e.id HAVING count(i.id) <> 1`,
  ],
  [
    'events without exactly one alert_triggered',
    `SELECT e.id FROM "AlertEvent" e
     LEFT JOIN "Event" t ON t."alertEventId" = e.id AND t.type = 'alert_triggered' GROUP BY e.id HAVING count(t.id) <> 1`,
  ],
  [
    'events not charged exactly once',
    `SELECT e.id FROM "AlertEvent" e LEFT JOIN "UsageEvent" u ON u.feature = 'alert' AND u."sourceId" = 'alert:' || e.id
     GROUP BY e.id HAVING count(u.id) <> 1 OR sum(u.quantity) <> 1`,
  ],
  [
    'events with some of their images',
    `SELECT e.id FROM "AlertEvent" e LEFT JOIN "StoredImage" s ON s."alertEventId" = e.id
     GROUP BY e.id HAVING count(s.id) NOT IN (0, 3)`,
  ],
  [
    'rules whose count differs from their events',
    `SELECT r.id FROM "AlertRule" r LEFT JOIN "AlertEvent" e ON e."ruleId" = r.id
     GROUP BY r.id HAVING r."triggerCount" <> count(e.id) OR r."lastTriggeredAt" IS DISTINCT FROM max(e."triggeredAt")`,
  ],
  [
    'insights that failed although their alert has images',
    `SELECT i.id FROM "Insight" i WHERE i."vlmStatus" = 'failed'
       AND (i."vlmError" <> 'SNAPSHOT_MISSING'
            OR EXISTS (SELECT 1 FROM "StoredImage" s WHERE s."alertEventId" = i."alertEventId"))`,
  ],
  ['firings that were never recorded', `SELECT id FROM "Firing"`],
  [
    'insights pending past their deadline',
    `SELECT id FROM "Insight" WHERE "vlmStatus" = 'pending' AND "vlmDeadlineAt" < clock_timestamp()`,
  ],
  [
    'insights whose tokens are not billed exactly once',
    `SELECT i.id FROM "Insight" i
     LEFT JOIN "UsageEvent" u ON u.feature = 'vlm' AND split_part(u."sourceId", ':', 2) = i.id::text
     GROUP BY i.id HAVING coalesce(sum(u.quantity), 0)
       <> CASE WHEN i."vlmStatus" = 'completed' THEN ${TOKENS_PER_ANSWER} ELSE 0 END`,
  ],
  [
    'counters that differ from the usage',
    `SELECT q.id FROM "Quota" q
     LEFT JOIN "UsageEvent" u ON u.period = q.period AND u.feature = q.feature
       AND CASE q.scope WHEN 'user' THEN u."userId" ELSE u."deviceId" END = q."scopeId"
     GROUP BY q.id HAVING q.used <> coalesce(sum(u.quantity), 0)`,
  ],
];

/** @returns a sentence for each kind of fault that was found */
export async function faultsOfAlerts(installation: Installation, baseMs: number): Promise<string[]> {
  const faults: string[] = [];
  for (const [what, sql] of FAULTS) {
    const rows = await installation.query<{ id: string }>(sql);
    if (rows.length > 0) faults.push(`${rows.length} ${what}, e.g. ${rows[0]!.id}`);
  }
  return [...faults, ...(await faultsOfCrossings(installation, baseMs))];
}

interface Crossing {
  readonly ruleId: string;
  readonly round: number;
}

/**
 * Each rule must fire once in each round. A firing may be missing only where its worker was killed and the next worker's
 * first frame came when the line was gone already.
 */
async function faultsOfCrossings(installation: Installation, baseMs: number): Promise<string[]> {
  const events = await installation.query<{ ruleId: string; sceneId: string; atMs: number }>(
    `SELECT "ruleId", "sceneId", extract(epoch FROM "triggeredAt")::float8 * 1000 AS "atMs" FROM "AlertEvent"`,
  );
  const fired = new Map<string, number>();
  const keyOf = ({ ruleId, round }: Crossing) => `${ruleId} in round ${round}`;
  const outside: string[] = [];
  for (const { ruleId, sceneId, atMs } of events) {
    const { round, second } = roundAt(sceneId, atMs, baseMs);
    const key = keyOf({ ruleId, round });
    if (second >= ABOVE_SECONDS) outside.push(key);
    fired.set(key, (fired.get(key) ?? 0) + 1);
  }
  const twice = [...fired].filter(([, times]) => times > 1).map(([key]) => key);
  const { watched, excused } = await watchedRounds(installation, baseMs);
  const rules = await installation.query<{ id: string; sceneId: string }>(
    `SELECT id, "sceneId" FROM "AlertRule"`,
  );
  const missing = rules.flatMap(({ id: ruleId, sceneId }) =>
    Array.from({ length: watched.get(sceneId) ?? 0 }, (_, round) => ({ ruleId, round }))
      .filter((crossing) => !fired.has(keyOf(crossing)) && !excused.has(`${sceneId}:${crossing.round}`))
      .map(keyOf),
  );
  const found: [string[], string][] = [
    [twice, 'crossings fired twice'],
    [missing, 'crossings that still held never fired'],
    [outside, 'alerts fired while nobody waited'],
  ];
  return found.flatMap(([keys, what]) =>
    keys.length === 0 ? [] : [`${keys.length} ${what}, e.g. ${keys[0]}`],
  );
}

/** How many whole rounds of each scene were analysed, and the rounds in which a worker began after the line was gone. */
async function watchedRounds(installation: Installation, baseMs: number) {
  const tasks = await installation.query<{ id: string; sceneId: string }>(
    `SELECT id, "sceneId" FROM "AnalysisTask"`,
  );
  const sceneOf = new Map(tasks.map(({ id, sceneId }) => [id, sceneId]));
  const watched = new Map<string, number>();
  const excused = new Set<string>();
  const epochs = new Map<string, number>();
  for (const { taskId, epoch, frameMs } of await readRunChanges(installation)) {
    const sceneId = sceneOf.get(taskId)!;
    const isSuccessor = epochs.has(taskId) && epochs.get(taskId) !== epoch;
    epochs.set(taskId, epoch);
    if (frameMs === null) continue;
    const { round, second } = roundAt(sceneId, frameMs, baseMs);
    watched.set(sceneId, Math.max(watched.get(sceneId) ?? 0, round));
    // The worker's first frame is one second later.
    if (isSuccessor && second + 1 >= ABOVE_SECONDS && second < PERIOD_SECONDS)
      excused.add(`${sceneId}:${round}`);
  }
  return { watched, excused };
}
