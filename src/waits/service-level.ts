/** A visit whose outcome was decided. */
export interface DecidedVisit {
  readonly outcome: 'completed' | 'abandoned' | 'lost';
  /** From joining the queue to the begin of the service, or to giving up; null where the person never joined or was never served. */
  readonly waitSeconds: number | null;
}

/** People who joined the queue, by what became of them. The counts of disjoint windows add up. */
export interface ServiceCounts {
  /** Service began within the target. */
  readonly within: number;
  /** Service began later. */
  readonly late: number;
  /** Gave up after more than the target. */
  readonly gaveUpLate: number;
  /** Gave up before the target was missed: nobody knows whether it would have been. Not part of the level. */
  readonly gaveUpEarly: number;
}

export const NO_SERVICE: ServiceCounts = { within: 0, late: 0, gaveUpLate: 0, gaveUpEarly: 0 };

/** Visits that were lost, and people who did not join the queue, count nowhere. */
export function countService(visits: Iterable<DecidedVisit>, waitSeconds: number): ServiceCounts {
  const counts = { ...NO_SERVICE };
  for (const visit of visits) {
    if (visit.waitSeconds === null || visit.outcome === 'lost') continue;
    const isWithin = visit.waitSeconds <= waitSeconds;
    if (visit.outcome === 'completed') counts[isWithin ? 'within' : 'late'] += 1;
    else counts[isWithin ? 'gaveUpEarly' : 'gaveUpLate'] += 1;
  }
  return counts;
}

export const addService = (a: ServiceCounts, b: ServiceCounts): ServiceCounts => ({
  within: a.within + b.within,
  late: a.late + b.late,
  gaveUpLate: a.gaveUpLate + b.gaveUpLate,
  gaveUpEarly: a.gaveUpEarly + b.gaveUpEarly,
});

/** Share of people who were served within the target, 0-1; null where nobody counts. */
export function serviceLevel({ within, late, gaveUpLate }: ServiceCounts): number | null {
  const all = within + late + gaveUpLate;
  return all === 0 ? null : within / all;
}
