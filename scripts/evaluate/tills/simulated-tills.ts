import { visibleBodies } from '../../../src/simulator/faults/script-boxes.ts';
import type { TillScenario } from '../../../src/simulator/scenario.ts';
import { STEP_MS } from '../../../src/simulator/shop-world.ts';
import { TillLog } from '../../../src/simulator/tills/till-log.ts';
import { TillWorld } from '../../../src/simulator/tills/till-world.ts';
import { ScenePipeline } from '../../../src/vision/pipeline.ts';
import type { TillSecond } from '../../../src/vision/tills/till-watch.ts';
import type { Visit } from '../../../src/vision/types.ts';
import type { TrueBody } from '../footage/limits.ts';
import {
  type Detections,
  detectorOf,
  knowsFeet,
  knowsPeople,
  PARAMETERS,
  type ShopLimit,
  trueFeet,
  truePeople,
} from '../simulated/simulated-shop.ts';
import type { FoundService, LiveTill, TillRecord } from './score-states.ts';

export interface TillShopSettings {
  readonly scenario: TillScenario;
  readonly boxes: Detections;
  readonly seed: number;
  readonly minutes: number;
  readonly fps: number;
  readonly limit?: ShopLimit | undefined;
}

/** Sends the people of a shop with tills through the product, one scene for each line. */
export function watchTillShop({ scenario, boxes, seed, minutes, fps, limit }: TillShopSettings): TillRecord {
  const world = new TillWorld(seed, scenario);
  const log = new TillLog();
  let bodies: readonly TrueBody[] = [];
  const scenes = world.shop.scenes.map((zones, at) => {
    const people = knowsPeople(limit) && { people: truePeople(() => bodies) };
    const pipeline = new ScenePipeline({
      ...{ sceneId: `${at}`, config: { zones, parameters: PARAMETERS } },
      ...people,
    });
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
  const detect = detectorOf(boxes, seed, world.place);
  const frames = minutes * 60 * fps;
  for (let frame = 0; frame < frames; frame++) {
    const timeMs = (frame * 1000) / fps;
    while (world.timeMs + STEP_MS <= timeMs) {
      world.advanceTo(world.timeMs + STEP_MS);
      log.observe(world);
    }
    bodies = visibleBodies(world.people, world.place).map(({ person: { id }, box, foot }) => ({
      ...{ id, box, foot },
    }));
    const found = detect(world.people, timeMs);
    const detections = knowsFeet(limit) ? trueFeet(found, bodies) : found;
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
