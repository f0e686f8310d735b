import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Capture, CapturedPerson } from '../../../src/attributes/capture.ts';
import { loadConfig, MODELS_DIR } from '../../../src/config.ts';
import { loadDetector } from '../../../src/models/load-detector.ts';
import { PeopleOfRun } from '../../../src/recording/captures/people-of-run.ts';
import { FfmpegSource } from '../../../src/video/ffmpeg/ffmpeg-source.ts';
import { FrameRing } from '../../../src/video/frame-ring.ts';
import { AttributeWatch } from '../../../src/vision/attributes/attribute-watch.ts';
import type { CombinedAttributeModel } from '../../../src/vision/attributes/combined-attribute-model.ts';
import { ALL_ATTRIBUTE_KEYS } from '../../../src/vision/attributes/keys.ts';
import { observeFrame, ScenePipeline } from '../../../src/vision/pipeline.ts';
import type { Box, Detection } from '../../../src/vision/types.ts';
import { progress } from '../../support/terminal.ts';
import { type DrawnTruth, orientationKey, wornKeys } from './drawn-people.ts';
import { KeyScores } from './key-scores.ts';

/** Looks that can be saved up, as in the service. */
const MOST_SAVED = 16;
/** Whoever is less to be seen is nobody's to judge. */
const LEAST_VISIBLE = 0.5;
const SAME_IOU = 0.4;

export interface ShopOptions {
  readonly attributeModels: CombinedAttributeModel;
  readonly model: string;
  readonly fps: number;
  /** Looks at single people a second, as many as the service's budget allows. */
  readonly looksPerSecond: number;
}

/** Sends a simulated shop's video through detector, tracker and attributes, and compares each capture with the truth. */
export async function judgeShop(video: string, truth: DrawnTruth, options: ShopOptions): Promise<KeyScores> {
  const { modelCacheDir: cacheDir, ffmpegPath, ffprobePath } = loadConfig();
  const detector = await loadDetector({ model: options.model, modelsDir: MODELS_DIR, cacheDir });
  const { inputWidth, inputHeight } = detector;
  const url = pathToFileURL(resolve(video)).href;
  const paths = { url, ffmpegPath, ffprobePath };
  const source = new FfmpegSource({ ...paths, fps: options.fps, inputWidth, inputHeight, pace: 'fast' });
  const { zones, parameters } = truth;
  const scene = new ScenePipeline({ sceneId: 'attributes', config: { zones, parameters } });
  const watch = new AttributeWatch(options.attributeModels);
  const ring = new FrameRing();
  const people = new PeopleOfRun(options.attributeModels.keys);
  const scores = new KeyScores();
  let detections: readonly Detection[] = [];
  const onDetections = (found: readonly Detection[]) => {
    detections = found;
  };
  try {
    await source.open();
    const bar = progress('attributes', Math.floor((truth.boxes.length / truth.fps) * options.fps), 'frames');
    let [frames, saved, lastMs] = [0, 0, 0];
    for (let frame = await source.next(); frame; frame = await source.next()) {
      const { timeMs, index, full } = frame;
      ring.add(frame);
      const [seen] = await observeFrame(frame, { detector, scenes: [scene], onDetections });
      watch.see({ timeMs, index, full }, seen!.tracks, detections);
      people.observe(seen!);
      saved = Math.min(MOST_SAVED, saved + ((timeMs - lastMs) / 1000) * options.looksPerSecond);
      lastMs = timeMs;
      while (saved >= 1 && (await watch.classifyNext((wanted) => ring.get(wanted)))) saved--;
      people.learn(watch.takeChanges());
      bar.update(++frames);
      const capture = people.take();
      if (capture) compare(capture, { truth, people, scores });
    }
    bar.stop();
    return scores;
  } finally {
    await source.close();
    await detector.dispose();
  }
}

/** Shorts or a skirt: the length of what the legs wear, without its cut. */
export const BARE_LEGS = 'bare legs';

interface Comparison {
  readonly truth: DrawnTruth;
  readonly people: PeopleOfRun;
  readonly scores: KeyScores;
}

function compare({ atMs, persons }: Capture, { truth, people, scores }: Comparison): void {
  const { width, height } = truth;
  const frame = truth.boxes[Math.round((atMs / 1000) * truth.fps)] ?? [];
  for (const [personId, left, top, right, bottom, visible, facing] of frame) {
    const person = truth.persons.find(({ id }) => id === personId);
    if (!person || visible < LEAST_VISIBLE) continue;
    const box = { left: left / width, top: top / height, right: right / width, bottom: bottom / height };
    const judgement = people.told(nearest(box, persons)?.trackId ?? -1, atMs);
    const holds = [...wornKeys(person), orientationKey(facing)];
    for (const key of ALL_ATTRIBUTE_KEYS) {
      const said = judgement?.known.includes(key) ? judgement.attributes.includes(key) : null;
      scores.add(key, holds.includes(key), said);
    }
    const isBare = (keys: readonly string[]) => keys.includes('shorts') || keys.includes('skirtDress');
    const saysLegs = judgement?.known.includes('shorts') || judgement?.known.includes('skirtDress');
    scores.add(BARE_LEGS, isBare(holds), saysLegs ? isBare(judgement!.attributes) : null);
  }
}

function nearest(box: Box, persons: Capture['persons']): CapturedPerson | null {
  const by = persons.map((person) => ({ person, share: iou(box, person.box) }));
  const best = by.sort((a, b) => b.share - a.share)[0];
  return best && best.share >= SAME_IOU ? best.person : null;
}

function iou(a: Box, b: Box): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  if (width <= 0 || height <= 0) return 0;
  const area = (box: Box) => (box.right - box.left) * (box.bottom - box.top);
  return (width * height) / (area(a) + area(b) - width * height);
}
