import { assign } from '../../../src/cameras/scenes/checks/times/assign.ts';
import { type BoxView, boxViews } from '../../../src/simulator/faults/box-cover.ts';
import { height, intersection, iou, width } from '../../../src/vision/geometry.ts';
import { MIN_SCORE } from '../../../src/vision/pipeline.ts';
import type { Box, Detection } from '../../../src/vision/types.ts';
import { type Footage, isPerson } from '../footage/footage.ts';
import { type MotRow, readFrames, toDetection, truthPath } from '../footage/mot-files.ts';

/** One true person in one frame, with the detections of that person. */
export interface Sighting {
  readonly personId: number;
  /** From 1. */
  readonly frame: number;
  /** Whole body, fractions of the frame. */
  readonly box: Box;
  readonly view: BoxView;
  readonly found: Detection | null;
  /** Further boxes of the same person. */
  readonly duplicates: readonly Detection[];
}

export interface Sighted {
  readonly name: string;
  readonly framesPerSecond: number;
  readonly frames: number;
  readonly sightings: readonly Sighting[];
  /** For each frame: boxes where nobody is. */
  readonly falseBoxes: readonly (readonly Detection[])[];
}

const LEAST_IOU = 0.5;
/** A further box shows a person again if it shares at least this part of its area with the person. */
const SAME_PERSON = 0.6;
/** A box that overlaps ground truth which is not scored is neither right nor false. */
const UNSCORED_IOU = 0.3;
const UPPER_BODY = { top: 0.12, aside: 0.3, least: 0.3 };

/** The rows of the ground truth in each frame that are not scored. @param folder of the sequence */
export const readUnscored = (folder: string, frames: number): Promise<MotRow[][]> =>
  readFrames(truthPath(folder), frames, (row) => !isPerson(row));

export function sightingsOf(footage: Footage, unscored: readonly (readonly MotRow[])[]): Sighted {
  const falseBoxes: Detection[][] = [];
  const sightings = footage.frames.flatMap(({ frame, truth, detections: all }, at): Sighting[] => {
    const detections = all.filter(({ score }) => score >= MIN_SCORE);
    const boxes = truth.map((row) => toDetection(row, footage.size).box);
    const views = boxViews(boxes).map(({ visible, legs }, person) => ({
      visible: truth[person]!.visibility ?? visible,
      legs,
    }));
    const partners = assign(
      boxes.map((box) => detections.map((detection) => likeness(box, detection))),
      detections.length,
    );
    const taken = new Set(partners);
    const others = detections.filter((_, index) => !taken.has(index));
    const duplicates = boxes.map((): Detection[] => []);
    const ignored = unscored[at]!.map((row) => toDetection(row, footage.size).box);
    falseBoxes.push(
      others.filter((detection) => {
        const { box } = detection;
        const owner = ownerOf(box, boxes);
        if (owner !== null) duplicates[owner]!.push(detection);
        return owner === null && !ignored.some((one) => iou(one, box) >= UNSCORED_IOU);
      }),
    );
    return boxes.map((box, person) => ({
      ...{ personId: truth[person]!.id, frame, box, view: views[person]! },
      found: partners[person] === null ? null : detections[partners[person]!]!,
      duplicates: duplicates[person]!,
    }));
  });
  const { name, framesPerSecond, frames } = footage;
  return { name, framesPerSecond, frames: frames.length, sightings, falseBoxes };
}

/**
 * 0 where the box shows neither the whole body of the person nor its upper part. Of two boxes of one person, the one with
 * the higher score counts as the person's box, as for the tracker; the other one is the second box.
 */
function likeness(body: Box, { box: found, score }: Detection): number {
  const overlap = iou(body, found);
  if (overlap >= LEAST_IOU) return overlap + score;
  const share = height(found) / height(body);
  const isUpperBody =
    Math.abs(found.top - body.top) <= UPPER_BODY.top * height(body) &&
    Math.abs(found.left + found.right - body.left - body.right) / 2 <= UPPER_BODY.aside * width(body) &&
    share >= UPPER_BODY.least &&
    share <= 1;
  return isUpperBody ? overlap / 2 + score : 0;
}

function ownerOf(box: Box, bodies: readonly Box[]): number | null {
  const size = width(box) * height(box);
  const shares = bodies.map((body) => intersection(body, box) / size);
  const best = shares.indexOf(Math.max(...shares));
  return best >= 0 && shares[best]! >= SAME_PERSON ? best : null;
}
