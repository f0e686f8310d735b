import { expect, test } from '@jest/globals';
import { PendingReads } from '../../../src/delivery/live/pending-reads.ts';

const never = new AbortController().signal;

test('repeated notifications of one kind cause one read', async () => {
  const pending = new PendingReads();
  expect(await pending.take(never)).toEqual({ events: true, metrics: true, insightIds: [] });
  for (let n = 0; n < 5; n++) pending.addEvents();
  pending.addInsight('a');
  pending.addInsight('a');
  expect(await pending.take(never)).toEqual({ events: true, metrics: false, insightIds: ['a'] });
});

test('the number of waiting insights is bounded for a client that reads nothing', async () => {
  const pending = new PendingReads();
  for (let n = 0; n < 5_000; n++) pending.addInsight(String(n));
  const { insightIds } = await pending.take(never);
  expect(insightIds).toHaveLength(1_000);
  expect(insightIds.at(-1)).toBe('4999');
});

test('a waiting stream wakes at the next notification and at its end', async () => {
  const pending = new PendingReads();
  await pending.take(never);
  const woken = pending.take(never);
  pending.addMetrics();
  expect(await woken).toMatchObject({ events: false, metrics: true });
  const end = new AbortController();
  const ended = pending.take(end.signal);
  end.abort();
  expect(await ended).toEqual({ events: false, metrics: false, insightIds: [] });
});
