import { ApiError } from '../../http/errors.ts';
import type { Db } from '../../platform/database/db.ts';
import { Prisma, type Severity } from '../../platform/prisma-client/client.ts';
import { BOUNDS, boundsIn, type Conditions, type NamedPlace, type ParsedQuery } from './filters.ts';
import { allOf } from './tsquery.ts';

const MOST_PLACES = 2_000;
/** A common word does not help the ranking, so only the newest matches are ranked. */
const MOST_RANKED = 5_000;
/** A search that takes longer is cancelled. */
const TIMEOUT_MS = 10_000;
/** PostgreSQL's code of a cancelled statement. */
const QUERY_CANCELED = '57014';

/** The user’s devices and scenes that a query may name. Recordings have no insights. */
export async function findPlaces(db: Db, userId: string): Promise<NamedPlace[]> {
  const query = {
    where: { userId, deletedAt: null, recording: null },
    orderBy: { createdAt: 'desc' as const },
    take: MOST_PLACES,
  };
  const zones = {
    timezone: true,
    sites: { select: { site: { select: { timezone: true } } }, take: 1 },
  } as const;
  const named = { id: true, name: true } as const;
  const [devices, scenes] = await Promise.all([
    db.device.findMany({ ...query, select: { ...named, ...zones } }),
    db.scene.findMany({ ...query, select: { ...named, device: { select: zones } } }),
  ]);
  return [
    ...devices.map(({ id, name, ...device }) => ({
      kind: 'device' as const,
      id,
      name,
      timezone: zoneOf(device),
    })),
    ...scenes.map(({ id, name, device }) => ({ kind: 'scene' as const, id, name, timezone: zoneOf(device) })),
  ];
}

/** The zone of the clock at a device: its own, else that of its site. */
const zoneOf = (device: {
  timezone: string | null;
  /** Null where the site is deleted while its relations are read. */
  sites: { site: { timezone: string } | null }[];
}): string | null => device.timezone ?? device.sites[0]?.site?.timezone ?? null;

/** How a user writes: zone and language, each null where the user has set none. */
export const findCustoms = (
  db: Db,
  userId: string,
): Promise<{ timezone: string | null; locale: string | null }> =>
  db.user.findUniqueOrThrow({ where: { id: userId }, select: { timezone: true, locale: true } });

/** The conditions of a search; its keywords are searched by the text query. */
export interface SearchFilter extends Omit<Conditions, 'keywords'>, Pick<ParsedQuery, 'excluded'> {
  readonly deviceId?: string | undefined;
  readonly sceneId?: string | undefined;
  /** In addition to the query’s own severity. */
  readonly onlySeverity?: Severity | undefined;
}

/**
 * Finds matching insights, best first, ranked by the text query.
 * @param tsquery empty for no words
 * @throws ApiError SERVICE_UNAVAILABLE when it takes too long
 */
export async function findMatches(
  db: Db,
  userId: string,
  {
    filter,
    tsquery,
    limit,
    timeoutMs = TIMEOUT_MS,
  }: { filter: SearchFilter; tsquery: string; limit: number; timeoutMs?: number },
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
    inTime<{ id: string }[]>(db, matches, timeoutMs),
    inTime<[{ total: number }]>(
      db,
      Prisma.sql`SELECT count(*)::int AS total FROM "Insight" WHERE ${where}`,
      timeoutMs,
    ),
  ]);
  return { ids: found.map(({ id }) => id), total: counted.total };
}

async function inTime<Rows>(db: Db, query: Prisma.Sql, timeoutMs: number): Promise<Rows> {
  try {
    const [, rows] = await db.$transaction([
      db.$executeRaw`SELECT set_config('statement_timeout', ${String(timeoutMs)}, true)`,
      db.$queryRaw<Rows>(query),
    ]);
    return rows;
  } catch (error) {
    if (!String(error).includes(QUERY_CANCELED)) throw error;
    throw new ApiError(
      'SERVICE_UNAVAILABLE',
      `The search took longer than ${timeoutMs / 1000} s: name a shorter time or fewer words`,
    );
  }
}

function* conditionsOf(userId: string, filter: SearchFilter): Generator<Prisma.Sql> {
  yield Prisma.sql`"userId" = ${userId}::uuid`;
  yield Prisma.sql`"deletedAt" IS NULL`;
  if (filter.deviceId) yield Prisma.sql`"deviceId" = ${filter.deviceId}::uuid`;
  if (filter.sceneId) yield Prisma.sql`"sceneId" = ${filter.sceneId}::uuid`;
  if (filter.onlySeverity) yield Prisma.sql`severity = ${filter.onlySeverity}::"Severity"`;
  yield* saidOf(userId, { ...filter, keywords: [] });
  for (const group of filter.excluded) {
    const all = [...saidOf(userId, group)];
    // An unknown value, such as a missing risk level, is not excluded.
    if (all.length > 0) yield Prisma.sql`(${Prisma.join(all, ' AND ')}) IS NOT TRUE`;
  }
}

function* saidOf(userId: string, said: Conditions): Generator<Prisma.Sql> {
  const { severity, riskLevel, startDate, endDate, places, keywords, quantities } = said;
  if (severity) yield Prisma.sql`severity = ${severity}::"Severity"`;
  if (startDate) yield Prisma.sql`"triggeredAt" >= ${startDate}`;
  if (endDate) yield Prisma.sql`"triggeredAt" < ${endDate}`;
  if (riskLevel.length > 0) yield Prisma.sql`"riskLevel" = ANY(${[...riskLevel]}::"RiskLevel"[])`;
  for (const mention of together(places)) {
    const idsOf = (wanted: NamedPlace['kind']) =>
      mention.flatMap(({ kind, id }) => (kind === wanted ? [id] : []));
    yield Prisma.sql`("deviceId" = ANY(${idsOf('device')}::uuid[]) OR "sceneId" = ANY(${idsOf('scene')}::uuid[]))`;
  }
  const words = allOf(keywords);
  if (words !== '') yield Prisma.sql`"searchVector" @@ to_tsquery('insight_words', ${words})`;
  for (const [measure, bounds] of Object.entries(quantities)) {
    const column = Prisma.raw(measure === 'persons' ? '"personCount"' : `"${measure}"`);
    const within = boundsIn(bounds).map(
      ([name, value]) => Prisma.sql`${column} ${Prisma.raw(BOUNDS[name].sql)} ${value}`,
    );
    if (within.length === 0) continue;
    const all = Prisma.join(within, ' AND ');
    if (measure === 'persons') yield all;
    else
      yield Prisma.sql`"alertEventId" IN (
        SELECT id FROM "AlertEvent" WHERE "userId" = ${userId}::uuid AND "deletedAt" IS NULL AND ${all})`;
  }
}

/** "Till 3 and till 4" means either place; "the queue of till 3" means both, a scene of a device. */
function together(places: Conditions['places']): NamedPlace[][] {
  const byKinds = new Map<string, NamedPlace[]>();
  for (const mention of places) {
    const kinds = [...new Set(mention.map(({ kind }) => kind))].sort().join();
    byKinds.set(kinds, [...(byKinds.get(kinds) ?? []), ...mention]);
  }
  return [...byKinds.values()];
}
