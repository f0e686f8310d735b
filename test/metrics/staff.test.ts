import { expect, test } from '@jest/globals';
import { type Metrics, WINDOWS } from '../../src/catalogue/metrics/all.ts';
import { QueueMetrics } from '../../src/metrics/queue-metrics.ts';
import type { Visit } from '../../src/vision/types.ts';
import { discardVisit } from '../../src/vision/zones/visit-states.ts';
import { fc } from '../support/property.ts';
import { ZONES } from '../vision/zones/walk.ts';
import { inService, waiting } from './visits.ts';

const HOUR = 3600;
const person = fc.record({
  isStaff: fc.boolean(),
  arrivesAt: fc.integer({ min: 0, max: 2 * HOUR }),
  /** Seconds until served. */
  waits: fc.integer({ min: 1, max: HOUR }),
  /** Seconds until found to be staff, or for ever. */
  stays: fc.integer({ min: 1, max: 2 * HOUR }),
});
type Person = typeof person extends fc.Arbitrary<infer T> ? T : never;

/** One frame a minute; visits of staff are discarded at the end of their stay. */
function play(people: readonly Person[], { lastMs }: { lastMs: number }) {
  const metrics = new QueueMetrics({ zones: ZONES });
  let open: Visit[] = [];
  const stored = new Map<number, Visit>();
  for (let timeMs = 0; timeMs <= lastMs; timeMs += 60_000) {
    const changes: Visit[] = [];
    for (const [id, { isStaff, arrivesAt, waits, stays }] of people.entries()) {
      const [joinsMs, servedMs, foundMs] = [arrivesAt, arrivesAt + waits, arrivesAt + stays].map(
        (seconds) => Math.ceil(seconds / 60) * 60_000,
      ) as [number, number, number];
      const visit = { ...waiting(id, joinsMs), arrivalDecidedAtMs: joinsMs };
      const service = servedMs <= timeMs ? inService(visit, servedMs) : visit;
      if (isStaff && timeMs > foundMs) continue;
      if (isStaff && timeMs === foundMs) changes.push(discardVisit(service, timeMs));
      else if (timeMs === joinsMs) changes.push(visit);
      else if (timeMs === servedMs) changes.push(service);
    }
    for (const visit of changes) stored.set(visit.id, visit);
    open = [...stored.values()].filter(({ state }) => state !== 'discarded');
    metrics.observe({ timeMs, changes, openVisits: open });
  }
  return { metrics, open };
}

/** Everything except the metrics over time, which include frames before the decision. */
const counted = (all: Metrics) => [
  all.current,
  all.total,
  ...WINDOWS.map(({ name }) => {
    const { completed, abandoned, arrivals, lostCount } = all[name];
    return { completed, abandoned, arrivals, lostCount };
  }),
];

test('once staff are found, counts are as if they had never come, also after a restart', () => {
  fc.assert(
    fc.property(fc.array(person, { maxLength: 20 }), (people) => {
      const foundAt = people.map(({ isStaff, arrivesAt, stays }) => (isStaff ? arrivesAt + stays : 0));
      const lastMs = Math.ceil(Math.max(2 * HOUR, ...foundAt) / 60) * 60_000;
      const { metrics, open } = play(people, { lastMs });
      // Numbered as among all people: only staff are left out.
      const without = play(
        people.map((one) => (one.isStaff ? { ...one, arrivesAt: 10 * HOUR, stays: HOUR } : one)),
        { lastMs },
      );
      expect(counted(metrics.at(lastMs))).toEqual(counted(without.metrics.at(lastMs)));
      const stored = { visits: open, minutes: [], totals: metrics.totals, nowMs: lastMs };
      const rebuilt = QueueMetrics.rebuild(ZONES, stored);
      expect(counted(rebuilt.at(lastMs))).toEqual(counted(metrics.at(lastMs)));
    }),
  );
});

test('from the frame of the decision on staff are in no metric over time', () => {
  const metrics = new QueueMetrics({ zones: ZONES });
  const visit = inService(waiting(1, 0), 0);
  metrics.observe({ timeMs: 60_000, changes: [visit], openVisits: [visit] });
  metrics.observe({ timeMs: 61_000, changes: [discardVisit(visit, 61_000)], openVisits: [] });
  for (let timeMs = 62_000; timeMs <= 64_000; timeMs += 1000)
    metrics.observe({ timeMs, changes: [], openVisits: [] });
  // One of four seconds.
  expect(metrics.at(64_000).rolling5Min).toMatchObject({ avgInService: 0.25, serverUtilization: 0.25 });
});
