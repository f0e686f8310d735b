import { expect, test } from '@jest/globals';
import { AtMost } from '../../../src/platform/jobs/at-most.ts';

test('at most so many run at once, in the order of the calls, and a failure frees its place', async () => {
  const atMost = new AtMost(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const results = [0, 1, 2, 3].map((number) =>
    atMost.run(async () => {
      begun.push(number);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (number === 0) throw new Error('failed');
      return number;
    }),
  );
  const settled = Promise.allSettled(results);
  expect(begun).toEqual([0, 1]);
  ends[0]!();
  await expect(results[0]).rejects.toThrow('failed');
  expect(begun).toEqual([0, 1, 2]);
  ends[2]!();
  expect(await results[2]).toBe(2);
  expect(begun).toEqual([0, 1, 2, 3]);
  ends[1]!();
  ends[3]!();
  expect((await settled).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
});
