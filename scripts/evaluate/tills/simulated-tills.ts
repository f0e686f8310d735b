import { type Body, DetectionFaults } from '../../../src/simulator/faults/detection-faults.ts';
import { FAULT_RATES } from '../../../src/simulator/faults/fault-rates.ts';
import { clothesOf, perfectDetections, visibleBodies } from '../../../src/simulator/faults/script-boxes.ts';
import type { TillScenario } from '../../../src/simulator/scenario.ts';
import { STEP_MS } from '../../../src/simulator/shop-world.ts';
import { TillLog } from '../../../src/simulator/tills/till-log.ts';
import { TillWorld } from '../../../src/simulator/tills/till-world.ts';
import { ScenePipeline } from '../../../src/vision/pipeline.ts';
import { parametersSchema } from '../../../src/vision/scene-config.ts';
import type { TillSecond } from '../../../src/vision/tills/till-watch.ts';
import type { Detection, Visit } from '../../../src/vision/types.ts';
import type { FoundService, LiveTill, TillRecord } from './score-states.ts';

export const BOXES: readonly string[] = ['perfect', ...Object.keys(FAULT_RATES)];

export interface TillShopSettings {
  readonly scenario: TillScenario;
  /** `perfect`, or the name of measured faults. */
  readonly boxes: string;
  readonly seed: number;
  readonly minutes: number;
  readonly fps: number;
}

/** Sends the people of a shop with tills through the product, one scene for each line. */
export function watchTillShop({ scenario, boxes, seed, minutes, fps }: TillShopSettings): TillRecord {
  const world = new TillWorld(seed, scenario);
  const log = new TillLog();
  const parameters = parametersSchema.parse({});
  const scenes = world.shop.scenes.map((zones, at) => {
    const pipeline = new ScenePipeline({ sceneId: `${at}`, config: { zones, parameters } });
    return { tillIds: zones.tills!.map(({ id }) => id), pipeline, visits: new Map<number, Visit>() };
  });
  const seconds = new Map<string, Map<number, string>>();
  const live: LiveTill[] = [];
  const take = (tillIds: readonly string[], settled: readonly TillSecond[]) => {
    for (const { timeMs, states } of settled) {
      tillIds.forEach((id, at) => {
        const ofTill = seconds.get(id) ?? new Map<number, string>();
        ofTill.set(timeMs / 1000, states[at]!);
        seconds.set(id, ofTill);
      });
    }
  };
  const detect = detectorOf(boxes, seed, world);
  const frames = minutes * 60 * fps;
  for (let frame = 0; frame < frames; frame++) {
    const timeMs = (frame * 1000) / fps;
    while (world.timeMs + STEP_MS <= timeMs) {
      world.advanceTo(world.timeMs + STEP_MS);
      log.observe(world);
    }
    const detections = detect(timeMs);
    for (const { pipeline, tillIds, visits } of scenes) {
      const { tills, changes } = pipeline.update(detections, timeMs, frame + 1);
      keep(visits, changes);
      take(tillIds, tills!.settled);
      if (frame % fps === 0)
        for (const { tillId, state } of tills!.now) live.push({ tillId, second: timeMs / 1000, state });
    }
  }
  for (const { pipeline, tillIds, visits } of scenes) {
    const { tills, changes } = pipeline.close(((frames - 1) * 1000) / fps);
    keep(visits, changes);
    take(tillIds, tills!.settled);
  }
  const services = scenes.flatMap(({ visits }) => [...visits.values()].flatMap(servicesOf));
  return { truth: log.truth(), seconds, live, services };
}

function keep(visits: Map<number, Visit>, changes: readonly Visit[]): void {
  for (const visit of changes) {
    if (visit.state === 'discarded') visits.delete(visit.id);
    else visits.set(visit.id, visit);
  }
}

export const servicesOf = ({ services = [], outcomeDecidedAtMs }: Visit): FoundService[] =>
  services.map(({ tillId, startedAtMs, endedAtMs }) => ({
    ...{ tillId, from: startedAtMs / 1000, to: (endedAtMs ?? outcomeDecidedAtMs ?? startedAtMs) / 1000 },
  }));

function detectorOf(boxes: string, seed: number, world: TillWorld): (timeMs: number) => Detection[] {
  if (boxes === 'perfect') return () => perfectDetections(world.people, world.place);
  const faults = new DetectionFaults(seed, FAULT_RATES[boxes as keyof typeof FAULT_RATES]);
  return (timeMs) =>
    faults.detect(
      visibleBodies(world.people, world.place).map(
        ({ person, box, foot }): Body => ({ id: person.id, box, foot, clothes: clothesOf(person) }),
      ),
      timeMs,
    );
}
