import { expect, test } from '@jest/globals';
import { workOff } from '../../../src/platform/jobs/work-off.ts';

test('a row that becomes due again while others are claimed is worked on in the same turn', async () => {
  let done = (): void => undefined;
  const worked = new Promise<void>((resolve) => {
    done = resolve;
  });
  const claims: (() => Promise<string[]>)[] = [
    async () => ['row'],
    // This claim looked before the row was done, and answers after it.
    async () => {
      await worked;
      await new Promise(setImmediate);
      return [];
    },
    async () => ['row'],
  ];
  const counts = await workOff<string>({
    atOnce: 4,
    claim: () => claims.shift()?.() ?? Promise.resolve([]),
    work: async () => done(),
    failed: (error) => {
      throw error;
    },
  });
  expect(counts).toEqual({ done: 2, failed: 0 });
});
