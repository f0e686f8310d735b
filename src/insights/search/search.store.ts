import type { Db } from '../../platform/db.ts';
import { Prisma } from '../../platform/prisma-client/client.ts';
import type { ParsedQuery } from './parse-query.ts';
import type { NamedPlace } from './read-places.ts';

const MOST_PLACES = 2_000;
/** A word that most texts have ranks nothing: of so many matches the newest are ranked. */
const MOST_RANKED = 5_000;

/** The user’s devices and scenes that a query may name. */
export async function findPlaces(db: Db, userId: string): Promise<NamedPlace[]> {
  const query = {
    where: { userId, deletedAt: null },
    select: { id: true, name: true },
    orderBy: { createdAt: 'desc' as const },
    take: MOST_PLACES,
  };
  const [devices, scenes] = await Promise.all([db.device.findMany(query), db.scene.findMany(query)]);
  return [
    ...devices.map(({ id, name }) => ({ kind: 'device' as const, id, name })),
    ...scenes.map(({ id, name }) => ({ kind: 'scene' as const, id, name })),
  ];
}

export interface SearchFilter extends Omit<ParsedQuery, 'activityKeywords'> {
  readonly deviceId?: string | undefined;
  readonly sceneId?: string | undefined;
  /** Beside the query’s own. */
  readonly onlySeverity?: 'warning' | 'critical' | undefined;
}

/** Matches of a filter, best first; with a text query ranked by it. @param tsquery empty: no words are looked for */
export async function findMatches(
  db: Db,
  userId: string,
  { filter, tsquery, limit }: { filter: SearchFilter; tsquery: string; limit: number },
): Promise<{ ids: string[]; total: number }> {
  const words = Prisma.sql`to_tsquery('insight_words', ${tsquery})`;
  const conditions = [...conditionsOf(userId, filter)];
  if (tsquery !== '') conditions.push(Prisma.sql`"searchVector" @@ ${words}`);
  const where = Prisma.join(conditions, ' AND ');
  const newest = Prisma.sql`ORDER BY "triggeredAt" DESC, id DESC`;
  const matches =
    tsquery === ''
      ? Prisma.sql`SELECT id FROM "Insight" WHERE ${where} ${newest} LIMIT ${limit}`
      : Prisma.sql`
          SELECT id FROM (
            SELECT id, "triggeredAt", ts_rank("searchVector", ${words}) AS rank FROM "Insight"
            WHERE ${where} ${newest} LIMIT ${MOST_RANKED}
          ) AS newest ORDER BY rank DESC, "triggeredAt" DESC, id DESC LIMIT ${limit}`;
  const [found, [counted]] = await Promise.all([
    db.$queryRaw<{ id: string }[]>(matches),
    db.$queryRaw<[{ total: number }]>`SELECT count(*)::int AS total FROM "Insight" WHERE ${where}`,
  ]);
  return { ids: found.map(({ id }) => id), total: counted.total };
}

function* conditionsOf(userId: string, filter: SearchFilter): Generator<Prisma.Sql> {
  yield Prisma.sql`"userId" = ${userId}::uuid`;
  yield Prisma.sql`"deletedAt" IS NULL`;
  if (filter.deviceId) yield Prisma.sql`"deviceId" = ${filter.deviceId}::uuid`;
  if (filter.sceneId) yield Prisma.sql`"sceneId" = ${filter.sceneId}::uuid`;
  if (filter.onlySeverity) yield Prisma.sql`severity = ${filter.onlySeverity}::"Severity"`;
  if (filter.severity) yield Prisma.sql`severity = ${filter.severity}::"Severity"`;
  if (filter.startDate) yield Prisma.sql`"triggeredAt" >= ${filter.startDate}`;
  if (filter.endDate) yield Prisma.sql`"triggeredAt" < ${filter.endDate}`;
  if (filter.minPersons !== undefined) yield Prisma.sql`"personCount" >= ${filter.minPersons}`;
  if (filter.riskLevel.length > 0)
    yield Prisma.sql`"riskLevel" = ANY(${[...filter.riskLevel]}::"RiskLevel"[])`;
  for (const mention of filter.places) {
    const idsOf = (wanted: NamedPlace['kind']) =>
      mention.flatMap(({ kind, id }) => (kind === wanted ? [id] : []));
    yield Prisma.sql`("deviceId" = ANY(${idsOf('device')}::uuid[]) OR "sceneId" = ANY(${idsOf('scene')}::uuid[]))`;
  }
}
