import type { Command } from 'commander';
import { createRandom } from '../../../src/simulator/random.ts';
import { NOTICE_SCORE, type UnusualMetric } from '../../../src/waits/usual/unusual-now.ts';
import { addUp, ratio, shown } from '../../support/numbers.ts';
import { count } from '../../support/options.ts';
import { printing } from '../../support/printing.ts';
import { table } from '../../support/terminal.ts';
import { evaluation, seedsOption } from '../options.ts';
import { type Change, DAY_SECONDS, SHOPS } from '../waits/simulated-shops.ts';
import { limitOf } from './limit.ts';
import { type Notice, type ShopName, WatchedShop } from './watch-shop.ts';

const LEARN_DAYS = 28;
const WEEK = 7;
const HOUR = 3600;
const FOUND_WITHIN = 20 * 60;
/** Times of the day at which something may change. */
const EARLIEST = 10;
const LATEST = 17;
const CHANGES = [
  { what: 'arrivals', times: 1.3 },
  { what: 'arrivals', times: 0.7 },
  { what: 'services', times: 1.3 },
  { what: 'services', times: 0.7 },
] as const satisfies readonly Pick<Change, 'what' | 'times'>[];
const METRIC_OF: Readonly<Record<Change['what'], UnusualMetric>> = {
  arrivals: 'arrivals',
  services: 'serviceSeconds',
};

interface UsualOptions {
  readonly seeds: readonly number[];
  readonly shops: readonly string[];
  readonly score: number;
}

export const usualCommand = (): Command =>
  evaluation(
    'usual',
    `Watches made-up shops for what is unlike other days: each seed is a shop that is learned for ${LEARN_DAYS} days, then one usual week and four in which each day has an hour with 30 % more or fewer people, or longer or shorter services.`,
  )
    .addOption(seedsOption([31, 32, 33, 34]))
    .option('--shops <names>', 'kinds of shops', (text) => text.split(','), [
      ...['one-till', 'two-tills', 'bank', 'supermarket', 'hall'],
    ])
    .option(
      '--score <tenths>',
      'score of a notice, in tenths',
      (text) => count(1, 100)(text) / 10,
      NOTICE_SCORE,
    )
    .action(printing(judge, textOf));

function judge({ shops, ...options }: UsualOptions) {
  return Object.fromEntries(
    shops.map((name) => {
      if (!(name in SHOPS))
        throw new Error(`There are the shops ${Object.keys(SHOPS).join(', ')}, not ${name}.`);
      return [name, judgeShop(name as ShopName, options)];
    }),
  );
}

function judgeShop(shop: ShopName, { seeds, score }: Omit<UsualOptions, 'shops'>) {
  const shops = seeds.map((seed) => ({ seed, shop: new WatchedShop(shop, seed, LEARN_DAYS) }));
  const found = CHANGES.map((change, kind) => {
    const weeks = shops.map(({ seed, shop: watched }) => {
      const random = createRandom(seed, kind, 5);
      const changes = Array.from({ length: WEEK }, (_, day): Change => {
        const from =
          (LEARN_DAYS + day) * DAY_SECONDS + Math.round(random.between(EARLIEST, LATEST) * 60) * 60;
        return { ...change, from, to: from + HOUR };
      });
      const notices = watched.watch(WEEK, changes, score);
      return { changes: WEEK, found: changes.filter((one) => notices.some(finds(one))).length };
    });
    const sums = addUp(['changes', 'found'], weeks);
    const limitPercent = limitOf(SHOPS[shop], change);
    return { ...change, foundPercent: ratio(100 * sums.found, sums.changes, 0), limitPercent };
  });
  const usual = shops.map(({ shop: watched }) => watched.watch(WEEK, [], score).length);
  return {
    weeks: seeds.length,
    falseAWeek: ratio(
      usual.reduce((sum, one) => sum + one, 0),
      seeds.length,
      2,
    ),
    found,
  };
}

const finds =
  ({ what, from }: Change) =>
  ({ at, metrics }: Notice): boolean =>
    at > from && at <= from + FOUND_WITHIN && metrics.includes(METRIC_OF[what]);

function textOf(shops: ReturnType<typeof judge>): string {
  const names = CHANGES.map(({ what, times }) => `${what} ${times > 1 ? '+' : '−'}30 %`);
  return table([
    ['shop', 'usual weeks', 'false notices a week', ...names.map((name) => `${name}: found % (at best)`)],
    ...Object.entries(shops).map(([name, { weeks, falseAWeek, found }]) => [
      name,
      String(weeks),
      shown(falseAWeek, 2),
      ...found.map(({ foundPercent, limitPercent }) => `${shown(foundPercent, 0)} (${limitPercent})`),
    ]),
  ]);
}
