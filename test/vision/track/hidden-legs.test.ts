import { describe, expect, test } from '@jest/globals';
import { cutDetections, withLegs } from '../../../src/vision/track/hidden-legs.ts';
import { Tracker } from '../../../src/vision/track/tracker.ts';
import type { Box, Detection } from '../../../src/vision/types.ts';

const body = (x: number, top: number, bottom: number): Box => ({
  left: x - 0.05,
  top,
  right: x + 0.05,
  bottom,
});
const seen = (box: Box, score = 0.85): Detection => ({ box, score, classId: 0 });

const WHOLE = body(0.5, 0.3, 0.7);
const UPPER = body(0.5, 0.3, 0.5);

describe('cutDetections', () => {
  const cases: [string, Detection, Detection[], boolean][] = [
    ['nobody before', seen(UPPER), [], false],
    ['somebody nearer stands where the legs would be', seen(UPPER), [seen(body(0.51, 0.45, 0.9))], true],
    ['a doubtful box there', seen(UPPER), [seen(body(0.51, 0.45, 0.9), 0.2)], false],
    ['an unsure upper part', seen(UPPER, 0.4), [seen(body(0.51, 0.45, 0.9))], false],
    ['somebody nearer beside', seen(UPPER), [seen(body(0.58, 0.45, 0.9))], false],
    ['somebody farther away', seen(WHOLE), [seen(body(0.5, 0.25, 0.6))], false],
  ];
  test.each(cases)('%s', (_, detection, others, isCut) => {
    expect(cutDetections([...others, detection]).has(detection)).toBe(isCut);
  });
});

describe('withLegs', () => {
  test('goes down by the expected height from where the head is seen', () => {
    const { left, right, top, bottom } = withLegs(body(0.51, 0.31, 0.5), WHOLE);
    expect([left, right, top]).toEqual([0.46, 0.56, 0.31]);
    expect(bottom).toBeCloseTo(0.71);
  });
  test.each([
    ['another head', body(0.5, 0.36, 0.55)],
    ['beside', body(0.54, 0.3, 0.5)],
    ['a head alone', body(0.5, 0.3, 0.4)],
    ['nearly all is seen', body(0.5, 0.3, 0.68)],
    ['somebody larger', body(0.5, 0.3, 0.9)],
  ])('leaves the box as it is: %s', (_, box) => {
    expect(withLegs(box, WHOLE)).toBe(box);
  });
});

/** Somebody stands still while another one walks by before their legs. */
function passingBy(visibleBoxes: boolean): number[] {
  const tracker = new Tracker({ visibleBoxes });
  const feet: number[] = [];
  for (let frame = 0; frame < 30; frame++) {
    const passer = body(0.2 + 0.02 * frame, 0.45, 0.95);
    const isHidden = Math.abs(passer.left + 0.05 - 0.5) < 0.035;
    const tracks = tracker.update(
      [seen(passer), seen(isHidden ? UPPER : WHOLE, isHidden ? 0.55 : 0.85)],
      frame * 200,
    );
    const stander = tracks.find(
      ({ box }) => Math.abs((box.left + box.right) / 2 - 0.5) < 0.02 && box.top < 0.4,
    );
    if (stander) feet.push(stander.box.bottom);
  }
  return feet;
}

test('somebody whose legs are hidden stays in sight, their feet where they are', () => {
  const feet = passingBy(true);
  expect(feet).toHaveLength(29);
  expect(Math.min(...feet)).toBeGreaterThan(0.68);
  // A detector that tells whole bodies is believed: then the shorter box is of somebody else.
  expect(passingBy(false).length).toBeLessThan(29);
});
