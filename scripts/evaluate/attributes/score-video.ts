import type { Capture, CapturedPerson } from '../../../src/attributes/capture.ts';
import { PeopleOfRun } from '../../../src/runs/record/captures/people-of-run.ts';
import { FrameRing } from '../../../src/video/frame-ring.ts';
import { AttributeWatch } from '../../../src/vision/attributes/attribute-watch.ts';
import type { CombinedAttributeModel } from '../../../src/vision/attributes/combined-attribute-model.ts';
import { ALL_ATTRIBUTE_KEYS } from '../../../src/vision/attributes/keys.ts';
import { iou } from '../../../src/vision/geometry.ts';
import { observeFrame } from '../../../src/vision/observe-frame.ts';
import { ScenePipeline } from '../../../src/vision/pipeline.ts';
import type { Look } from '../../../src/vision/still/still-frames.ts';
import type { Box, Detection } from '../../../src/vision/types.ts';
import { withVideo } from '../../support/footage/video-frames.ts';
import { type DrawnTruth, orientationKey, wornKeys } from './drawn-people.ts';
import { KeyScores } from './key-scores.ts';

/** Crops that can be saved up for later frames, as in the service. */
const MOST_SAVED = 16;
/** People of whom less is visible are not scored. */
const LEAST_VISIBLE = 0.5;
const SAME_IOU = 0.4;

export interface VideoOptions {
  readonly attributeModels: CombinedAttributeModel;
  /** Name of the detector. */
  readonly model: string;
  readonly fps: number;
  /** Crops to classify a second, about as many as the budget of the service allows. */
  readonly cropsPerSecond: number;
}

/** Sends the video of a simulated shop through detector, tracker and attribute models, and compares each capture with the truth. */
export function scoreVideo(video: string, truth: DrawnTruth, options: VideoOptions): Promise<KeyScores> {
  const { attributeModels, model, fps, cropsPerSecond } = options;
  return withVideo(
    { video, model, fps, label: 'attributes', hasFullFrames: true },
    async ({ detector, frames }) => {
      const { zones, parameters } = truth;
      const scene = new ScenePipeline({ sceneId: 'attributes', config: { zones, parameters } });
      const watch = new AttributeWatch(attributeModels);
      const ring = new FrameRing();
      const people = new PeopleOfRun(attributeModels.keys);
      const scores = new KeyScores();
      let detections: readonly Detection[] = [];
      const onLook = ({ detections: found }: Look) => {
        detections = found;
      };
      let [saved, lastMs] = [0, 0];
      for await (const frame of frames) {
        const { timeMs, index, full } = frame;
        ring.add(frame);
        const [seen] = await observeFrame(frame, { detector, scenes: [scene], onLook });
        watch.see({ timeMs, index, full }, seen!.tracks, detections);
        people.observe(seen!);
        saved = Math.min(MOST_SAVED, saved + ((timeMs - lastMs) / 1000) * cropsPerSecond);
        lastMs = timeMs;
        while (saved >= 1 && (await watch.classifyNext((wanted) => ring.get(wanted)))) saved--;
        people.learn(watch.takeChanges());
        const capture = people.takeCapture();
        if (capture) compare(capture, { truth, people, scores });
      }
      return scores;
    },
  );
}

/** Shorts or a skirt: whether the legs are bare, whatever the garment. */
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
    const reported = people.attributesOf(nearest(box, persons)?.trackId ?? -1, atMs);
    const actual = [...wornKeys(person), orientationKey(facing)];
    for (const key of ALL_ATTRIBUTE_KEYS) {
      const said = reported?.known.includes(key) ? reported.attributes.includes(key) : null;
      scores.add(key, actual.includes(key), said);
    }
    const isBare = (keys: readonly string[]) => keys.includes('shorts') || keys.includes('skirtDress');
    scores.add(
      BARE_LEGS,
      isBare(actual),
      reported && isBare(reported.known) ? isBare(reported.attributes) : null,
    );
  }
}

function nearest(box: Box, persons: Capture['persons']): CapturedPerson | null {
  const by = persons.map((person) => ({ person, share: iou(box, person.box) }));
  const best = by.sort((a, b) => b.share - a.share)[0];
  return best && best.share >= SAME_IOU ? best.person : null;
}
