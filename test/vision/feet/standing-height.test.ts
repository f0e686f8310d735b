import { describe, expect, test } from '@jest/globals';
import { StandingHeight } from '../../../src/vision/feet/standing-height.ts';
import { ASPECT, personAt, taught, WHOLE_FLOOR } from './shop-camera.ts';

/** Error of the expected feet, in heights of the picture, and the uncertainty that the model states. */
function errorAt(model: StandingHeight, away: number) {
  const { top, bottom } = personAt(away);
  const expected = model.at(top)!;
  return { error: Math.abs(top + Math.exp(expected.logHeight) - bottom), deviation: expected.deviation };
}

describe('how tall a standing person is', () => {
  test('is learned over the whole floor from a few dozen people', () => {
    const model = taught(WHOLE_FLOOR, 4);
    for (const away of [2.3, 3, 4, 5]) {
      const { error, deviation } = errorAt(model, away);
      expect(error).toBeLessThan(0.02);
      expect(deviation).toBeLessThan(0.15);
    }
  });

  test('is vague before anybody was seen', () => {
    expect(errorAt(new StandingHeight(), 3).deviation).toBeGreaterThan(0.3);
  });

  test('stays vague elsewhere where all heads were at one height', () => {
    const model = taught([3.2], 40);
    expect(errorAt(model, 3.2).error).toBeLessThan(0.03);
    expect(errorAt(model, 5.4).deviation).toBeGreaterThan(
      1.5 * errorAt(taught(WHOLE_FLOOR, 5), 5.4).deviation,
    );
  });

  test('does not follow a quarter of boxes that are cut off', () => {
    const model = taught(WHOLE_FLOOR, 1);
    for (let time = 0; time < 8; time++) {
      for (const [at, away] of WHOLE_FLOOR.entries()) {
        const { left, right, top, bottom } = personAt(away);
        const share = (at + time) % 4 === 0 ? 0.6 : 1;
        model.learn(top, share * (bottom - top), (right - left) * ASPECT);
      }
    }
    expect(errorAt(model, 3).error).toBeLessThan(0.025);
  });

  test('does not follow two thirds of boxes that are cut off: they are too wide for their height', () => {
    const model = new StandingHeight();
    for (let time = 0; time < 12; time++) {
      for (const [at, away] of WHOLE_FLOOR.entries()) {
        const { left, right, top, bottom } = personAt(away);
        const share = (at + time) % 3 === 0 ? 1 : 0.55;
        model.learn(top, share * (bottom - top), (right - left) * ASPECT);
      }
    }
    expect(errorAt(model, 3).error).toBeLessThan(0.03);
    expect(model.wholeShare).toBeGreaterThan(0.2);
    expect(model.wholeShare).toBeLessThan(0.45);
  });

  test('goes with a checkpoint: as it is, or rounded to less than 2 KB', () => {
    const model = taught(WHOLE_FLOOR, 3);
    const restored = (isExact: boolean) =>
      new StandingHeight(JSON.parse(JSON.stringify(model.checkpoint(isExact))));
    const { top } = personAt(3);
    expect(restored(true).at(top)).toEqual(model.at(top));
    expect(restored(false).at(top)!.logHeight).toBeCloseTo(model.at(top)!.logHeight, 2);
    expect(JSON.stringify(model.checkpoint(false)).length).toBeLessThan(2048);
  });

  test('is forgotten, and begins anew with the evidence of another grid', () => {
    const model = taught(WHOLE_FLOOR, 3);
    model.forget();
    const { top } = personAt(3);
    expect(model.at(top)).toEqual(new StandingHeight().at(top));
    expect(new StandingHeight({ evidence: [1, 2], people: 9, seen: [], shape: [1, 1] }).people).toBe(0);
  });
});
