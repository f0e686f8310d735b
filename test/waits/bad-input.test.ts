import { describe, expect, test } from '@jest/globals';
import { localTimeIn } from '../../src/metrics/waits/local-time.ts';
import { WaitPredictor } from '../../src/waits/wait-predictor.ts';

const HOUR = 3600;
const NOON = Date.UTC(2026, 9, 24, 12) / 1000;

/** One service of a minute after the other, to people who had waited for half of one. */
function serve(predictor: WaitPredictor, services: number, from: number, till = 'till'): number {
  let at = from;
  for (let service = 0; service < services; service++) {
    const person = `${from} ${service}`;
    predictor.joined(person, at - 30);
    predictor.started(person, at, till);
    predictor.ended(person, at + 60);
    at += 65;
  }
  return at;
}

describe('input that is not as one would like it', () => {
  test.each<[string, (predictor: WaitPredictor) => number, string]>([
    ['no service was ever seen', () => NOON, 'noServiceSeen'],
    ['one visit was seen', (predictor) => serve(predictor, 1, NOON), 'learning'],
    [
      'people wait before a shop that is closed',
      (predictor) => {
        const closedAt = serve(predictor, 60, NOON);
        predictor.tillIs('till', 'closed', closedAt);
        for (let at = closedAt; at < closedAt + 8 * HOUR; at += 600) predictor.joined(`night ${at}`, at);
        return closedAt + 8 * HOUR;
      },
      'noServiceSeen',
    ],
    [
      'nobody saw the line for an hour',
      (predictor) => {
        const at = serve(predictor, 60, NOON);
        predictor.uncovered(at);
        return at + HOUR;
      },
      'notCovered',
    ],
  ])('%s: no number, with a reason', (_, play, reason) => {
    const predictor = new WaitPredictor();
    expect(predictor.predict(play(predictor))).toEqual({ median: null, low: null, high: null, reason });
  });

  test('a till with another name is a till that nobody knows, whose services are as long as all', () => {
    const predictor = new WaitPredictor();
    const renamedAt = serve(predictor, 60, NOON);
    const at = serve(predictor, 5, renamedAt, 'other name');
    predictor.joined('busy', at);
    predictor.started('busy', at, 'other name');
    predictor.joined('waiting', at + 1);
    const { median } = predictor.predict(at + 1);
    expect(median).toBeGreaterThan(60);
    expect(median).toBeLessThan(180);
  });

  test('a scene that is copied to another camera learns how long services take, and neither tills nor people', () => {
    const predictor = new WaitPredictor();
    const at = serve(predictor, 60, NOON);
    predictor.joined('of the other line', at);
    predictor.tillIs('till', 'closed', at);
    predictor.moveAway();
    // Its visits may be older than those of the line from which it was copied.
    const own = NOON - 24 * HOUR;
    expect([predictor.inLine, predictor.predict(own).reason]).toEqual([0, 'noServiceSeen']);
    predictor.joined('first', own);
    predictor.started('first', own, 'till');
    predictor.joined('second', own + 1);
    const { median, reason } = predictor.predict(own + 1);
    expect(reason).toBeNull();
    expect(median).toBeGreaterThan(60);
    expect(median).toBeLessThan(180);
  });

  test('a clock that changes moves the hour on the wall, and no time that passes', () => {
    const local = localTimeIn('Europe/Berlin');
    expect([local(NOON), local(NOON + 24 * HOUR)]).toEqual([
      { hour: 14, weekday: expect.any(Number) },
      { hour: 13, weekday: expect.any(Number) },
    ]);
    const [changing, plain] = [new WaitPredictor(local), new WaitPredictor()].map((predictor) => {
      // Until after the clock went back at 01:00 UTC.
      const at = serve(predictor, 780, NOON);
      predictor.joined('waiting', at);
      return predictor.predict(at + 1).median!;
    });
    expect(Math.abs(changing! - plain!)).toBeLessThan(15);
  });
});
