import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createRandom } from '../../../src/simulator/random.ts';
import { sceneConfigSchema } from '../../../src/vision/scene-config.ts';
import type { AnalysisClass, SceneConfig } from '../../../src/vision/types.ts';
import { readScene } from '../../replay/scene-file.ts';
import { readJson } from '../../support/read-json.ts';
import { readFootage } from '../footage/footage.ts';
import { truthPath } from '../footage/mot-files.ts';
import type { Span } from '../matching/spans.ts';
import { ShopTruthSchema, visitStays } from '../shop/truth.ts';
import { type LabelledStay, readLabels } from '../visits/label-file.ts';
import { scoredFootage } from '../visits/scored-footage.ts';

/** The true stays of a scene, milliseconds of the video. */
export interface Truth {
  readonly queue: readonly Span[];
  readonly service: readonly Span[];
}

export interface JudgedScene {
  readonly config: SceneConfig;
  /** Null where nobody knows: then the visits of all frames alone are compared with. */
  readonly truth: Truth | null;
}

export interface SceneOptions {
  readonly fps: number;
  readonly zones: number;
  readonly seed: number;
  readonly class: AnalysisClass;
  readonly model: string;
}

const LASTING = Number.MAX_SAFE_INTEGER;

/**
 * The scenes of a video: those of the truth that lies beside it (`NAME.truth.json` of `npm run simulate`, `scene.json` with
 * `labels.csv`, or `gt/gt.txt` with random zones), or else random ones.
 */
export async function scenesOfVideo(video: string, options: SceneOptions): Promise<readonly JudgedScene[]> {
  const folder = dirname(video);
  const simulated = `${video.replace(/\.[^./]+$/, '')}.truth.json`;
  if (existsSync(simulated)) return [await sceneOfShop(simulated)];
  const [scene, labels] = [join(folder, 'scene.json'), join(folder, 'labels.csv')];
  if (existsSync(scene) && existsSync(labels)) return [await sceneOfTill(scene, labels)];
  if (existsSync(truthPath(folder))) return scenesOfSequence(folder, options);
  return randomScenes(options).map((config) => ({ config, truth: null }));
}

const inMs = ([from, to]: Span): Span => [from * 1000, to * 1000];

async function sceneOfShop(path: string): Promise<JudgedScene> {
  const truth = await readJson(path, ShopTruthSchema, {
    ...{ name: 'truth file', advice: 'make it again with `npm run simulate`' },
  });
  const stays = visitStays(truth, truth.seconds);
  return {
    config: sceneConfigSchema.parse({ zones: truth.zones, parameters: truth.parameters }),
    truth: {
      queue: stays.flatMap(({ wait }) => (wait ? [inMs(wait)] : [])),
      service: stays.flatMap(({ service }) => (service ? [inMs(service)] : [])),
    },
  };
}

async function sceneOfTill(scene: string, path: string): Promise<JudgedScene> {
  const labels = await readLabels(path);
  const span = (stay: LabelledStay | null): Span[] =>
    stay ? [[stay.from * 1000, stay.to === null ? LASTING : stay.to * 1000]] : [];
  return {
    config: await readScene(scene),
    truth: {
      queue: labels.flatMap(({ queue }) => span(queue)),
      service: labels.flatMap(({ service }) => span(service)),
    },
  };
}

async function scenesOfSequence(folder: string, options: SceneOptions): Promise<JudgedScene[]> {
  const footage = await readFootage(folder, options.model);
  const scored = scoredFootage(footage, { ...options, entry: 1, confidence: 0.6 });
  const { aspect: _, ...parameters } = scored.parameters;
  return scored.zones.map(({ zone, truth }) => ({
    config: sceneConfigSchema.parse({ zones: { queueZone: { type: 'polygon', points: zone } }, parameters }),
    truth: { queue: truth, service: [] },
  }));
}

/** Scenes of a queue beside a checkout, and one of a queue alone. Thresholds of a second make many visits of short clips. */
function randomScenes({ zones: count, seed, class: followed }: SceneOptions): SceneConfig[] {
  const random = createRandom(seed);
  const parameters = { class: followed, entryThresholdSeconds: 1, exitThresholdSeconds: 1 };
  const box = (left: number, top: number, right: number, bottom: number) => ({
    type: 'polygon',
    points: [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
    ],
  });
  const drawn = Array.from({ length: count }, () => {
    const [width, height] = [0.25 + 0.45 * random.next(), 0.25 + 0.45 * random.next()];
    const [left, top] = [random.next() * (1 - width), random.next() * (1 - height)];
    const middle = left + 0.6 * width;
    return {
      queueZone: box(left, top, middle, top + height),
      checkoutZone: box(middle, top, left + width, top + height),
    };
  });
  return [{ queueZone: box(0, 0, 1, 1) }, ...drawn].map((zones) =>
    sceneConfigSchema.parse({ zones, parameters }),
  );
}
