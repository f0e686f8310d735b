import { ScenePipeline } from '../../../src/vision/pipeline.ts';
import { parametersSchema } from '../../../src/vision/scene-config.ts';
import { type ShopSettings, simulateShop } from '../simulated/simulated-shop.ts';

/** How many waited in a second, and how many the service said. */
export interface Second {
  readonly ours: number;
  readonly theirs: number;
}

/** One second after the other of a simulated shop: a person who looks at the picture counts whoever stands in the queue zone. */
export function watchCounts(settings: ShopSettings): Second[] {
  const { fps, frames, persons, zones } = simulateShop(settings);
  const pipeline = new ScenePipeline({
    sceneId: 'shop',
    config: { zones, parameters: parametersSchema.parse({}) },
  });
  const seconds: Second[] = [];
  for (const [at, { timeMs, detections }] of frames.entries()) {
    const { open } = pipeline.update(detections, timeMs, at + 1);
    if (at % fps !== 0) continue;
    const now = timeMs / 1000;
    const theirs = persons.filter(({ queue }) =>
      queue.some(([from, to]) => from <= now && (to === null || now < to)),
    ).length;
    seconds.push({ ours: open.queued, theirs });
  }
  return seconds;
}
