import { expect, test } from '@jest/globals';
import { StreamNews } from '../../src/live/live-messages.ts';

const never = new AbortController().signal;

test('news of one kind are one, however often they come before somebody looks', async () => {
  const news = new StreamNews();
  expect(await news.take(never)).toEqual({ events: true, metrics: true, insightIds: [] });
  for (let n = 0; n < 5; n++) news.hasEvents();
  news.hasInsight('a');
  news.hasInsight('a');
  expect(await news.take(never)).toEqual({ events: true, metrics: false, insightIds: ['a'] });
});

test('nothing piles up behind a client that takes nothing', async () => {
  const news = new StreamNews();
  for (let n = 0; n < 5_000; n++) news.hasInsight(String(n));
  const { insightIds } = await news.take(never);
  expect(insightIds).toHaveLength(1_000);
  expect(insightIds.at(-1)).toBe('4999');
});

test('who waits is woken by the next news, or by the end', async () => {
  const news = new StreamNews();
  await news.take(never);
  const woken = news.take(never);
  news.hasMetrics();
  expect(await woken).toMatchObject({ events: false, metrics: true });
  const end = new AbortController();
  const ended = news.take(end.signal);
  end.abort();
  expect(await ended).toEqual({ events: false, metrics: false, insightIds: [] });
});
