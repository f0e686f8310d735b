import type { Sums } from '../../catalogue/metrics/sums.ts';
import { NO_TIME, NO_VISITS } from '../../metrics/sums.ts';
import type { Db } from '../../platform/database/db.ts';
import { countArrivals, type SummedFor, sumDecided, sumOccupancy } from './group-sums.store.ts';

/**
 * Groups with their sums over the scenes. At most three statements, whatever the number of groups and scenes.
 * @param options.groups in the order of their numbers
 * @param options.metrics whose sums are read; the others stay 0
 */
export async function readGroups<Group>(
  db: Db,
  sceneIds: readonly string[],
  { groups, ...spans }: SummedFor & { readonly groups: readonly Group[] },
): Promise<(Group & { readonly sums: Sums })[]> {
  const [occupancy, decided, arrivals] = await Promise.all([
    sumOccupancy(db, sceneIds, spans),
    sumDecided(db, sceneIds, spans),
    countArrivals(db, sceneIds, spans),
  ]);
  const byGroup = <Row extends { readonly group: number }>(rows: readonly Row[]) =>
    new Map(rows.map((row) => [row.group, row]));
  const [people, visits, entries] = [byGroup(occupancy), byGroup(decided), byGroup(arrivals)];
  return groups.map((group, at) => ({
    ...group,
    sums: {
      ...NO_TIME,
      ...NO_VISITS,
      ...people.get(at),
      ...visits.get(at),
      arrivals: entries.get(at)?.arrivals ?? 0,
    },
  }));
}
