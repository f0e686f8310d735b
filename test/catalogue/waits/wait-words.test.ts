import { describe, expect, test } from '@jest/globals';
import { waitRange } from '../../../src/catalogue/waits/wait-words.ts';

const band = (low: number | null, high: number | null) => ({
  estimatedWaitLowSeconds: low,
  estimatedWaitHighSeconds: high,
});

describe('a wait in words', () => {
  test.each([
    [0, 0, 'under 1 min', 'unter 1 min'],
    [10, 60, 'under 1 min', 'unter 1 min'],
    [0, 61, 'up to 2 min', 'bis 2 min'],
    [59, 180, 'up to 3 min', 'bis 3 min'],
    [300, 540, '5-9 min', '5-9 min'],
    [359, 481, '5-9 min', '5-9 min'],
    [300, 300, '5 min', '5 min'],
    [1000, 1500, '16-25 min', '16-25 min'],
    [1370, 2040, '20-35 min', '20-35 min'],
    [5400, 7200, '90-120 min', '90-120 min'],
    [5400, 7201, '90 min - 3 h', '90 min - 3 h'],
    [7300, 14_000, '2-4 h', '2-4 h'],
    [30, 9000, 'up to 3 h', 'bis 3 h'],
  ])('from %p to %p seconds is "%s" and "%s"', (low, high, english, german) => {
    expect(waitRange(band(low, high), 'en')).toBe(english);
    expect(waitRange(band(low, high), 'de')).toBe(german);
  });

  test('is unknown where an end is', () => {
    expect(waitRange(band(null, null), 'en')).toBeNull();
    expect(waitRange(band(3, null), 'de')).toBeNull();
  });
});
