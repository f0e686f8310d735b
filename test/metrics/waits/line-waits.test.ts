import { describe, expect, test } from '@jest/globals';
import { replayVisits } from '../../../scripts/evaluate/waits/replay-visits.ts';
import { simulateShop } from '../../../scripts/evaluate/waits/simulated-shops.ts';
import { lineVisitOf } from '../../../src/metrics/waits/line-visit-of.ts';
import { type LearnedVisit, LineWaits, type Said } from '../../../src/metrics/waits/line-waits.ts';
import type { Visit } from '../../../src/vision/types.ts';
import { plainTime } from '../../../src/waits/service-times.ts';
import { waiting } from '../visits.ts';
import { changesOf } from './shop-changes.ts';

const DAY_MS = 86_400_000;
const THRESHOLDS = { entryThresholdSeconds: 3, exitThresholdSeconds: 1 };
const NOTHING = { ofSite: [], visits: [], local: plainTime, lastFrameMs: null };
const { visits: LOG } = simulateShop('two-tills', 5, 1);

type Change = ReturnType<typeof changesOf>[number];

/** Frames of two a second until a time. */
function play(
  waits: LineWaits,
  changes: readonly Change[],
  { fromMs, toMs, look }: { fromMs: number; toMs: number; look?: (timeMs: number) => void },
): Said[] {
  const said: Said[] = [];
  let next = changes.findIndex(({ timeMs }) => timeMs > fromMs);
  for (let timeMs = fromMs; timeMs <= toMs; timeMs += 500) {
    const now: Visit[] = [];
    while (next >= 0 && next < changes.length && changes[next]!.timeMs <= timeMs)
      now.push(changes[next++]!.visit);
    waits.observe({ timeMs, changes: now });
    look?.(timeMs);
    said.push(...waits.takeSaid());
  }
  return said;
}

const CHANGES = changesOf(LOG);
const [START, END] = [CHANGES[0]!.timeMs - 60_000, CHANGES.at(-1)!.timeMs + 60_000];
const learned = (log: typeof LOG): LearnedVisit[] =>
  log.map((visit) => ({ ...visit, number: null, said: null }));
/** A shop in which everything is known, at noon. */
const NOON = DAY_MS / 2;
const TEN = NOON - 7_200_000;
function atNoon(stored: Partial<ConstructorParameters<typeof LineWaits>[0]> = {}): LineWaits {
  const waits = new LineWaits({ ...NOTHING, ...stored }, THRESHOLDS);
  play(waits, CHANGES, { fromMs: START, toMs: NOON });
  return waits;
}

describe('the live wait', () => {
  test.each([
    [true, 'with'],
    [false, 'without'],
  ])('is what the judge says for the same visits, %p: %s a checkout', (hasCheckout) => {
    const unseen = ({ startedAt, leftAt, ...visit }: (typeof LOG)[number]) => {
      const at = startedAt ?? leftAt;
      return { ...visit, leftAt: at, startedAt: at, endedAt: at, till: 'unseen' };
    };
    const { judged } = replayVisits(hasCheckout ? LOG : LOG.map(unseen), { tills: true, learnDays: 0 });
    const live = play(new LineWaits(NOTHING, THRESHOLDS), changesOf(LOG, { hasCheckout }), {
      fromMs: START,
      toMs: END,
    });
    const byPerson = new Map(judged.map(({ said }) => [said.person, said]));
    const pairs = live.map((one) => [one, byPerson.get(LOG[one.number - 1]!.person)!] as const);
    expect(pairs.length).toBeGreaterThanOrEqual(judged.length - 3);
    expect(pairs.length).toBeGreaterThan(300);
    for (const [one, said] of pairs) {
      expect(one.ahead).toBe(said.ahead);
      for (const name of ['median', 'low', 'high'] as const)
        expect(Math.abs(one[name] - said[name])).toBeLessThan(0.06);
    }
  });

  test('hardly changes when somebody looks at it once a second, with one prediction in each', () => {
    const waits = new LineWaits(NOTHING, THRESHOLDS);
    const looked = play(waits, CHANGES, {
      ...{ fromMs: START, toMs: TEN },
      look: (timeMs) => expect(waits.at(timeMs)).toBe(waits.at(Math.floor(timeMs / 1000) * 1000)),
    });
    const quiet = play(new LineWaits(NOTHING, THRESHOLDS), CHANGES, { fromMs: START, toMs: TEN });
    const apart = looked.reduce((sum, { median }, at) => sum + Math.abs(median - quiet[at]!.median), 0);
    expect(apart / looked.length).toBeLessThan(2);
  });

  test('learns from the visits that are stored as if it had seen them', () => {
    const before = LOG.filter(({ endedAt, leftAt }) => (endedAt ?? leftAt!) * 1000 < NOON - 60_000);
    const open = CHANGES.filter(({ timeMs }) => timeMs <= NOON).map(({ visit }) => visit);
    const newest = new Map(open.map((visit) => [visit.id, visit]));
    const stillThere = [...newest.values()].filter(({ outcome }) => outcome === null);
    const again = new LineWaits(
      {
        ...{ ...NOTHING, lastFrameMs: NOON },
        visits: [
          ...learned(before),
          ...stillThere.map((visit) => ({ ...lineVisitOf(visit), number: visit.id, said: null })),
        ],
      },
      THRESHOLDS,
    );
    const going = atNoon();
    const next = { fromMs: NOON + 500, toMs: NOON + 600_000 };
    const [one, other] = [going, again].map((waits) => play(waits, CHANGES, next));
    expect(other!.map(({ number }) => number)).toEqual(one!.map(({ number }) => number));
    expect(one!.length).toBeGreaterThan(3);
    for (const [at, { median, ahead }] of one!.entries()) {
      expect(other![at]!.ahead).toBe(ahead);
      // Only the band and the level, which are learned from what was said, are not the same.
      expect(Math.abs(other![at]!.median - median)).toBeLessThan(Math.max(15, median * 0.2));
    }
  });

  test('is unknown after an hour without frames, and known again at once', () => {
    const waits = atNoon();
    expect(waits.at(NOON).reason).toBeNull();
    const back = NOON + 3_600_000;
    waits.observe({ timeMs: back, changes: [] });
    expect(waits.at(back)).toMatchObject({ median: null, reason: 'notCovered' });
    play(waits, [], { fromMs: back + 500, toMs: back + 20_000 });
    const { median, high } = waits.at(back + 20_000);
    expect(median).toBeGreaterThanOrEqual(0);
    expect(high!).toBeLessThan(300);
  });

  test('begins with what another line of the site has taught, once somebody serves here', () => {
    const waits = new LineWaits({ ...NOTHING, ofSite: learned(LOG) }, THRESHOLDS);
    const first = CHANGES.findIndex(({ visit }) => visit.serviceStartedAtMs !== null);
    const served = CHANGES[first]!.timeMs;
    play(waits, CHANGES, { fromMs: START, toMs: served - 1000 });
    expect(waits.at(served - 1000).reason).toBe('noServiceSeen');
    play(waits, CHANGES, { fromMs: served - 500, toMs: served + 10_000 });
    expect(waits.at(served + 10_000)).toMatchObject({ reason: null });
    expect(new LineWaits(NOTHING, THRESHOLDS).at(served).reason).not.toBeNull();
  });

  test.each<[string, (visit: Visit, timeMs: number) => Visit]>([
    ['staff', (visit, timeMs) => ({ ...visit, state: 'discarded', outcomeDecidedAtMs: timeMs })],
    ['lost', (visit, timeMs) => ({ ...visit, state: 'closed', outcome: 'lost', outcomeDecidedAtMs: timeMs })],
  ])('is the old one when people in the line turn out to be %s', (_, gone) => {
    const [waits, empty] = [atNoon(), atNoon()];
    const nobody = play(empty, [], { fromMs: NOON + 500, toMs: NOON + 60_000 });
    expect(nobody).toEqual([]);
    const line = [1, 2, 3, 4, 5].map((id) => waiting(9_000 + id, NOON + 1_000));
    const seen = [
      ...line.map((visit) => ({ timeMs: NOON + 4_000, visit })),
      ...line.map((visit) => ({ timeMs: NOON + 30_000, visit: gone(visit, NOON + 30_000) })),
    ];
    play(waits, seen, { fromMs: NOON + 500, toMs: NOON + 20_000 });
    const before = empty.at(NOON + 60_000).median!;
    expect(waits.at(NOON + 20_000).median! - before).toBeGreaterThan(60);
    play(waits, seen, { fromMs: NOON + 20_500, toMs: NOON + 60_000 });
    expect(Math.abs(waits.at(NOON + 60_000).median! - before)).toBeLessThan(40);
  });
});
