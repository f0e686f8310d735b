import { ask, readRunChanges } from '../history.ts';
import { ABOVE_SECONDS, PERIOD_SECONDS, roundAt } from './made-up-queue.ts';
import { TOKENS_PER_ANSWER } from './model-server.ts';

/** Every one a query that gives the ids of what is wrong, and the sentence that says so. */
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
    'events with some of their pictures',
    `SELECT e.id FROM "AlertEvent" e LEFT JOIN "StoredImage" s ON s."alertEventId" = e.id
     GROUP BY e.id HAVING count(s.id) NOT IN (0, 3)`,
  ],
  [
    'rules whose count differs from their events',
    `SELECT r.id FROM "AlertRule" r LEFT JOIN "AlertEvent" e ON e."ruleId" = r.id
     GROUP BY r.id HAVING r."triggerCount" <> count(e.id) OR r."lastTriggeredAt" IS DISTINCT FROM max(e."triggeredAt")`,
  ],
  [
    'insights that failed although their alert has pictures',
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
    'counters that differ from what was used',
    `SELECT q.id FROM "Quota" q
     LEFT JOIN "UsageEvent" u ON u.period = q.period AND u.feature = q.feature
       AND CASE q.scope WHEN 'user' THEN u."userId" ELSE u."deviceId" END = q."scopeId"
     GROUP BY q.id HAVING q.used <> coalesce(sum(u.quantity), 0)`,
  ],
];

/** @returns a sentence for each kind of fault there is */
export async function faultsOfAlerts(url: string, baseMs: number): Promise<string[]> {
  const faults: string[] = [];
  for (const [what, sql] of FAULTS) {
    const rows = await ask<{ id: string }>(url, sql);
    if (rows.length > 0) faults.push(`${rows.length} ${what}, e.g. ${rows[0]!.id}`);
  }
  return [...faults, ...(await faultsOfCrossings(url, baseMs))];
}

interface Crossing {
  readonly ruleId: string;
  readonly round: number;
}

/**
 * Each rule fires once in each round. A firing that died with its worker may be missing only where its successor first
 * looked when the line was gone already.
 */
async function faultsOfCrossings(url: string, baseMs: number): Promise<string[]> {
  const events = await ask<{ ruleId: string; sceneId: string; atMs: number }>(
    url,
    `SELECT "ruleId", "sceneId", extract(epoch FROM "triggeredAt")::float8 * 1000 AS "atMs" FROM "AlertEvent"`,
  );
  const fired = new Map<string, number>();
  const keyOf = ({ ruleId, round }: Crossing) => `${ruleId} in round ${round}`;
  let outside = 0;
  for (const { ruleId, sceneId, atMs } of events) {
    const { round, second } = roundAt(sceneId, atMs, baseMs);
    if (second >= ABOVE_SECONDS) outside++;
    const key = keyOf({ ruleId, round });
    fired.set(key, (fired.get(key) ?? 0) + 1);
  }
  const twice = [...fired].filter(([, times]) => times > 1).map(([key]) => key);
  const { watched, excused } = await watchedRounds(url, baseMs);
  const rules = await ask<{ id: string; sceneId: string }>(url, `SELECT id, "sceneId" FROM "AlertRule"`);
  const missing = rules.flatMap(({ id: ruleId, sceneId }) =>
    Array.from({ length: watched.get(sceneId) ?? 0 }, (_, round) => ({ ruleId, round }))
      .filter((crossing) => !fired.has(keyOf(crossing)) && !excused.has(`${sceneId}:${crossing.round}`))
      .map(keyOf),
  );
  const sentences: [string[] | number, string][] = [
    [twice, 'crossings fired twice'],
    [missing, 'crossings that still held never fired'],
    [outside, 'alerts fired while nobody waited'],
  ];
  return sentences.flatMap(([found, what]) => {
    const count = typeof found === 'number' ? found : found.length;
    return count === 0 ? [] : [`${count} ${what}${typeof found === 'number' ? '' : `, e.g. ${found[0]}`}`];
  });
}

/** How many whole rounds of each scene were watched, and in which a successor began after the line was gone. */
async function watchedRounds(url: string, baseMs: number) {
  const tasks = await ask<{ id: string; sceneId: string }>(url, `SELECT id, "sceneId" FROM "AnalysisTask"`);
  const sceneOf = new Map(tasks.map(({ id, sceneId }) => [id, sceneId]));
  const watched = new Map<string, number>();
  const excused = new Set<string>();
  const epochs = new Map<string, number>();
  for (const { taskId, epoch, frameMs } of await readRunChanges(url)) {
    const sceneId = sceneOf.get(taskId)!;
    const isSuccessor = epochs.has(taskId) && epochs.get(taskId) !== epoch;
    epochs.set(taskId, epoch);
    if (frameMs === null) continue;
    const { round, second } = roundAt(sceneId, frameMs, baseMs);
    watched.set(sceneId, Math.max(watched.get(sceneId) ?? 0, round));
    // Its first frame is the next second.
    if (isSuccessor && second + 1 >= ABOVE_SECONDS && second < PERIOD_SECONDS)
      excused.add(`${sceneId}:${round}`);
  }
  return { watched, excused };
}
