import { describe, expect, test } from '@jest/globals';
import { Tracker } from '../../../src/vision/track/tracker.ts';
import { UnsureTrail } from '../../../src/vision/track/unsure-trail.ts';
import type { Box, Detection, Track } from '../../../src/vision/types.ts';

const boxAt = (x: number, bottom = 0.8): Box => ({
  left: x - 0.05,
  top: bottom - 0.4,
  right: x + 0.05,
  bottom,
});
const sure = (box: Box): Detection => ({ box, score: 0.85, classId: 0 });
const unsure = (box: Box): Detection => ({ box, score: 0.3, classId: 0 });

/** The boxes of the frames from 0 on, five a second; null: nothing. */
function trailOf(boxes: readonly (Box | null)[]): UnsureTrail {
  const trail = new UnsureTrail();
  for (const [frame, box] of boxes.entries()) trail.note(frame * 200, box ? [{ box, body: box }] : []);
  return trail;
}

describe('where an object was before its first sure box', () => {
  const still = boxAt(0.5);

  test('are the unsure boxes that lead there, the earliest first', () => {
    const way = [0.47, 0.48, 0.49].map((x) => boxAt(x));
    expect(trailOf(way).before(still, 600)).toEqual(way.map((box, frame) => ({ box, timeMs: frame * 200 })));
  });

  test.each<[string, (Box | null)[], number]>([
    ['with gaps of up to .6 s', [still, null, null, still], 2],
    ['not beyond a longer gap', [still, null, null, null, still], 1],
    ['not those elsewhere', [boxAt(0.7), boxAt(0.7)], 0],
    ['for two seconds at most', Array.from({ length: 40 }, () => still), 11],
  ])('%s', (_, boxes, count) => {
    expect(trailOf(boxes).before(still, boxes.length * 200)).toHaveLength(count);
  });

  test('is the box that overlaps most, down to its feet', () => {
    const trail = new UnsureTrail();
    const body = boxAt(0.5, 0.9);
    trail.note(0, [
      { box: boxAt(0.52), body: boxAt(0.52) },
      { box: boxAt(0.5), body },
      { box: boxAt(0.53), body: boxAt(0.53) },
    ]);
    expect(trail.before(still, 200)).toEqual([{ box: body, timeMs: 0 }]);
  });

  test('is kept by a checkpoint', () => {
    const trail = trailOf([still, still]);
    const moved = new UnsureTrail(JSON.parse(JSON.stringify(trail.checkpoint)));
    expect(moved.before(still, 400)).toEqual(trail.before(still, 400));
  });
});

describe('a tracker', () => {
  /** @returns the tracks of each frame, five a second */
  const watch = (frames: readonly Detection[][], tracker = new Tracker()): Track[][] =>
    frames.map((detections, frame) => tracker.update(detections, frame * 200));
  const [man, other] = [boxAt(0.5), boxAt(0.52)];

  test('tells with a new track where it was unsurely seen before, once', () => {
    const frames = watch([[unsure(man)], [unsure(man)], [sure(man)], [sure(man)], [sure(man)]]);
    expect(frames.slice(0, 3).flat()).toEqual([]);
    expect(frames[3]).toMatchObject([{ bornMs: 400, earlier: [{ timeMs: 0 }, { timeMs: 200 }] }]);
    expect(frames[4]![0]).not.toHaveProperty('earlier');
  });

  test('unsure boxes alone make no track, however long they stay', () => {
    expect(watch(Array.from({ length: 100 }, () => [unsure(man)])).flat()).toEqual([]);
  });

  test('of a new track that may be the second box of a visible person nothing earlier is told', () => {
    const both = [sure(man), sure(other)];
    const frames = watch([[sure(man)], [sure(man)], [sure(man), unsure(other)], both, both], new Tracker());
    expect(frames.flat().filter(({ earlier }) => earlier)).toEqual([]);
  });

  test('of what the unsure boxes of a known track explain nothing is told', () => {
    const walk = [0.3, 0.32, 0.34, 0.36].map((x) => boxAt(x));
    const frames = watch([
      [sure(walk[0]!)],
      [sure(walk[1]!)],
      [unsure(walk[2]!)],
      [unsure(walk[3]!)],
      [sure(man)],
      [sure(man)],
    ]);
    expect(frames.flat().filter(({ earlier }) => earlier)).toEqual([]);
  });
});
