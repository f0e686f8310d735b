import { describe, expect, test } from '@jest/globals';
import { type SceneObservation, ScenePipeline } from '../../src/vision/pipeline.ts';
import type { Detection, QueueZones, SceneConfig, Visit } from '../../src/vision/types.ts';
import { rectangle } from '../catalogue/zones/shapes.ts';
import { boxAt, PARAMETERS, ZONES } from './zones/walk.ts';

/** The right half of the checkout and the floor behind it. */
const STAFF_ZONE = { type: 'polygon' as const, points: rectangle(0.5, 0.2, 0.75, 0.95) };
const sceneOf = (zones: QueueZones, checkpoint: string | null = null): ScenePipeline => {
  const config: SceneConfig = { zones, parameters: PARAMETERS };
  return new ScenePipeline({ sceneId: 's', config, checkpoint });
};
const WITH_STAFF: QueueZones = { ...ZONES, staffZone: STAFF_ZONE };

/** In the queue, the checkout in front of the till, the checkout behind it, away from every zone. */
const POSITIONS = { queue: 0.25, counter: 0.45, till: 0.55, floor: 0.9 } as const;
type Position = keyof typeof POSITIONS;
const FASTEST = 0.3;

/** The position from each second on; people walk from one to the next. */
type Way = readonly (readonly [fromSeconds: number, place: Position | null])[];

function xAt(way: Way, seconds: number): number | null {
  const now = way.findLastIndex(([from]) => from <= seconds);
  const place = way[now]?.[1];
  if (!place) return null;
  const before = way[now - 1]?.[1];
  const target = POSITIONS[place];
  if (!before) return target;
  const walked = (seconds - way[now]![0]) * FASTEST;
  const from = POSITIONS[before];
  return Math.abs(target - from) <= walked ? target : from + Math.sign(target - from) * walked;
}

/** Five frames a second of these people. */
function watch(scene: ScenePipeline, ways: readonly Way[], [from, to]: readonly [number, number]) {
  const visits = new Map<number, Visit>();
  let last: SceneObservation | null = null;
  for (let frame = from * 5; frame < to * 5; frame++) {
    const detections = ways.flatMap((way): Detection[] => {
      const x = xAt(way, frame / 5);
      return x === null ? [] : [{ box: boxAt(x), score: 0.9, classId: 0 }];
    });
    last = scene.update(detections, frame * 200, frame);
    for (const visit of last.changes) visits.set(visit.id, visit);
  }
  return { visits: [...visits.values()], last: last! };
}

const CASHIER: Way = [[0, 'till']];
/** Waits, is served and leaves. */
const CUSTOMER: Way = [
  [5, 'queue'],
  [25, 'counter'],
  [50, 'floor'],
];

describe('a scene with a staff zone', () => {
  test('a person behind the till is staff after a minute, and no metric counts them from then on', () => {
    const scene = sceneOf(WITH_STAFF);
    const before = watch(scene, [CASHIER], [0, 55]);
    expect(before.last).toMatchObject({ open: { inService: 1 }, staff: { present: 0, people: 0 } });
    const { visits, last } = watch(scene, [CASHIER], [55, 90]);
    expect(visits).toMatchObject([{ state: 'discarded', outcome: null }]);
    expect(visits[0]!.serviceStartedAtMs).toBeLessThan(1000);
    expect(last).toMatchObject({ open: { queued: 0, inService: 0 }, tracks: [] });
    expect(scene.openVisits).toEqual([]);
    const { staff } = last;
    expect(staff).toMatchObject({
      present: 1,
      people: 1,
      longestDecisionSeconds: staff!.meanDecisionSeconds,
    });
    expect(staff!.meanDecisionSeconds).toBeGreaterThanOrEqual(60);
    expect(staff!.meanDecisionSeconds).toBeLessThan(65);
    expect(visits[0]!.outcomeDecidedAtMs).toBeGreaterThanOrEqual(60_000);
    const closed = scene.close(90_000);
    expect([closed.changes, closed.staff]).toMatchObject([[], { present: 0, people: 1 }]);
  });

  test('staff who stand at the counter, in the queue or elsewhere make no visits', () => {
    const scene = sceneOf(WITH_STAFF);
    const cashier: Way = [...CASHIER, [80, 'counter'], [100, 'queue'], [120, 'floor'], [130, 'till']];
    watch(scene, [cashier], [0, 70]);
    const { visits, last } = watch(scene, [cashier], [70, 150]);
    expect([visits, last.staff]).toMatchObject([[], { present: 1, people: 1 }]);
  });

  test('customers count as without staff, also while staff serve them', () => {
    const scene = sceneOf(WITH_STAFF);
    const late = CUSTOMER.map(([from, place]) => [from + 70, place] as const);
    const { visits } = watch(scene, [CASHIER, late], [0, 160]);
    const outcomes = visits.filter(({ state }) => state !== 'discarded');
    expect(outcomes).toMatchObject([{ state: 'closed', outcome: 'completed' }]);
    expect(outcomes[0]!.queueEnteredAtMs).toBeGreaterThanOrEqual(75_000);
  });

  test('a customer who is in the staff zone for less than half of the time is not staff', () => {
    const scene = sceneOf(WITH_STAFF);
    const customer: Way = [
      [0, 'queue'],
      [60, 'till'],
      [100, 'floor'],
    ];
    const { visits, last } = watch(scene, [customer], [0, 110]);
    expect(visits).toMatchObject([{ state: 'closed', outcome: 'completed' }]);
    expect(last.staff).toEqual({
      present: 0,
      people: 0,
      meanDecisionSeconds: null,
      longestDecisionSeconds: null,
      members: [],
    });
  });

  test('visits that ended before the decision stay', () => {
    const scene = sceneOf(WITH_STAFF);
    const cashier: Way = [...CASHIER, [15, 'floor'], [25, 'till']];
    const { visits } = watch(scene, [cashier], [0, 120]);
    expect(visits).toMatchObject([{ outcome: 'completed' }, { state: 'discarded', outcome: null }]);
  });

  test('a person who is hidden for three seconds stays the same person, before and after the decision', () => {
    const scene = sceneOf(WITH_STAFF);
    const cashier: Way = [...CASHIER, [30, null], [33, 'till'], [80, null], [83, 'till']];
    const { last } = watch(scene, [cashier], [0, 100]);
    expect(last).toMatchObject({ open: { inService: 0 }, staff: { present: 1, people: 1 } });
    // From the first sighting, the three seconds out of sight included.
    expect(last.staff!.longestDecisionSeconds).toBeGreaterThanOrEqual(62);
    expect(last.staff!.longestDecisionSeconds).toBeLessThan(70);
  });

  test('a checkpoint keeps the evidence of each person, and who is staff', () => {
    const first = sceneOf(WITH_STAFF);
    watch(first, [CASHIER], [0, 40]);
    const second = sceneOf(WITH_STAFF, first.checkpoint());
    const { visits, last } = watch(second, [CASHIER], [40, 80]);
    expect(visits).toMatchObject([{ id: 1, state: 'discarded' }]);
    expect(last.staff!.longestDecisionSeconds).toBeLessThan(66);
    const third = watch(sceneOf(WITH_STAFF, second.checkpoint()), [CASHIER], [80, 110]);
    // Without the state of the tracker its ids begin anew.
    const [member] = third.last.staff!.members;
    expect(third.visits).toEqual([]);
    expect(third.last.staff).toEqual({
      ...last.staff,
      members: [{ ...last.staff!.members[0], trackId: member!.trackId }],
    });
  });

  test('a staff zone with nobody in it changes nothing', () => {
    const empty = { ...STAFF_ZONE, points: STAFF_ZONE.points.map(([x, y]) => [x, y / 10] as const) };
    const [plain, watched] = [sceneOf(ZONES), sceneOf({ ...ZONES, staffZone: empty })].map((scene) =>
      watch(scene, [CUSTOMER, CASHIER], [0, 120]),
    );
    expect(watched!.visits).toEqual(plain!.visits);
    expect({ ...watched!.last, staff: null }).toEqual(plain!.last);
    expect(plain!.visits).toHaveLength(2);
  });
});
