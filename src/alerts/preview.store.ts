import type { Db } from '../platform/database/db.ts';

export interface StoredSnapshot {
  readonly windowStart: Date;
  readonly windowEnd: Date;
  readonly numbers: Uint8Array | null;
  readonly currentMetrics: unknown;
}

export interface StoredWindow {
  readonly windowType: string;
  readonly windowEnd: Date;
  readonly numbers: Uint8Array | null;
  readonly metrics: unknown;
}

/** The scene, or the scenes of the site, oldest first; none when they are not the user's. */
export function findScenesToWatch(
  db: Db,
  userId: string,
  { sceneId, siteId }: { sceneId?: string | undefined; siteId?: string | undefined },
): Promise<{ id: string; name: string; device: { name: string } }[]> {
  // Without either, Prisma would find every scene of the user.
  const place =
    siteId === undefined
      ? { id: { in: sceneId === undefined ? [] : [sceneId] } }
      : { device: { deletedAt: null, sites: { some: { siteId, site: { userId } } } } };
  return db.scene.findMany({
    where: { userId, deletedAt: null, ...place },
    select: { id: true, name: true, device: { select: { name: true } } },
    orderBy: { id: 'asc' },
  });
}

/** @returns null when the user has no such site */
export const hasSite = (db: Db, userId: string, id: string): Promise<{ id: string } | null> =>
  db.site.findFirst({ where: { id, userId }, select: { id: true } });

interface Period {
  readonly startDate: Date;
  readonly endDate: Date;
}

/** Half a day has 4,320 snapshots. */
const PART_MS = 43_200_000;

/** Rows of a period, read in parts: packed rows are opened when their part is read. */
async function* inParts<Row>(
  { startDate, endDate }: Period,
  read: (part: Period) => Promise<Row[]>,
): AsyncGenerator<Row> {
  for (let from = startDate; from < endDate; ) {
    const to = new Date(Math.min(from.getTime() + PART_MS, endDate.getTime()));
    yield* await read({ startDate: from, endDate: to });
    from = to;
  }
}

/** Snapshots of a scene whose `windowEnd` lies in the period, oldest first. */
export const readSnapshots = (db: Db, sceneId: string, period: Period): AsyncGenerator<StoredSnapshot> =>
  inParts(
    period,
    ({ startDate, endDate }) => db.$queryRaw`
      SELECT "windowStart", "windowEnd", numbers, "currentMetrics"
      FROM all_snapshots(${sceneId}::uuid, ${startDate}, ${endDate}) ORDER BY "windowEnd"`,
  );

/** Rolling records of these window types, oldest first. */
export async function readWindows(
  db: Db,
  { sceneId, windowTypes }: { sceneId: string; windowTypes: string[] },
  period: Period,
): Promise<StoredWindow[]> {
  const windows: StoredWindow[] = [];
  const parts = inParts<StoredWindow>(
    period,
    ({ startDate, endDate }) => db.$queryRaw`
      SELECT "windowType", "windowEnd", numbers, metrics
      FROM all_rolling(${sceneId}::uuid, ${windowTypes}::text[], ${startDate}, ${endDate}) ORDER BY "windowEnd"`,
  );
  for await (const window of parts) windows.push(window);
  return windows;
}
