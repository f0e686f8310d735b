import { expect, test } from '@jest/globals';
import { skippedPercent } from '../../../src/page/api/run-stats.ts';

test.each([
  [0, 0, null],
  [300, 0, 0],
  [300, 100, 33],
  [300, 300, 100],
])('of %d frames %d needed no detection: %s percent', (processedFrames, skippedFrames, percent) => {
  expect(skippedPercent({ processedFrames, skippedFrames })).toBe(percent);
});
