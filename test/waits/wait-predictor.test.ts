import { describe, expect, test } from '@jest/globals';
import { luck } from '../../src/waits/random.ts';
import { LEARNED_SERVICES, WaitPredictor } from '../../src/waits/wait-predictor.ts';

const HOUR = 3600;

/** One till serves a service of a minute after the other, with five seconds between them, until `services` have ended. */
function served(services: number, seconds: (at: number) => number = () => 60, till: string | null = 'till') {
  const predictor = new WaitPredictor();
  let at = 9 * HOUR;
  for (let person = 0; person < services; person++) {
    predictor.joined(`p${person}`, at);
    predictor.started(`p${person}`, at, till);
    const end = at + seconds(person);
    predictor.joined(`w${person}`, end - 1);
    predictor.ended(`p${person}`, end);
    predictor.started(`w${person}`, end + 5, till);
    predictor.ended(`w${person}`, end + 5 + seconds(person + 0.5));
    at = end + 5 + seconds(person + 0.5) + 5;
  }
  return { predictor, at };
}

describe('the wait of somebody who joins now', () => {
  test('is unknown, with a reason, before there is anything to know', () => {
    const predictor = new WaitPredictor();
    expect(predictor.predict(0)).toEqual({ median: null, low: null, high: null, reason: 'noServiceSeen' });
    predictor.joined('a', 1);
    predictor.started('a', 2);
    expect(predictor.predict(3).reason).toBe('learning');
  });

  test(`is known after ${LEARNED_SERVICES} services`, () => {
    expect(served(LEARNED_SERVICES / 2).predictor.predict(13 * HOUR).reason).toBeNull();
    const { predictor, at } = served(LEARNED_SERVICES / 2 - 1);
    expect(predictor.predict(at).reason).toBe('learning');
  });

  test('is the rest of the service and one service for each person ahead', () => {
    const { predictor, at } = served(60, (n) => 50 + 20 * luck(1, Math.floor(n * 2), 0));
    predictor.joined('busy', at);
    predictor.started('busy', at, 'till');
    const alone = predictor.predict(at + 10);
    expect(alone.median).toBeGreaterThan(35);
    expect(alone.median).toBeLessThan(75);
    predictor.joined('one', at + 10);
    predictor.joined('two', at + 10);
    const behindTwo = predictor.predict(at + 10);
    expect(behindTwo.median! - alone.median!).toBeGreaterThan(90);
    expect(behindTwo.median! - alone.median!).toBeLessThan(170);
    expect(behindTwo.low!).toBeLessThan(behindTwo.median!);
    expect(behindTwo.high!).toBeGreaterThan(behindTwo.median!);
  });

  test('is short at once when a second till opens', () => {
    const { predictor, at } = served(60);
    predictor.joined('busy', at);
    predictor.started('busy', at, 'till');
    for (const person of ['a', 'b', 'c']) predictor.joined(person, at + 1);
    const before = predictor.predict(at + 10).median!;
    predictor.started('a', at + 10, 'second');
    const now = predictor.predict(at + 10).median!;
    expect(now).toBeLessThan(before * 0.7);
  });

  test('does not count a till that is silent while somebody waits', () => {
    const { predictor, at } = served(60);
    for (const till of ['second', 'third']) {
      predictor.joined(till, at);
      predictor.started(till, at, till);
      predictor.ended(till, at + 60);
    }
    predictor.joined('busy', at + 60);
    predictor.started('busy', at + 61, 'till');
    predictor.joined('waits', at + 62);
    const soon = predictor.predict(at + 63).median!;
    // The two others had 200 s to take somebody and did not.
    const later = predictor.predict(at + 262).median!;
    expect(soon).toBeLessThan(30);
    expect(later).toBeGreaterThan(soon);
  });

  test('takes the word of somebody who sees that a till is closed', () => {
    const { predictor, at } = served(60);
    predictor.joined('a', at);
    const open = predictor.predict(at).median!;
    predictor.tillIs('till', 'closed', at);
    expect(predictor.predict(at).median ?? Number.POSITIVE_INFINITY).toBeGreaterThan(open * 3);
    predictor.tillIs('till', 'free', at);
    expect(Math.abs(predictor.predict(at).median! - open)).toBeLessThan(10);
  });

  test('is unknown while nobody sees the line, and who waited before is forgotten', () => {
    const { predictor, at } = served(60);
    for (let person = 0; person < 9; person++) predictor.joined(`late${person}`, at);
    predictor.uncovered(at + 10);
    expect(predictor.predict(at + 60).reason).toBe('notCovered');
    predictor.covered(at + HOUR);
    expect(predictor.inLine).toBe(0);
    expect(predictor.predict(at + HOUR).reason).toBeNull();
    // Their ends, seen by nobody, change nothing.
    predictor.started('late3', at + HOUR + 1, 'till');
    predictor.ended('p3', at + HOUR + 2);
    expect(predictor.predict(at + HOUR + 3).reason).toBeNull();
  });

  test('is the same for the same past, and never shorter with one more ahead', () => {
    const one = served(60);
    const other = served(60);
    let last = -1;
    for (let person = 0; person < 12; person++) {
      const said = one.predictor.joined(`x${person}`, one.at);
      expect(other.predictor.joined(`x${person}`, other.at)).toEqual(said);
      expect(said.median).toBeGreaterThanOrEqual(last);
      last = said.median!;
    }
  });

  test('refuses times that are no numbers, and takes a time that runs back as now', () => {
    const { predictor, at } = served(60);
    expect(() => predictor.joined('a', Number.NaN)).toThrow(RangeError);
    expect(() => predictor.ended('a', Number.POSITIVE_INFINITY)).toThrow(RangeError);
    predictor.joined('a', at - 500);
    predictor.started('a', at - 400, 'till');
    expect(predictor.predict(at - 400).median).toBeGreaterThanOrEqual(0);
  });

  test('survives rubbish: ends without beginnings, two services at one till, many tills, a long line', () => {
    const { predictor, at } = served(60);
    predictor.ended('nobody', at);
    predictor.leftLine('nobody', at);
    for (let till = 0; till < 100; till++) predictor.started(`s${till}`, at + till, `till ${till}`);
    predictor.started('again', at + 101, 'till 99');
    for (let person = 0; person < 60; person++) predictor.joined(`q${person}`, at + 102);
    const said = predictor.predict(at + 103);
    expect(said.reason === null ? Number.isFinite(said.high) : said.reason).toBeTruthy();
  });
});
