import { describe, expect, test } from '@jest/globals';
import { downToFeet, judgeBox } from '../../../src/vision/feet/cut-box.ts';
import { StandingHeight } from '../../../src/vision/feet/standing-height.ts';
import { height } from '../../../src/vision/geometry.ts';
import type { Box } from '../../../src/vision/types.ts';
import { ASPECT, cutAt, personAt, taught, WHOLE_FLOOR } from './shop-camera.ts';

const model = taught(WHOLE_FLOOR, 5);
const person = personAt(3);
const judge = (box: Box) => judgeBox(model, box, ASPECT);

/** How far below the box the feet are put. */
function movedBy(box: Box, hasWalked: boolean): number {
  const judged = judge(box);
  return judged?.feet === 'estimated' ? downToFeet(box, judged.whole, hasWalked).bottom - box.bottom : 0;
}

describe('a box', () => {
  test.each([0.45, 0.55, 0.65])('that shows %d of a person reaches down to the feet', (share) => {
    for (const away of [2.5, 3, 4, 5]) {
      const whole = personAt(away);
      const judged = judge(cutAt(whole, share));
      expect(judged).toMatchObject({ feet: 'estimated', whole: { top: whole.top, left: whole.left } });
      const cut = cutAt(whole, share);
      expect(cut.bottom + movedBy(cut, true)).toBeCloseTo(whole.bottom, 1);
    }
  });

  test.each([0.9, 1, 1.1])('of a whole person of %d of the usual height stays as it is', (tall) => {
    expect(judge(personAt(3, 0.5, tall))).toMatchObject({ feet: 'seen' });
  });

  test('of a child is that of a child, because it is also narrow', () => {
    for (const tall of [0.5, 0.6, 0.7, 0.8]) expect(movedBy(personAt(3, 0.5, tall), true)).toBe(0);
  });

  test('of somebody who sits or bends moves by a tenth of the picture at most, until they walk', () => {
    for (const share of [0.6, 0.7, 0.8]) {
      const lower = { ...person, top: person.bottom - share * height(person) };
      expect(movedBy(lower, false)).toBeLessThanOrEqual(0.1 + 1e-9);
    }
  });

  test('is not called whole where the model, unsure as it is, expects somebody smaller than the box', () => {
    const shape = { mean: Math.log(2.6), variance: 0.06 ** 2 };
    const unsure = { at: () => ({ logHeight: Math.log(0.12), deviation: 0.4 }), shape };
    const upperBody = { left: 0.4, right: 0.4 + 0.3 / 2.6 / ASPECT, top: 0.3, bottom: 0.45 };
    const judged = judgeBox(unsure as unknown as StandingHeight, upperBody, ASPECT);
    expect(judged?.feet).not.toBe('seen');
  });

  test('of a head alone is neither that of a person nor of a part that tells where the feet are', () => {
    const tall = height(person);
    const head = { ...cutAt(person, 0.14), left: person.left + tall / 16, right: person.right - tall / 16 };
    expect(judge(head)).toBeNull();
  });

  test('says nothing where the model does not know, and at the lower edge of the picture', () => {
    expect(judgeBox(new StandingHeight(), cutAt(person, 0.5), ASPECT)).toBeNull();
    expect(judge({ ...person, bottom: 0.995 })).toBeNull();
  });
});
