import { type Body, DetectionFaults } from '../../../src/simulator/faults/detection-faults.ts';
import { FAULT_RATES, type FaultRates } from '../../../src/simulator/faults/fault-rates.ts';
import { clothesOf, perfectDetections, visibleBodies } from '../../../src/simulator/faults/script-boxes.ts';
import type { Person } from '../../../src/simulator/person.ts';
import type { Place } from '../../../src/simulator/place.ts';
import type { Scenario } from '../../../src/simulator/scenario.ts';
import { ShopLog } from '../../../src/simulator/shop-log.ts';
import { ShopWorld, STEP_MS } from '../../../src/simulator/shop-world.ts';
import { wholeMs } from '../../../src/vision/moment.ts';
import { ScenePipeline } from '../../../src/vision/pipeline.ts';
import { parametersSchema } from '../../../src/vision/scene-config.ts';
import type { Detection } from '../../../src/vision/types.ts';
import { ReplayRecord } from '../../replay/replay-record.ts';
import { type Limit, type TrueBody, TruePeople, withTrueFeet } from '../footage/limits.ts';
import type { ShopTruth } from '../shop/truth.ts';
import { LEAST_SHOWN, ShownPeople } from './invented.ts';
import { timesRates } from './times-rates.ts';

/** How boxes are made: the whole box of each person, or with the faults of a detector as measured on real footage. */
export const DETECTIONS = { perfect: null, ...FAULT_RATES } as const satisfies Record<
  string,
  FaultRates | null
>;
export type Detections = keyof typeof DETECTIONS;

export interface ShopSettings {
  readonly scenario: Scenario;
  readonly detections: Detections;
  readonly seed: number;
  readonly minutes: number;
  readonly fps: number;
}

/** What an evaluation may know better; perfect detection is a kind of boxes. */
export type ShopLimit = Exclude<Limit, 'detection'>;

export const knowsFeet = (limit?: ShopLimit | null): boolean => limit === 'feet' || limit === 'misses';
export const knowsPeople = (limit?: ShopLimit | null): boolean =>
  limit === 'identities' || limit === 'misses';

export const PARAMETERS = parametersSchema.parse({});

/** The limits of feet and of identities, in a shop whose people are known. */
export const trueFeet = (detections: readonly Detection[], bodies: readonly TrueBody[]): Detection[] =>
  withTrueFeet(detections, bodies, LEAST_SHOWN);
export const truePeople = (bodiesAt: (timeMs: number) => readonly TrueBody[]): TruePeople =>
  new TruePeople(bodiesAt, PARAMETERS.trackingMaxAgeSeconds * 1000, LEAST_SHOWN);

/** A simulated shop without images: the detections of its people, and what the script did. */
export interface SimulatedShop {
  readonly fps: number;
  readonly frames: readonly {
    readonly timeMs: number;
    readonly detections: readonly Detection[];
    /** Everybody of whom something is visible. */
    readonly bodies: readonly TrueBody[];
  }[];
  readonly persons: ShopTruth['persons'];
  readonly zones: Place['zones'];
}

/** @param times how many times as many faults as measured */
export function simulateShop(
  { scenario, detections, seed, minutes, fps }: ShopSettings,
  times = 1,
): SimulatedShop {
  const world = new ShopWorld(seed, scenario);
  const detect = detectorOf(detections, seed, world.place, times);
  const log = new ShopLog();
  const frames = Array.from({ length: Math.ceil(minutes * 60 * fps) }, (_, frame) => {
    const timeMs = (frame * 1000) / fps;
    while (world.timeMs + STEP_MS <= timeMs) {
      world.advanceTo(world.timeMs + STEP_MS);
      log.observe(world);
    }
    const bodies = visibleBodies(world.people, world.place).map(
      ({ person: { id }, box, foot }): TrueBody => ({ id, box, foot }),
    );
    return { timeMs, detections: detect(world.people, timeMs), bodies };
  });
  return { fps, frames, persons: log.persons, zones: world.place.zones };
}

/**
 * Sends the boxes through tracker and zones, as a lane does.
 * @returns the script, the visits of the product, and the times of the frames in seconds
 */
export function watchShop({ fps, frames, persons, zones }: SimulatedShop, limit: ShopLimit | null = null) {
  const config = { zones, parameters: PARAMETERS };
  const bodiesAt = new Map(frames.map(({ timeMs, bodies }) => [wholeMs(timeMs), bodies]));
  const people = truePeople((timeMs) => bodiesAt.get(timeMs) ?? []);
  const pipeline = new ScenePipeline({
    ...{ sceneId: 'shop', config },
    ...(knowsPeople(limit) && { people }),
  });
  const shown = new ShownPeople();
  const record = new ReplayRecord(pipeline, config);
  for (const [at, { timeMs, detections, bodies }] of frames.entries()) {
    const boxes = knowsFeet(limit) ? trueFeet(detections, bodies) : detections;
    const { tracks, changes } = pipeline.update(boxes, timeMs, at + 1);
    shown.note(tracks, bodies);
    record.add(timeMs, changes);
  }
  const { visits, seconds } = record.finish(fps);
  const truth: ShopTruth = { seconds, zones: {}, parameters: PARAMETERS, persons };
  return { truth, visits, shown, framesAt: frames.map(({ timeMs }) => timeMs / 1000) };
}

export function detectorOf(
  kind: Detections,
  seed: number,
  place: Place,
  times = 1,
): (people: readonly Person[], timeMs: number) => Detection[] {
  const rates = DETECTIONS[kind];
  if (!rates) return (people) => perfectDetections(people, place);
  const faults = new DetectionFaults(seed, timesRates(rates, times));
  return (people, timeMs) => {
    const bodies = visibleBodies(people, place).map(
      ({ person, box, foot }): Body => ({ id: person.id, box, foot, clothes: clothesOf(person) }),
    );
    return faults.detect(bodies, timeMs);
  };
}
