import { countUsers } from '../../billing/audit/audit.store.ts';
import type { CountName } from '../../catalogue/metrics/sums.ts';
import { KEPT } from '../../metrics/totals.ts';
import type { Db } from '../../platform/database/db.ts';
import {
  type AuditedScene,
  countScenes,
  countVisits,
  everyScene,
  findWrongQuarters,
  type SceneCounts,
} from './audit.store.ts';
import { bucketEdges, spansBetween } from './buckets.ts';
import { countArrivals, sumDecided } from './group-sums.store.ts';

/** Numbers of a scene that do not match. */
export interface HistoryDifference {
  readonly userId: string;
  readonly sceneId: string;
  readonly message: string;
}

export interface AuditOptions {
  /** Audits only the scenes of this user. */
  readonly email?: string | undefined;
  /** Called after each scene. */
  readonly onScene?: (done: number, total: number) => void;
}

const SCENE_MS = 10 * 60_000;

/**
 * Compares three sums of each scene with the stored rows: the quarters of an hour with their minutes, the totals with the
 * visits, and a series by months with the visits. Nodes may go on writing meanwhile.
 * @throws Error when there is no user with this email
 */
export async function auditHistory(
  db: Db,
  { email, onScene }: AuditOptions = {},
): Promise<{ scenes: number; differences: HistoryDifference[] }> {
  if (email !== undefined && (await countUsers(db, email)) === 0)
    throw new Error(`There is no user "${email}".`);
  const total = await countScenes(db, email);
  const differences: HistoryDifference[] = [];
  let scenes = 0;
  for await (const scene of everyScene(db, email)) {
    const messages = await auditScene(db, scene);
    differences.push(...messages.map((message) => ({ userId: scene.userId, sceneId: scene.id, message })));
    scenes += 1;
    onScene?.(scenes, total);
  }
  return { scenes, differences };
}

/** A series is read after the snapshot: where a node wrote in between, another look finds no difference. */
const LOOKS = 3;

async function auditScene(db: Db, { id }: AuditedScene): Promise<string[]> {
  let messages: string[] = [];
  for (let look = 0; look < LOOKS; look++) {
    messages = await lookAt(db, id);
    if (messages.length === 0) return [];
  }
  return messages;
}

async function lookAt(db: Db, id: string): Promise<string[]> {
  const { quarters, ofVisits, ofTotals, first, last } = await db.$transaction(
    async (tx) => ({ quarters: await findWrongQuarters(tx, id), ...(await countVisits(tx, id)) }),
    { isolationLevel: 'RepeatableRead', timeout: SCENE_MS },
  );
  const ofSeries =
    first && last && (await countSeries(db, id, { fromMs: first.getTime(), toMs: last.getTime() + 1 }));
  const [wrong] = quarters;
  const ofQuarters = wrong
    ? [
        `${quarters.length} quarters of an hour are not the sum of their minutes, first ${wrong.quarter.toISOString()}`,
      ]
    : [];
  return [
    ...ofQuarters,
    ...(ofTotals ? compare('in the totals', ofTotals, ofVisits) : []),
    ...(ofSeries ? compare('in a series by months', ofSeries, ofVisits) : []),
  ];
}

/** The sums of a series by months over the time with visits. */
async function countSeries(
  db: Db,
  sceneId: string,
  range: { fromMs: number; toMs: number },
): Promise<SceneCounts> {
  const months = spansBetween(bucketEdges('1mo', { ...range, timezone: 'UTC' }));
  const spans = months.map((month, group) => ({ ...month, group }));
  const [decided, arrivals] = await Promise.all([
    sumDecided(db, [sceneId], { spans }),
    countArrivals(db, [sceneId], { spans }),
  ]);
  const sum = <Row>(rows: readonly Row[], countOf: (row: Row) => number) =>
    rows.reduce((all, row) => all + countOf(row), 0);
  return {
    ...(Object.fromEntries(KEPT.map((name) => [name, sum(decided, (row) => row[name])])) as Record<
      CountName,
      number
    >),
    arrivals: sum(arrivals, (row) => row.arrivals),
    waits: sum(decided, (row) => row.waitCount),
    services: sum(decided, (row) => row.serviceCount),
  };
}

const compare = (what: string, counts: SceneCounts, ofVisits: SceneCounts): string[] =>
  (Object.keys(ofVisits) as (keyof SceneCounts)[])
    .filter((name) => counts[name] !== ofVisits[name])
    .map((name) => `${name}: ${counts[name]} ${what}, ${ofVisits[name]} by the visits`);
