import { join } from 'node:path';
import { type BoxView, boxViews } from '../../../src/simulator/faults/box-cover.ts';
import { height, intersection, iou, width } from '../../../src/vision/geometry.ts';
import { MIN_SCORE } from '../../../src/vision/pipeline.ts';
import type { Box, Detection } from '../../../src/vision/types.ts';
import type { Footage } from '../footage/footage.ts';
import { assign } from '../matching/assign.ts';
import { byFrame, type MotRow, readMotFile } from '../tracks/files.ts';
import { toDetection } from '../tracks/follow.ts';

/** One true person in one frame, and what the detector said of them. */
export interface Sighting {
  readonly personId: number;
  /** From 1. */
  readonly frame: number;
  /** Whole body, fractions of the picture. */
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
  /** Of each frame: boxes where nobody is. */
  readonly falseBoxes: readonly (readonly Detection[])[];
}

const LEAST_IOU = 0.5;
/** A further box that shares so much of its area with somebody shows them again. */
const SAME_PERSON = 0.6;
/** Ground truth that is no pedestrian to be found, and no empty floor either: a box there is not judged. */
const UNJUDGED_IOU = 0.3;
const UPPER_BODY = { top: 0.12, aside: 0.3, least: 0.3 };

/** Ground truth of each frame that is no person to be found. @param folder of the sequence */
export async function readUnjudged(folder: string, frames: number): Promise<MotRow[][]> {
  const path = join(folder, 'gt', 'gt.txt');
  const unjudged = (await readMotFile(path)).filter(
    ({ confidence, classId }) => confidence === 0 || classId !== 1,
  );
  return byFrame(unjudged, frames, path);
}

export function sightingsOf(footage: Footage, unjudged: readonly (readonly MotRow[])[]): Sighted {
  const falseBoxes: Detection[][] = [];
  const sightings = footage.frames.flatMap(({ frame, truth, detections: all }, at): Sighting[] => {
    const detections = all.filter(({ score }) => score >= MIN_SCORE);
    const boxes = truth.map((row) => toDetection(row, footage.picture).box);
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
    const ignored = unjudged[at]!.map((row) => toDetection(row, footage.picture).box);
    falseBoxes.push(
      others.filter((detection) => {
        const { box } = detection;
        const owner = ownerOf(box, boxes);
        if (owner !== null) duplicates[owner]!.push(detection);
        return owner === null && !ignored.some((one) => iou(one, box) >= UNJUDGED_IOU);
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
 * 0 where the box does not show that person: neither the whole body nor its upper part. Of two boxes of one person the
 * surer one is the person's, for a tracker takes it first, and the other one is the second box.
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
