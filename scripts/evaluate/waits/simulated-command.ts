import type { Command } from 'commander';
import type { WaitPredictor } from '../../../src/waits/wait-predictor.ts';
import { ratio, shown } from '../../support/numbers.ts';
import { count } from '../../support/options.ts';
import { printing } from '../../support/printing.ts';
import { table } from '../../support/terminal.ts';
import { evaluation, seedsOption } from '../options.ts';
import { type Replayed, replayVisits } from './replay-visits.ts';
import { scoreWaits } from './score-waits.ts';
import { SHOP_KINDS, type ShopKind, simulateShop, type TillChange } from './simulated-shops.ts';

const LEARN_DAYS = 7;

interface SimulatedOptions {
  readonly seeds: readonly number[];
  readonly days: number;
}

export const simulatedWaitsCommand = (): Command =>
  evaluation('simulated-waits', 'Scores the predictor of waits in four kinds of made-up shops.')
    .addOption(seedsOption([1, 2, 3]))
    .option('--days <days>', `days of each shop; the first ${LEARN_DAYS} are learned`, count(8, 365), 14)
    .action(printing(judge, textOf));

function judge({ seeds, days }: SimulatedOptions) {
  return Object.fromEntries(SHOP_KINDS.map((kind) => [kind, judgeKind(kind, seeds, days)]));
}

/** What all seeds of a kind give together. */
export function judgeKind(kind: ShopKind, seeds: readonly number[], days: number) {
  const shops = seeds.map((seed) => simulateShop(kind, seed, days));
  const replayed = (tills: boolean, isKnown: boolean) =>
    figuresOf(
      shops.map(({ visits, tills: opened }) =>
        replayVisits(visits, {
          ...{ tills, learnDays: LEARN_DAYS },
          ...(isKnown && { before: tellTills(opened) }),
        }),
      ),
    );
  const known = replayed(true, true);
  const withWidth = (figures: ReturnType<typeof figuresOf>) => ({
    ...figures,
    widthOfKnown: ratio(figures.meanBandWidth ?? 0, known.meanBandWidth ?? 0, 3),
  });
  return {
    tills: withWidth(replayed(true, false)),
    withoutTills: withWidth(replayed(false, false)),
    openTillsKnown: known,
  };
}

/** Tells the predictor which tills are open, as somebody who stands in the shop. */
function tellTills(changes: readonly TillChange[]) {
  let next = 0;
  return (predictor: WaitPredictor, at: number): void => {
    for (; next < changes.length && changes[next]!.at <= at; next++) {
      const { at: since, till, isOpen } = changes[next]!;
      predictor.tillIs(till, isOpen ? 'free' : 'closed', since);
    }
  };
}

function figuresOf(shops: readonly Replayed[]) {
  const { compared, foundQueue } = scoreWaits({
    judged: shops.flatMap(({ judged }) => judged),
    silent: {},
  });
  const { ours, today } = compared;
  return {
    ...foundQueue,
    errorOfToday: ratio(ours.meanAbsoluteError ?? 0, today.meanAbsoluteError ?? 0, 3),
    today: today.meanAbsoluteError,
    lastWait: compared.lastWait.meanAbsoluteError,
  };
}

function textOf(kinds: ReturnType<typeof judge>): string {
  const heading = [
    ...['shop', 'served', 'mean wait', "today's error", 'last wait', 'ours', 'ratio', 'bias', 'in band %'],
    ...['width', 'of known tills'],
  ];
  const rows = Object.entries(kinds).flatMap(([kind, { tills, withoutTills, openTillsKnown }]) =>
    (
      [
        ['tills seen', tills],
        ['not seen', withoutTills],
        ['open tills known', { ...openTillsKnown, widthOfKnown: null }],
      ] as const
    ).map(([name, one]) => [
      ...[`${kind}, ${name}`, String(one.count), shown(one.meanWait, 0), shown(one.today, 1)],
      ...[shown(one.lastWait, 1), shown(one.meanAbsoluteError, 1), shown(one.errorOfToday, 2)],
      ...[shown(one.bias, 1), shown(one.insideBandPercent, 1), shown(one.meanBandWidth, 0)],
      shown(one.widthOfKnown, 2),
    ]),
  );
  return table([heading, ...rows]);
}
