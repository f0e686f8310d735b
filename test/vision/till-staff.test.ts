import { describe, expect, test } from '@jest/globals';
import { type SceneObservation, ScenePipeline } from '../../src/vision/pipeline.ts';
import type { Detection, QueueZones, Visit } from '../../src/vision/types.ts';
import { rectangle } from '../catalogue/zones/shapes.ts';
import { boxAt, CHECKOUT_ONLY, PARAMETERS, ZONES } from './zones/walk.ts';

const sceneOf = (zones: QueueZones = ZONES, checkpoint: string | null = null): ScenePipeline =>
  new ScenePipeline({ sceneId: 's', config: { zones, parameters: PARAMETERS }, checkpoint });

/** In the line, at the counter and behind it, both in the checkout; beside the checkout; away from all of it. */
const POSITIONS = { queue: 0.25, counter: 0.44, till: 0.57, beside: 0.63, floor: 0.95 } as const;
type Position = keyof typeof POSITIONS;
/** Where a person is from each second on; null: out of sight. They walk from one place to the next. */
type Way = readonly (readonly [fromSeconds: number, place: Position | null])[];
const SPEED = 0.3;

function xAt(way: Way, seconds: number): number | null {
  let x: number | null = null;
  for (const [at, [from, place]] of way.entries()) {
    if (from > seconds) break;
    const until = Math.min(seconds, way[at + 1]?.[0] ?? seconds);
    if (place === null) x = null;
    else if (x === null) x = POSITIONS[place];
    else
      x += Math.sign(POSITIONS[place] - x) * Math.min(Math.abs(POSITIONS[place] - x), SPEED * (until - from));
  }
  return x;
}

/** Five frames a second. */
function watch(scene: ScenePipeline, ways: readonly Way[], [from, to]: readonly [number, number]) {
  const visits = new Map<number, Visit>();
  const seen: SceneObservation[] = [];
  for (let frame = from * 5; frame < to * 5; frame++) {
    const detections = ways.flatMap((way): Detection[] => {
      const x = xAt(way, frame / 5);
      return x === null ? [] : [{ box: boxAt(x), score: 0.9, classId: 0 }];
    });
    const observation = scene.update(detections, frame * 200, frame);
    seen.push(observation);
    for (const visit of observation.changes) visits.set(visit.id, visit);
  }
  return { visits: [...visits.values()], last: seen.at(-1)!, seen };
}

/** Waits for ten seconds, is served for `seconds` and leaves to the left, past nobody. */
const customer = (arrives: number, seconds = 25): Way => [
  [arrives, 'queue'],
  [arrives + 10, 'counter'],
  [arrives + 10 + seconds, 'queue'],
  [arrives + 12 + seconds, null],
];
const customers = (...arrivals: number[]): Way[] => arrivals.map((arrives) => customer(arrives));
const CASHIER: Way = [[0, 'till']];
const BUSY = [CASHIER, ...customers(0, 40, 80, 120, 160)];

const decided = (visits: readonly Visit[]) => visits.filter(({ state }) => state === 'closed');

describe('a scene without a staff zone', () => {
  test('who stays at the till while others are served is staff, with the reason, and their visit is withdrawn', () => {
    const { visits, last, seen } = watch(sceneOf(), BUSY, [0, 200]);
    expect(visits.filter(({ state }) => state === 'discarded')).toMatchObject([{ serviceStartedAtMs: 0 }]);
    expect(decided(visits)).toHaveLength(5);
    expect(last).toMatchObject({ open: { queued: 0, inService: 0 }, tracks: [] });
    expect(last.staffTracks).toMatchObject([{ reason: 'stays_at_till' }]);
    expect(last.staff).toMatchObject({ present: 1, people: 1 });
    const [member] = last.staff!.members;
    expect(member).toMatchObject({ trackId: last.staffTracks![0]!.id, reason: 'stays_at_till' });
    expect(member!.othersServed).toBeGreaterThanOrEqual(3);
    expect(member!.seconds).toBeGreaterThan(100);
    expect(member!.decidedAtMs).toBeLessThan(160_000);
    // Nothing is said of staff before anybody is.
    expect(seen[0]).toMatchObject({ staff: null });
    expect(seen[0]).not.toHaveProperty('staffTracks');
  });

  test('also who stands beside the zone and only now and then steps into it', () => {
    const cashier: Way = [
      [0, 'beside'],
      ...[30, 70, 110, 150, 190].flatMap(
        (at): Way => [
          [at, 'till'],
          [at + 8, 'beside'],
        ],
      ),
    ];
    const { last } = watch(sceneOf(), [cashier, ...customers(0, 40, 80, 120, 160, 200)], [0, 240]);
    expect(last.staff).toMatchObject({ people: 1 });
  });

  test.each<[string, QueueZones, Way[]]>([
    [
      'a customer who is served for minutes',
      ZONES,
      [
        [
          [0, 'queue'],
          [10, 'till'],
          [400, 'floor'],
        ],
      ],
    ],
    ['one who is served for long while two others come and go', ZONES, [CASHIER, ...customers(0, 40)]],
    [
      'one who is slower than those at the next till, but not by far',
      CHECKOUT_ONLY,
      [
        [
          [0, 'till'],
          [220, 'floor'],
        ],
        ...[0, 72, 144].map((arrives) => customer(arrives, 60)),
      ],
    ],
    ['who stands in line beside the till', ZONES, [[[0, 'queue']], ...customers(0, 40, 80, 120, 160)]],
    ['who waits far from the till', ZONES, [[[0, 'floor']], ...customers(0, 40, 80, 120, 160)]],
    [
      'who is served while somebody steps into the zone and out again',
      CHECKOUT_ONLY,
      [
        [[0, 'counter']],
        [
          [0, 'beside'],
          ...[10, 50, 90, 130, 170].flatMap(
            (at): Way => [
              [at, 'till'],
              [at + 20, 'beside'],
            ],
          ),
        ],
      ],
    ],
  ])('%s is no staff', (_, zones, ways) => {
    expect(watch(sceneOf(zones), ways, [0, 240]).last.staff).toBeNull();
  });

  test('a drawn staff zone decides alone', () => {
    const staffZone = { type: 'polygon' as const, points: rectangle(0.8, 0.2, 0.99, 0.9) };
    const { visits, last } = watch(sceneOf({ ...ZONES, staffZone }), BUSY, [0, 200]);
    expect(last).toMatchObject({ staff: { people: 0, members: [] }, open: { inService: 1 } });
    expect(visits.filter(({ state }) => state === 'discarded')).toEqual([]);
  });

  test('who was taken for staff and then stands in line is a customer again, from the begin of the line on', () => {
    const cashier: Way = [...CASHIER, [205, 'queue'], [260, 'counter'], [290, 'queue'], [292, null]];
    const scene = sceneOf();
    const before = watch(scene, [cashier, ...BUSY.slice(1)], [0, 205]);
    expect(before.last.staff).toMatchObject({ present: 1 });
    const { visits } = watch(scene, [cashier, ...BUSY.slice(1)], [205, 310]);
    const [visit] = visits;
    expect(visits).toMatchObject([{ outcome: 'completed' }]);
    expect(visit!.queueEnteredAtMs).toBeGreaterThanOrEqual(205_000);
    expect(visit!.queueEnteredAtMs).toBeLessThan(208_000);
  });

  test('who comes back to a place of staff is staff after the next customer', () => {
    const cashier: Way = [...CASHIER, [205, 'floor'], [210, null], [300, 'floor'], [301, 'till']];
    const scene = sceneOf();
    watch(scene, [cashier, ...BUSY.slice(1)], [0, 300]);
    const { last } = watch(scene, [cashier, ...customers(300)], [300, 420]);
    expect(last.staff).toMatchObject({ present: 1, people: 2, members: [{ othersServed: 1 }] });
  });

  test('a checkpoint keeps evidence, decision and places', () => {
    const whole = watch(sceneOf(), BUSY, [0, 200]).last;
    let [scene, observed] = [sceneOf(), null as SceneObservation | null];
    for (let from = 0; from < 200; from += 20) {
      observed = watch(scene, BUSY, [from, from + 20]).last;
      scene = sceneOf(ZONES, JSON.stringify(JSON.parse(scene.checkpoint())));
    }
    expect(observed!.staff).toMatchObject({ present: 1, people: 1 });
    expect(observed!.staff!.members[0]!.othersServed).toBe(whole.staff!.members[0]!.othersServed);
  });
});
