import { within } from '../http/fields.ts';
import { type Page, type PageQuery, pageOf, rowsOf } from '../http/paging.ts';
import type { Db } from '../platform/database/db.ts';
import { Prisma } from '../platform/prisma-client/client.ts';
import type { ListInsights, ListSummaries } from './schema.ts';

const name = { select: { name: true } } as const;
const images = {
  orderBy: [{ index: 'asc' }, { kind: 'asc' }],
  select: { kind: true, objectKey: true },
} as const satisfies Prisma.StoredImageFindManyArgs;

const measured = {
  ...{ message: true, metricPath: true, operator: true, threshold: true, actualValue: true },
} as const;

const WITH_NAMES = {
  include: { device: name, scene: name, alertEvent: { select: { ...measured, images } } },
} as const satisfies Prisma.InsightFindManyArgs;
export type InsightRow = Prisma.InsightGetPayload<typeof WITH_NAMES>;

const WITH_ALERT = {
  include: {
    device: name,
    scene: name,
    alertEvent: {
      select: {
        ...measured,
        computeNodeId: true,
        images,
      },
    },
  },
} as const satisfies Prisma.InsightFindManyArgs;
export type InsightDetailRow = Prisma.InsightGetPayload<typeof WITH_ALERT>;

export function findInsight(db: Db, userId: string, id: string): Promise<InsightDetailRow | null> {
  return db.insight.findFirst({ where: { id, userId, deletedAt: null }, ...WITH_ALERT });
}

/** Insights by id, in the order of the ids. */
export async function readInsights(db: Db, userId: string, ids: readonly string[]): Promise<InsightRow[]> {
  if (ids.length === 0) return [];
  const rows = await db.insight.findMany({ where: { id: { in: [...ids] }, userId }, ...WITH_NAMES });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Lists insights, newest first. */
export async function listInsights(db: Db, userId: string, query: ListInsights): Promise<Page<InsightRow>> {
  const conditions = [
    ...placeAndTime(userId, query),
    ...(query.severity ? [Prisma.sql`severity = ${query.severity}::"Severity"`] : []),
    ...(query.vlmStatus ? [Prisma.sql`"vlmStatus" = ${query.vlmStatus}::"VlmStatus"`] : []),
    ...(query.hasVlmSummary ? [Prisma.sql`"vlmSummary" IS NOT NULL`] : []),
    ...(query.hasAttributes ? [Prisma.sql`"hasAttributes"`] : []),
  ];
  return findMatching(db, userId, { conditions, page: query });
}

/** Lists insights with a summary, newest first. */
export async function listSummaries(db: Db, userId: string, query: ListSummaries): Promise<Page<InsightRow>> {
  const conditions = [...placeAndTime(userId, query), Prisma.sql`"vlmSummary" IS NOT NULL`];
  return findMatching(db, userId, { conditions, page: query });
}

function placeAndTime(userId: string, query: ListSummaries): Prisma.Sql[] {
  const { gte, lt } = within(query) ?? {};
  return [
    Prisma.sql`"userId" = ${userId}::uuid`,
    Prisma.sql`"deletedAt" IS NULL`,
    ...(query.deviceId ? [Prisma.sql`"deviceId" = ${query.deviceId}::uuid`] : []),
    ...(query.sceneId ? [Prisma.sql`"sceneId" = ${query.sceneId}::uuid`] : []),
    ...(gte ? [Prisma.sql`"triggeredAt" >= ${gte}`] : []),
    ...(lt ? [Prisma.sql`"triggeredAt" < ${lt}`] : []),
    ...(query.q ? [Prisma.sql`"searchVector" @@ websearch_to_tsquery('insight_words', ${query.q})`] : []),
  ];
}

interface Selection {
  readonly conditions: readonly Prisma.Sql[];
  readonly page: PageQuery & { readonly q?: string | undefined };
}

async function findMatching(
  db: Db,
  userId: string,
  { conditions, page }: Selection,
): Promise<Page<InsightRow>> {
  const where = Prisma.join([...conditions], ' AND ');
  if (page.q) {
    const { ids, total } = await matches(db, where, page);
    return { items: await readInsights(db, userId, ids), total };
  }
  // Counting takes longest, so both queries run at the same time.
  return pageOf(
    newestIds(db, where, page).then((ids) => readInsights(db, userId, ids)),
    count(db, where),
  );
}

/** Read from an index alone, as the total is. */
async function newestIds(db: Db, where: Prisma.Sql, page: PageQuery): Promise<string[]> {
  const { skip, take } = rowsOf(page);
  const found = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM "Insight" WHERE ${where}
    ORDER BY "triggeredAt" DESC, id DESC LIMIT ${take} OFFSET ${skip}`;
  return found.map(({ id }) => id);
}

async function count(db: Db, where: Prisma.Sql): Promise<number> {
  const [counted] = await db.$queryRaw<[{ total: number }]>`
    SELECT count(*)::int AS total FROM "Insight" WHERE ${where}`;
  return counted.total;
}

/** Every row with the words must be visited, so one query gives both the page and the total. */
async function matches(
  db: Db,
  where: Prisma.Sql,
  page: PageQuery,
): Promise<{ ids: string[]; total: number }> {
  const { skip, take } = rowsOf(page);
  const [row] = await db.$queryRaw<[{ ids: string[]; total: number }]>`
    WITH found AS MATERIALIZED (SELECT id, "triggeredAt" FROM "Insight" WHERE ${where})
    SELECT (SELECT count(*) FROM found)::int AS total,
      ARRAY(SELECT id FROM found ORDER BY "triggeredAt" DESC, id DESC LIMIT ${take} OFFSET ${skip}) AS ids`;
  return row;
}
