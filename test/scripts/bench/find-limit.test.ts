import { expect, test } from '@jest/globals';
import { findLimit } from '../../../scripts/bench/capacity/find-limit.ts';

/** Searches the limit of a node that takes `takes` cameras. */
async function search(takes: number, { from, max }: { from: number; max: number }) {
  const tried: number[] = [];
  const limit = await findLimit({
    ...{ from, max },
    keepsUp: async (cameras) => {
      tried.push(cameras);
      return cameras <= takes;
    },
  });
  return { limit, tried };
}

test('every limit is found, whatever the search begins with', async () => {
  for (let takes = 0; takes <= 40; takes++)
    for (const from of [1, 4, 50]) expect((await search(takes, { from, max: 40 })).limit).toBe(takes);
});

test('each number of cameras is tried once, and no more than allowed', async () => {
  const { tried } = await search(17, { from: 4, max: 64 });
  expect(new Set(tried).size).toBe(tried.length);
  expect(tried.length).toBeLessThanOrEqual(9);
  expect(Math.max(...(await search(100, { from: 4, max: 10 })).tried)).toBe(10);
});
