import { describe, expect, test } from '@jest/globals';
import { type Moment, momentOf } from '../../../src/vision/moment.ts';
import { PROVISIONAL_MS, type TillSecond, TillWatch } from '../../../src/vision/tills/till-watch.ts';
import type { Till, Visit } from '../../../src/vision/types.ts';
import { rectangle } from '../../catalogue/zones/shapes.ts';
import { fc } from '../../support/property.ts';

const STEP_MS = 200;
const till = (id: string, hasStaff: boolean): Till => ({
  ...{ id, name: id, type: 'polygon', points: rectangle(0, 0, 0.1, 0.1) },
  ...(hasStaff && { staffPoints: rectangle(0, 0.2, 0.1, 0.3) }),
});

/** What happens in a second: who waits, who is served at till a, whether staff are at it. No frames where it is null. */
interface Scripted {
  readonly waits?: boolean;
  readonly served?: boolean;
  readonly staff?: boolean;
}

const SERVED = { served: true } as const;
const times = (count: number, what: Scripted | null) => Array.from({ length: count }, () => what);
const visit = (id: number, more: Partial<Visit>): Visit => ({
  ...{ id, trackId: id, state: 'in_service', queueEnteredAtMs: null, queueLeftAtMs: null },
  ...{ serviceStartedAtMs: null, serviceEndedAtMs: null, outcome: null, arrivalDecidedAtMs: 0 },
  ...{ outcomeDecidedAtMs: null, ...more },
});

/** Runs seconds through a watch of one till; services are confirmed as they begin, ends at once. */
function watch(
  script: readonly (Scripted | null)[],
  { hasStaff = false, feeds = true, every = Number.POSITIVE_INFINITY } = {},
) {
  const zones = {
    tills: [till('a', hasStaff), till('b', false)],
    ...(!feeds && { queueFeeds: { tillIds: ['b'] } }),
  };
  let tills = new TillWatch(zones);
  const seconds: TillSecond[] = [];
  const live: string[] = [];
  let unsure = 0;
  let before: Moment | null = null;
  let service: Visit | null = null;
  let wait: Visit | null = null;
  let id = 0;
  for (const [second, now] of script.entries()) {
    if (!now) continue;
    if (second % every === every - 1)
      tills = new TillWatch(zones, JSON.parse(JSON.stringify(tills.checkpoint())));
    for (let timeMs = second * 1000; timeMs < (second + 1) * 1000; timeMs += STEP_MS) {
      const moment = momentOf(timeMs, before);
      const changes: Visit[] = [];
      if (now.served && !service) {
        service = visit(++id, {
          serviceStartedAtMs: timeMs,
          services: [{ tillId: 'a', startedAtMs: timeMs, endedAtMs: null }],
        });
        changes.push(service);
      } else if (!now.served && service) {
        const services = [{ ...service.services![0]!, endedAtMs: timeMs }];
        changes.push({
          ...service,
          state: 'closed',
          outcome: 'completed',
          services,
          outcomeDecidedAtMs: timeMs,
        });
        service = null;
      }
      if (now.waits && !wait) {
        wait = visit(++id, { state: 'queued', queueEnteredAtMs: timeMs });
        changes.push(wait);
      } else if (!now.waits && wait) {
        changes.push({
          ...wait,
          state: 'closed',
          outcome: 'abandoned',
          queueLeftAtMs: timeMs,
          outcomeDecidedAtMs: timeMs,
        });
        wait = null;
      }
      const update = tills.update({
        ...{ now: moment, before, changes, doubtful: [], occupied: new Set<string>() },
        open: [service, wait].flatMap((one) => one ?? []),
        staffed: new Set(now.staff ? ['a'] : []),
      });
      seconds.push(...update.settled);
      if (timeMs % 1000 === 0) {
        live.push(update.now[0]!.state);
        if (update.now[0]!.confidence === 'low') unsure++;
      }
      before = moment;
    }
  }
  seconds.push(...tills.close([]).settled);
  const states = new Map(seconds.map(({ timeMs, states }) => [timeMs / 1000, states[0]!]));
  const letters = script.map((_, second) => (states.get(second) ?? 'unknown')[0]).join('');
  return { seconds, live, letters, unsure };
}

/** `sssff` → `s3 f2` */
const runs = (letters: string) =>
  (letters.match(/(.)\1*/g) ?? []).map((run) => `${run[0]}${run.length}`).join(' ');

describe('the state of a till', () => {
  test('serving while a service is open, free after it', () => {
    expect(runs(watch([...times(20, SERVED), ...times(60, {})]).letters)).toBe('s20 f60');
  });

  test('closed, from the end of its last service, where somebody waits for longer than people take to step up', () => {
    const { letters, live } = watch([...times(20, SERVED), ...times(60, { waits: true })]);
    expect(runs(letters)).toBe('s20 c60');
    // Live it is free until then, and at most half a minute.
    expect(live.indexOf('closed') - 20).toBeLessThanOrEqual(30);
    expect(live[25]).toBe('free');
  });

  test('closed from the first frame on, where somebody waits and nobody was ever served there', () => {
    expect(runs(watch([...times(10, {}), ...times(60, { waits: true })]).letters)).toBe('c70');
  });

  test('free where people step up in time', () => {
    const customer = [...times(20, SERVED), ...times(6, { waits: true })];
    expect(runs(watch(Array.from({ length: 5 }, () => customer).flat()).letters)).toBe(
      ['s20 f6', 's20 f6', 's20 f6', 's20 f6', 's20 f6'].join(' '),
    );
  });

  test('nobody waits for a till that the queue does not feed', () => {
    expect(runs(watch([...times(20, SERVED), ...times(60, { waits: true })], { feeds: false }).letters)).toBe(
      's20 f60',
    );
  });

  test('open again from the moment at which its next service began', () => {
    const { letters } = watch([...times(20, SERVED), ...times(60, { waits: true }), ...times(20, SERVED)]);
    expect(runs(letters)).toBe('s20 c60 s20');
  });

  test('follows the staff, there and back, where their side is drawn', () => {
    const script = [...times(20, { staff: true }), ...times(60, {}), ...times(20, { staff: true })];
    expect(runs(watch(script, { hasStaff: true }).letters)).toBe('f20 c60 f20');
  });

  test('closed from the end of the service where staff have left during it', () => {
    const script = [...times(20, { staff: true, served: true }), ...times(3, SERVED), ...times(60, {})];
    expect(runs(watch(script, { hasStaff: true }).letters)).toBe('s23 c60');
  });

  test('a detector that misses staff for some seconds closes nothing', () => {
    const script = Array.from({ length: 10 }, () => [...times(6, { staff: true }), ...times(8, {})]).flat();
    expect(runs(watch(script, { hasStaff: true }).letters)).toBe('f140');
  });

  test('follows use alone where staff are never seen although their side is drawn', () => {
    const used = Array.from({ length: 6 }, () => [...times(30, SERVED), ...times(5, {})]).flat();
    const { letters } = watch([...used, ...times(40, {})], { hasStaff: true });
    expect(letters.slice(-40)).toBe('f'.repeat(40));
  });

  test('closed after the learned time without use; before, it is free and not sure', () => {
    const used = Array.from({ length: 8 }, () => [...times(30, SERVED), ...times(20, {})]).flat();
    const { letters } = watch([...used, ...times(600, {})]);
    expect(runs(letters.slice(used.length))).toMatch(/^f\d+ c\d+$/);
  });

  test('in a closed shop closed: at once where staff are usually seen, else free and not sure until the usual time is over', () => {
    const night = times(700, {});
    expect(runs(watch(night, { hasStaff: true }).letters)).toBe('c700');
    const { letters, unsure } = watch(night);
    expect([runs(letters), unsure]).toEqual(['f600 c100', 601]);
  });

  test('unknown without frames, also in the middle of a service', () => {
    const script = [...times(20, SERVED), ...times(30, null), ...times(20, SERVED)];
    expect(runs(watch(script).letters)).toBe('s20 u30 s20');
  });

  test('an outage of days costs nothing and invents nothing', () => {
    const tills = new TillWatch({ tills: [till('a', false)] });
    const seen = {
      changes: [],
      doubtful: [],
      open: [],
      occupied: new Set<string>(),
      staffed: new Set<string>(),
    };
    const first = momentOf(0, null);
    tills.update({ ...seen, now: first, before: null });
    const later = momentOf(10 * 86_400_000, first);
    const { settled } = tills.update({ ...seen, now: later, before: first });
    expect(settled).toEqual([]);
  });

  test('a checkpoint changes nothing', () => {
    const script = [
      ...times(20, SERVED),
      ...times(60, { waits: true }),
      ...times(40, null),
      ...times(20, SERVED),
    ];
    expect(watch(script, { every: 7 })).toEqual(watch(script));
  });

  test('a visit of staff takes its service back while it is provisional', () => {
    const tills = new TillWatch({ tills: [till('a', false)] });
    const seen = { doubtful: [], occupied: new Set<string>(), staffed: new Set<string>() };
    const services = [{ tillId: 'a', startedAtMs: 0, endedAtMs: null }];
    const staff = visit(1, { serviceStartedAtMs: 0, services });
    let before: Moment | null = null;
    const settled: TillSecond[] = [];
    for (let timeMs = 0; timeMs <= 60_000; timeMs += 1_000) {
      const now = momentOf(timeMs, before);
      const changes =
        timeMs === 0 ? [staff] : timeMs === 20_000 ? [{ ...staff, state: 'discarded' as const }] : [];
      settled.push(
        ...tills.update({ ...seen, now, before, changes, open: timeMs < 20_000 ? [staff] : [] }).settled,
      );
      before = now;
    }
    expect(new Set(settled.map(({ states }) => states[0]))).toEqual(new Set(['free']));
  });
});

test('whatever happens, each second with frames has one final state, half a minute later, and none without frames', () => {
  const part = fc.tuple(
    fc.option(fc.record({ waits: fc.boolean(), served: fc.boolean(), staff: fc.boolean() }), { freq: 6 }),
    fc.integer({ min: 3, max: 60 }),
  );
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 12 }), fc.boolean(), (parts, hasStaff) => {
      const script = parts.flatMap(([what, count]) => times(count, what));
      const { seconds, letters } = watch(script, { hasStaff });
      const known = seconds.map(({ timeMs }) => timeMs / 1000);
      expect(known).toEqual([...new Set(known)].sort((a, b) => a - b));
      script.forEach((now, second) => {
        // A second at the edge of a gap may count to either side.
        const isInside = [second - 1, second + 1].every(
          (other) => !script[other] === !now || !(other in script),
        );
        if (!isInside || second === script.length - 1) return;
        if (now?.served) expect(letters[second]).toBe('s');
        else if (!now && script.findIndex((one) => one !== null) < second) expect(letters[second]).toBe('u');
        else if (now) expect('fc').toContain(letters[second]);
      });
      expect(PROVISIONAL_MS).toBe(30_000);
    }),
  );
});
