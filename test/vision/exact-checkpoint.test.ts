import { describe, expect, test } from '@jest/globals';
import { simulateShop } from '../../scripts/evaluate/simulated/simulated-shop.ts';
import { SHOP_ZONES } from '../../src/simulator/shop-zones.ts';
import { type SceneObservation, ScenePipeline } from '../../src/vision/pipeline.ts';
import { parametersSchema } from '../../src/vision/scene-config.ts';
import type { SceneConfig } from '../../src/vision/types.ts';
import { IS_THOROUGH } from '../support/thorough.ts';

const shop = simulateShop({
  scenario: 'crowd',
  detections: 'mot17',
  seed: 3,
  minutes: IS_THOROUGH ? 2 : 1,
  fps: 5,
});
const parameters = parametersSchema.parse({});
const SCENES: Readonly<Record<string, SceneConfig>> = {
  'both zones': { zones: SHOP_ZONES, parameters },
  'a staff zone': { zones: { ...SHOP_ZONES, staffZone: SHOP_ZONES.checkoutZone }, parameters },
};

/** What a scene observes of the whole shop, with another pipeline each `every` frames. */
function observed(config: SceneConfig, every = Number.POSITIVE_INFINITY): SceneObservation[] {
  let pipeline = new ScenePipeline({ sceneId: 's', config });
  const seen = shop.frames.map(({ timeMs, detections }, index) => {
    if (index > 0 && index % every === 0) {
      // The database stores the text as jsonb, which changes the order of keys.
      const checkpoint = JSON.stringify(sortedKeys(JSON.parse(pipeline.checkpoint(true))));
      pipeline = new ScenePipeline({ sceneId: 's', config, checkpoint });
    }
    return pipeline.update(detections, timeMs, index);
  });
  return [...seen, pipeline.close(shop.frames.at(-1)!.timeMs)];
}

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sortedKeys(inner)]),
  );
}

describe.each(Object.entries(SCENES))('a scene with %s', (_, config) => {
  const whole = observed(config);

  test('has visits in the simulated shop', () => {
    expect(whole.flatMap(({ changes }) => changes).length).toBeGreaterThan(10);
  });

  test.each(IS_THOROUGH ? [7, 50] : [50])('gives the same results when it moves each %d frames', (every) => {
    expect(observed(config, every)).toEqual(whole);
  });
});
