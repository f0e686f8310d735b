import { describe, expect, test } from '@jest/globals';
import type { Judgement } from '../../../src/vision/feet/cut-box.ts';
import { OwnHeight } from '../../../src/vision/feet/own-height.ts';
import { Tracker } from '../../../src/vision/track/tracker.ts';
import type { Box, Detection } from '../../../src/vision/types.ts';

const STEP = 0.2;

/** A person before a camera at eye level: the head is at one height, wherever they stand. @param tall in heights of the picture */
function personOf(tall: number, share = 1): Box {
  const half = (0.2 * tall) / 2;
  return { left: 0.5 - half, right: 0.5 + half, top: 0.4, bottom: 0.4 + share * tall };
}

/** @returns the whole boxes found for these, one after the other */
function watch(person: OwnHeight, boxes: readonly Box[]): (Box | null)[] {
  return boxes.map((box) => {
    person.predict(STEP);
    const whole = person.whole(box);
    person.see(box, false);
    return whole;
  });
}

const times = (count: number, box: Box): Box[] => Array.from({ length: count }, () => box);

function standing(tall = 0.4): OwnHeight {
  const person = new OwnHeight(personOf(tall));
  watch(person, times(15, personOf(tall)));
  return person;
}

describe('a person who was seen whole', () => {
  test('keeps the feet where a trolley hides them', () => {
    for (const whole of watch(standing(), times(25, personOf(0.4, 0.6)))) {
      expect(whole?.bottom).toBeCloseTo(0.8, 1);
    }
  });

  test('comes nearer behind the trolley: the width tells how much taller they are', () => {
    const nearer = Array.from({ length: 30 }, (_, at) => personOf(0.3 + 0.004 * at, 0.6));
    const last = watch(standing(0.3), nearer).at(-1);
    expect(Math.abs(last!.bottom - (0.4 + 0.416))).toBeLessThan(0.06);
  });

  test('is whole while they walk away, come nearer, or turn', () => {
    const walk = Array.from({ length: 40 }, (_, at) => personOf(0.4 * Math.exp(0.3 * Math.sin(at / 8))));
    const turned = { ...personOf(0.4), left: 0.44, right: 0.56 };
    expect(watch(standing(), [...walk, ...times(5, turned)])).toEqual(Array(45).fill(null));
  });

  test('bends down: the feet stay', () => {
    const bent = { ...personOf(0.4), top: 0.55 };
    expect(watch(standing(), times(25, bent))).toEqual(Array(25).fill(null));
  });

  test('is unknown when the feet may be far away: the longer they are hidden, the less is known', () => {
    const near = watch(standing(0.8), times(100, personOf(0.8, 0.6)));
    expect(near[0]?.bottom).toBeCloseTo(1.2, 1);
    expect(near.at(-1)).toBeNull();
    expect(watch(standing(3), times(3, personOf(3, 0.6)))).toEqual([null, null, null]);
  });

  test('goes on as before from a checkpoint', () => {
    const person = standing();
    watch(person, times(3, personOf(0.4, 0.6)));
    const next = new OwnHeight(personOf(0.1), JSON.parse(JSON.stringify(person.checkpoint())));
    const cut = personOf(0.4, 0.55);
    expect(watch(next, times(5, cut))).toEqual(watch(person, times(5, cut)));
  });
});

test('who was never seen whole has no feet, and is whole once the rest is seen', () => {
  const person = new OwnHeight(personOf(0.4, 0.6));
  expect(watch(person, times(20, personOf(0.4, 0.6)))).toEqual(Array(20).fill(null));
  expect(watch(person, times(15, personOf(0.4)))).toEqual(Array(15).fill(null));
  expect(watch(person, [personOf(0.4, 0.6)])[0]?.bottom).toBeCloseTo(0.8, 1);
});

describe('the tracker', () => {
  const feet = (judged: ReadonlyMap<Detection, Judgement> | null) => {
    const tracker = new Tracker();
    const boxes = [...times(15, personOf(0.4)), ...times(10, personOf(0.4, 0.6))];
    const tracks = boxes.map((box, at) =>
      tracker.update([{ box, score: 0.9, classId: 0 }], at * 200, judged),
    );
    return tracks.at(-1)![0]!;
  };

  test('follows the whole person where the place of the head tells nothing', () => {
    const track = feet(new Map());
    expect(track.feet).toBe('estimated');
    expect(track.box.bottom).toBeCloseTo(0.8, 1);
  });

  test('leaves the boxes of objects without feet as they are', () => {
    const track = feet(null);
    expect(track.feet).toBeUndefined();
    expect(track.box.bottom).toBeCloseTo(0.64, 2);
  });
});
