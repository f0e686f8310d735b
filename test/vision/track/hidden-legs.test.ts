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

describe('a box is cut', () => {
  const cases: [string, Detection, Detection[], boolean][] = [
    ['no: nobody covers the legs', seen(UPPER), [], false],
    ['yes: a nearer person is where the legs would be', seen(UPPER), [seen(body(0.51, 0.45, 0.9))], true],
    ['no: that box has a low score', seen(UPPER), [seen(body(0.51, 0.45, 0.9), 0.2)], false],
    ['no: the upper part has a low score', seen(UPPER, 0.4), [seen(body(0.51, 0.45, 0.9))], false],
    ['no: a nearer person is beside it', seen(UPPER), [seen(body(0.58, 0.45, 0.9))], false],
    ['no: the other person is farther away', seen(WHOLE), [seen(body(0.5, 0.25, 0.6))], false],
  ];
  test.each(cases)('%s', (_, detection, others, isCut) => {
    expect(cutDetections([...others, detection]).has(detection)).toBe(isCut);
  });
});

describe('withLegs', () => {
  test('extends the box by the expected height below the head', () => {
    const { left, right, top, bottom } = withLegs(body(0.51, 0.31, 0.5), WHOLE);
    expect([left, right, top]).toEqual([0.46, 0.56, 0.31]);
    expect(bottom).toBeCloseTo(0.71);
  });
  test.each([
    ['the head is elsewhere', body(0.5, 0.36, 0.55)],
    ['the box is beside the expected one', body(0.54, 0.3, 0.5)],
    ['the box shows only a head', body(0.5, 0.3, 0.4)],
    ['nearly the whole body is visible', body(0.5, 0.3, 0.68)],
    ['the box is larger than expected', body(0.5, 0.3, 0.9)],
  ])('leaves the box unchanged if %s', (_, box) => {
    expect(withLegs(box, WHOLE)).toBe(box);
  });
});

/** A person stands still while another one walks past in front of their legs. @returns y of the foot points */
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

test('the track and the foot point of a person with hidden legs stay', () => {
  const feet = passingBy(true);
  expect(feet).toHaveLength(29);
  expect(Math.min(...feet)).toBeGreaterThan(0.68);
  // For a detector of whole bodies, the shorter box is another person.
  expect(passingBy(false).length).toBeLessThan(29);
});
