import { expect, test } from '@jest/globals';
import type { Progress } from '../../../src/platform/processes/progress.ts';
import { Watchdog } from '../../../src/video/ffmpeg/watchdog.ts';
import { eventually } from '../../support/eventually.ts';

const LIMIT_MS = 40;
const MORE_CHECKS_THAN_ITS_LIMIT = 20;

/** @param next what the program has done at its check with this number, from 1 */
function watch(next?: (check: number) => Progress | null) {
  const seen = { checks: 0, isSilent: false };
  const dog = new Watchdog({
    limitMs: LIMIT_MS,
    paused: () => {
      seen.checks += 1;
      return false;
    },
    progress: next && (() => next(seen.checks)),
    onSilence: () => {
      seen.isSilent = true;
    },
  });
  return { seen, dog };
}

test.each([
  ['it is a camera', undefined],
  ['nobody knows what its program does', () => null],
  ['its program neither computes nor reads', () => ({ processorMs: 10, bytes: 5 })],
  ['its program computes without end', (check: number) => ({ processorMs: check * LIMIT_MS, bytes: check })],
])('silence ends a stream: %s', async (_name, next) => {
  const { seen } = watch(next);
  await eventually('the end of the stream', () => seen.isSilent);
});

test.each([
  ['computes, slowly', (check: number) => ({ processorMs: check / 1000, bytes: 0 })],
  ['reads', (check: number) => ({ processorMs: 0, bytes: check })],
])('a program that %s is no silent file, until it stops', async (_name, next) => {
  let stoppedAt = Number.POSITIVE_INFINITY;
  const { seen, dog } = watch((check) => next(Math.min(check, stoppedAt)));
  await eventually('more checks than its limit', () => seen.checks > MORE_CHECKS_THAN_ITS_LIMIT);
  expect(seen.isSilent).toBe(false);
  stoppedAt = seen.checks;
  await eventually('the end of the stream', () => seen.isSilent);
  dog.stop();
});

test('processor time before a frame does not count', async () => {
  const { seen, dog } = watch((check) => {
    dog.reset();
    return { processorMs: check * LIMIT_MS, bytes: 0 };
  });
  await eventually('more checks than its limit', () => seen.checks > MORE_CHECKS_THAN_ITS_LIMIT);
  expect(seen.isSilent).toBe(false);
  dog.stop();
});
