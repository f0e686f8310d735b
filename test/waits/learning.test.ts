import { describe, expect, test } from '@jest/globals';
import { Correction } from '../../src/waits/correction.ts';
import { Patience } from '../../src/waits/patience.ts';
import { luck } from '../../src/waits/random.ts';
import { plainTime, ServiceTimes } from '../../src/waits/service-times.ts';
import { Silence } from '../../src/waits/silence.ts';
import { Turns } from '../../src/waits/turns.ts';
import { weightedQuantiles } from '../../src/waits/weighted-quantiles.ts';

const meanOf = (draw: (u: number) => number): number => {
  let sum = 0;
  for (let n = 0; n < 2000; n++) sum += draw((n + 0.5) / 2000);
  return sum / 2000;
};

describe('service times', () => {
  test('keep two kinds of service apart: who has been served for long is of the long kind', () => {
    const times = new ServiceTimes(plainTime);
    for (let n = 0; n < 600; n++)
      times.add(n % 2 === 0 ? 30 + 10 * luck(n, 0, 0) : 300 + 60 * luck(n, 1, 0), 0, n * 100);
    const factor = times.factor(0, 0);
    expect(meanOf((u) => times.rest(0, factor, u))).toBeGreaterThan(140);
    expect(meanOf((u) => times.rest(0, factor, u))).toBeLessThan(220);
    expect(meanOf((u) => times.rest(100 * factor, factor, u))).toBeGreaterThan(180 * factor);
  });

  test('know a slow till from a fast one after some services, and shrink what they hardly know', () => {
    const times = new ServiceTimes(plainTime);
    for (let n = 0; n < 400; n++) times.add(60, 0, n * 60);
    times.add(240, 1, 400 * 60);
    expect(times.factor(1, 0) / times.factor(0, 0)).toBeLessThan(1.4);
    for (let n = 0; n < 60; n++) times.add(240, 1, (401 + n) * 60);
    expect(times.factor(1, 0) / times.factor(0, 0)).toBeGreaterThan(2);
  });

  test('what lasted longer than ever lasts on', () => {
    const times = new ServiceTimes(plainTime);
    for (let n = 0; n < 100; n++) times.add(60, 0, n * 60);
    expect(meanOf((u) => times.rest(600, 1, u))).toBeGreaterThan(60);
  });
});

test('patience counts who was served as somebody who would have waited longer', () => {
  const patience = new Patience();
  for (let n = 0; n < 3000; n++) {
    const gives = -300 * Math.log(luck(n, 0, 0));
    const served = 400 * luck(n, 1, 0);
    patience.add(Math.min(gives, served), gives < served);
  }
  expect(patience.survival(300)).toBeGreaterThan(0.32);
  expect(patience.survival(300)).toBeLessThan(0.42);
  expect(patience.rest(100, 0.5)).toBeCloseTo(300 * Math.LN2, -2);
});

test('silence learns that a till goes away after a minute', () => {
  const silence = new Silence();
  for (let n = 0; n < 300; n++) {
    silence.expose(0, 5, 0, 2);
    silence.begin(5, 0, 2);
  }
  for (let n = 0; n < 100; n++) silence.expose(5, 3000, 0, 2);
  expect(silence.rest(0, 0, 1)).toBeLessThan(10);
  expect(silence.rest(120, 0, 1)).toBeGreaterThan(1000);
});

test('turns learn that who was passed often is passed again', () => {
  const turns = new Turns();
  for (let n = 0; n < 500; n++) {
    turns.ask(0, n % 10 !== 0);
    turns.ask(20, n % 10 === 0);
  }
  expect(turns.share(0)).toBeCloseTo(0.9, 1);
  expect(turns.share(20)).toBeLessThan(0.2);
});

test('quantiles weigh their values', () => {
  const values = Float64Array.from([4, 1, 3, 2]);
  expect(weightedQuantiles(values, () => 1)).toEqual({ median: 2, mean: 2.5, low: 1, high: 4 });
  expect(weightedQuantiles(values, (value) => (value === 4 ? 100 : 0.001)).median).toBe(4);
});

describe('the correction', () => {
  const raw = { ahead: 3, median: 100, mean: 100, low: 80, high: 120 };
  test('opens a band that is too narrow until eight of ten are inside', () => {
    const correction = new Correction();
    let inside = 0;
    for (let n = 0; n < 4000; n++) {
      const said = correction.correct(raw);
      const seconds = 40 + 120 * luck(n, 0, 0);
      if (n >= 2000 && seconds >= said.low && seconds <= said.high) inside += 1;
      correction.learn(raw.ahead, said, seconds);
    }
    expect(inside / 2000).toBeGreaterThan(0.77);
    expect(inside / 2000).toBeLessThan(0.83);
  });

  test('follows a shop that has become slow, and stays ordered', () => {
    const correction = new Correction();
    for (let n = 0; n < 6000; n++) {
      const said = correction.correct(raw);
      expect(said.low).toBeLessThanOrEqual(said.median);
      expect(said.high).toBeGreaterThanOrEqual(said.median);
      correction.learn(raw.ahead, said, 180 + 40 * luck(n, 0, 0));
    }
    expect(correction.correct(raw).median).toBeGreaterThan(170);
    expect(correction.correct({ ...raw, ahead: 0 }).median).toBeCloseTo(100, 6);
  });
});
