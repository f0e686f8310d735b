import { describe, expect, test } from '@jest/globals';
import { QUARTER_MS, QUARTER_SECONDS } from '../../../src/catalogue/metrics/quarter.ts';
import {
  codeOf,
  decodeSpans,
  encodeSpans,
  isLost,
  stateOf,
} from '../../../src/metrics/tills/encode-spans.ts';
import { RunTills } from '../../../src/metrics/tills/run-tills.ts';
import type { TillSecond } from '../../../src/vision/tills/till-watch.ts';
import { fc } from '../../support/property.ts';

const TILLS = [
  { id: 'a', name: 'Till A' },
  { id: 'b', name: 'Till B' },
];
const START = Date.UTC(2026, 10, 20, 10);
const second = (at: number, states: TillSecond['states'], waits = false): TillSecond => ({
  ...{ timeMs: START + at * 1000, states, isWaitedFor: states.map(() => waits) },
});

describe('the states of a quarter of an hour', () => {
  test('come back as they were stored', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 1, max: 900 })), {
          maxLength: 40,
        }),
        (runs) => {
          const codes = new Uint8Array(QUARTER_SECONDS);
          let at = 0;
          for (const [code, length] of runs) {
            codes.fill(code, at, Math.min(QUARTER_SECONDS, at + length));
            at += length;
          }
          expect(decodeSpans(encodeSpans(codes))).toEqual(codes);
        },
      ),
    );
  });

  test('a code tells state and lost time', () => {
    expect([codeOf('free', true), codeOf('closed', false)].map(stateOf)).toEqual(['free', 'closed']);
    expect([codeOf('free', true), codeOf('free', false)].map(isLost)).toEqual([true, false]);
  });

  test('unreadable bytes are unknown, never more than a quarter', () => {
    expect(decodeSpans(Uint8Array.of(0xff))).toEqual(new Uint8Array(QUARTER_SECONDS));
    expect(decodeSpans(Uint8Array.of(...new Array<number>(64).fill(0xff)))).toHaveLength(QUARTER_SECONDS);
  });
});

describe('the tills of a run', () => {
  test('sums and spans of each till; somebody who waits loses a second at the first free till', () => {
    const run = new RunTills(TILLS);
    run.add([
      second(0, ['serving', 'free'], true),
      second(1, ['free', 'free'], true),
      second(2, ['closed', 'free']),
      second(900, ['serving', 'closed']),
    ]);
    const [a, b, later] = run.take(null);
    expect(a).toMatchObject({
      tillId: 'a',
      name: 'Till A',
      quarterMs: START,
      servingSeconds: 1,
      freeSeconds: 1,
    });
    expect(a).toMatchObject({ closedSeconds: 1, lostSeconds: 1 });
    expect(b).toMatchObject({ tillId: 'b', freeSeconds: 3, lostSeconds: 1 });
    expect(later).toMatchObject({ tillId: 'a', quarterMs: START + QUARTER_MS, servingSeconds: 1 });
  });

  test('what was not stored is taken again, and what is stored is not', () => {
    const run = new RunTills(TILLS);
    run.add([second(0, ['free', 'free'])]);
    expect(run.take(null)).toHaveLength(2);
    expect(run.take(null)).toHaveLength(2);
    run.stored();
    expect(run.take(null)).toHaveLength(0);
  });

  test('a quarter in progress is stored once a minute', () => {
    const run = new RunTills(TILLS);
    run.add([second(0, ['free', 'free'])]);
    expect(run.take(START)).toHaveLength(2);
    run.stored();
    run.add([second(1, ['free', 'free'])]);
    expect(run.take(START + 59_000)).toHaveLength(0);
    expect(run.take(START + 60_000)).toHaveLength(2);
  });

  test('the next run continues the quarter; a new till begins unknown, and one that is gone is left as it was', () => {
    const first = new RunTills(TILLS);
    first.add([second(0, ['serving', 'free'])]);
    const next = new RunTills(
      [
        { id: 'a', name: 'Express' },
        { id: 'c', name: 'New' },
      ],
      first.take(null),
    );
    next.add([second(1, ['free', 'closed'])]);
    const rows = next.take(null);
    expect(rows.map(({ tillId, name }) => [tillId, name])).toEqual([
      ['a', 'Express'],
      ['c', 'New'],
    ]);
    expect(rows[0]).toMatchObject({ servingSeconds: 1, freeSeconds: 1 });
    expect(rows[1]).toMatchObject({ closedSeconds: 1, freeSeconds: 0 });
  });

  test('the same second twice counts once', () => {
    const run = new RunTills(TILLS);
    run.add([second(0, ['free', 'free']), second(0, ['serving', 'free'])]);
    expect(run.take(null)[0]).toMatchObject({ servingSeconds: 1, freeSeconds: 0 });
  });
});
