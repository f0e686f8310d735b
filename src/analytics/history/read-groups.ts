import type { Sums } from '../../catalogue/metrics/sums.ts';
import { NO_TIME, NO_VISITS } from '../../metrics/sums.ts';
import type { Db } from '../../platform/database/db.ts';
import { countArrivals, type SummedFor, sumDecided, sumOccupancy } from './group-sums.store.ts';

/**
 * The sums of the groups 0 to `count − 1` over the scenes. At most three statements, whatever the number of groups and scenes.
 * @param options.metrics whose sums are read; the others stay 0
 */
export async function readGroups(
  db: Db,
  sceneIds: readonly string[],
  { count, ...spans }: SummedFor & { count: number },
): Promise<Sums[]> {
  const [occupancy, decided, arrivals] = await Promise.all([
    sumOccupancy(db, sceneIds, spans),
    sumDecided(db, sceneIds, spans),
    countArrivals(db, sceneIds, spans),
  ]);
  const byGroup = <Row extends { readonly group: number }>(rows: readonly Row[]) =>
    new Map(rows.map((row) => [row.group, row]));
  const [people, visits, entries] = [byGroup(occupancy), byGroup(decided), byGroup(arrivals)];
  return Array.from({ length: count }, (_, group) => ({
    ...NO_TIME,
    ...NO_VISITS,
    ...people.get(group),
    ...visits.get(group),
    arrivals: entries.get(group)?.arrivals ?? 0,
  }));
}
