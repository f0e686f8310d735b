import { describe, expect, test } from '@jest/globals';
import {
  BAND,
  sharePaths,
  spanAt,
  spanPaths,
  type TillOfHistory,
} from '../../../src/page/history/tills/bands.ts';

const RANGE = { fromMs: 1_000, toMs: 5_000 };
const span = (state: 'serving' | 'free' | 'closed' | 'unknown', fromMs: number, toMs: number) => ({
  ...{ state, fromMs, toMs },
});

describe('a band', () => {
  test('has one path for each state, told apart by their height', () => {
    const spans = [span('serving', 1_000, 2_000), span('free', 2_000, 3_000), span('serving', 3_000, 5_000)];
    expect(spanPaths(spans, RANGE)).toEqual({
      serving: 'M0 0h250v24h-250zM500 0h500v24h-500z',
      free: 'M250 12h250v12h-250z',
      closed: '',
      unknown: '',
    });
  });

  test('finds the span of a moment', () => {
    const spans = [span('free', 1_000, 2_000), span('closed', 2_000, 3_000)];
    expect([1_999, 2_000, 3_000].map((ms) => spanAt(spans, ms)?.state)).toEqual([
      'free',
      'closed',
      undefined,
    ]);
  });

  test('of a long range has a column for each bucket, in shares of its time; unknown times stay empty', () => {
    const series = {
      servingSeconds: [30, 0],
      freeSeconds: [30, 0],
      closedSeconds: [0, 0],
      unknownSeconds: [60, 0],
    } as unknown as TillOfHistory['series'];
    const bucket = (fromMs: number) => ({
      ...{ fromMs, toMs: fromMs + 2_000, coveragePercent: 100, isAhead: false },
    });
    const quarter = BAND.height / 4;
    expect(sharePaths({ series }, [bucket(1_000), bucket(3_000)], RANGE)).toEqual({
      serving: `M0 ${3 * quarter}h500v${quarter}h-500z`,
      free: `M0 ${2 * quarter}h500v${quarter}h-500z`,
      closed: '',
      unknown: '',
    });
  });
});
