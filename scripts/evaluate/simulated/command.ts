import type { Command } from 'commander';
import { FURNISHED, SCENARIOS, type Scenario } from '../../../src/simulator/scenario.ts';
import { addUp, shown } from '../../support/numbers.ts';
import { positive, someOf } from '../../support/options.ts';
import { printing, printMeasured } from '../../support/printing.ts';
import { eachWithProgress, table } from '../../support/terminal.ts';
import { evaluation, seedsOption, shopLimitOption } from '../options.ts';
import { visitDetails } from '../shop/command.ts';
import { figuresOf, type ShopFigures, type ShopScore, scoreShop } from '../shop/score-shop.ts';
import { REASON_MEANINGS, REASONS, type Reason, reasonsOf } from './invented.ts';
import { DETECTIONS, type Detections, type ShopLimit, simulateShop, watchShop } from './simulated-shop.ts';

interface Options {
  readonly scenario: readonly Scenario[];
  readonly detections: readonly Detections[];
  readonly seeds: readonly number[];
  readonly minutes: number;
  readonly fps: number;
  readonly limit?: ShopLimit;
  readonly verbose?: boolean;
}

interface CaseFigures extends ShopFigures {
  readonly scenario: Scenario;
  readonly detections: Detections;
  /** The invented visits by what they are. */
  readonly inventedBy: Readonly<Record<Reason, number>>;
  readonly seeds: readonly ({ readonly seed: number } & ShopFigures)[];
}

interface SimulatedReport {
  readonly minutes: number;
  readonly fps: number;
  readonly cases: readonly CaseFigures[];
  /** `classic` with perfect boxes, which was the first simulated shop. */
  readonly old: ShopFigures;
  /** All other cases of these shops together. */
  readonly new: ShopFigures;
  /** All cases with furniture or another camera. */
  readonly furnished: ShopFigures;
}

const isOld = ({ scenario, detections }: Pick<CaseFigures, 'scenario' | 'detections'>): boolean =>
  scenario === 'classic' && detections === 'perfect';

/** Evaluates each scenario with each kind of boxes. */
export async function evaluateSimulated(options: Options): Promise<SimulatedReport> {
  const { seeds, minutes, fps, verbose } = options;
  const shops = options.scenario.flatMap((scenario) =>
    options.detections.flatMap((detections) =>
      seeds.map((seed) => ({ scenario, detections, seed, minutes, fps })),
    ),
  );
  const scores = await eachWithProgress('watching', shops, 'shops', (shop) => {
    const { truth, visits, framesAt, shown } = watchShop(simulateShop(shop), options.limit);
    const score = scoreShop(truth, visits, framesAt);
    const reasons = reasonsOf(score, truth, visits, shown);
    if (verbose) {
      process.stderr.write(`${shop.scenario} ${shop.detections} seed ${shop.seed}\n${visitDetails(score)}\n`);
    }
    return { ...shop, score, reasons };
  });
  const figures = (shops: readonly { readonly score: ShopScore }[]) =>
    figuresOf(shops.map(({ score }) => score));
  const cases = Array.from({ length: shops.length / seeds.length }, (_, at): CaseFigures => {
    const ofCase = scores.slice(at * seeds.length, (at + 1) * seeds.length);
    const { scenario, detections } = ofCase[0]!;
    const perSeed = ofCase.map((shop) => ({ seed: shop.seed, ...figures([shop]) }));
    const inventedBy = addUp(
      REASONS,
      ofCase.map(({ reasons }) => reasons),
    );
    return { scenario, detections, ...figures(ofCase), inventedBy, seeds: perSeed };
  });
  const isFurnished = ({ scenario }: { readonly scenario: Scenario }) => FURNISHED.includes(scenario);
  const rest = scores.filter((shop) => !isOld(shop) && !isFurnished(shop));
  const furnished = figures(scores.filter(isFurnished));
  return { minutes, fps, cases, old: figures(scores.filter(isOld)), new: figures(rest), furnished };
}

function describe(report: SimulatedReport): string {
  const percent = (value: number | null) => shown(value, 1, '%');
  const row = (scenario: string, boxes: string, figures: ShopFigures) => [
    ...[scenario, boxes, figures.truthVisits, percent(figures.matchedPercent)],
    ...[percent(figures.inventedPercent), percent(figures.outcomeRightPercent)],
    ...[shown(figures.waitErrorSeconds, 2, 's'), shown(figures.serviceErrorSeconds, 2, 's')],
    ...[percent(figures.queueLengthErrorPercent), percent(figures.queueLengthBiasPercent)],
  ];
  const heading = ['scenario', 'boxes', 'visits', 'matched', 'invented', 'outcome right'];
  const reasons = report.cases.map(({ scenario, detections, inventedBy }) => [
    ...[scenario, detections, ...REASONS.map((reason) => inventedBy[reason])],
  ]);
  const figures = table([
    [...heading, 'wait error', 'service error', 'length error', 'bias'],
    ...report.cases.map((one) => row(one.scenario, one.detections, one)),
    row('old', '', report.old),
    row('new', '', report.new),
    row('furnished', '', report.furnished),
  ]);
  return [
    figures,
    '',
    table([['invented visits', 'boxes', ...REASONS], ...reasons]),
    ...REASONS.map((reason) => `${reason}: ${REASON_MEANINGS[reason]}`),
  ].join('\n');
}

const KINDS = Object.keys(DETECTIONS) as Detections[];

export const shopBoxesCommand = (): Command =>
  evaluation(
    'shop-boxes',
    'Compares the visits of simulated shops with their scripts, without images: the boxes of the script, perfect or with\n' +
      'the faults of a detector as measured on real footage, go through tracker and zones. Ten minutes take seconds. "old"\n' +
      'is the classic shop with perfect boxes, "new" the other cases without furniture, "furnished" those with it.',
  )
    .option('--scenario <name,…>', SCENARIOS.join(', '), someOf(SCENARIOS), [...SCENARIOS])
    .option(
      '--detections <kind,…>',
      'perfect; mot17: faults of YOLOX on MOT17; pets: faults of our detector on PETS09-S2L1',
      someOf(KINDS),
      KINDS,
    )
    .addOption(seedsOption([1, 2, 3, 4, 5]))
    .option('--minutes <n>', 'length of each shop', positive, 10)
    .option('--fps <n>', 'frames a second', positive, 5)
    .addOption(shopLimitOption())
    .option('--verbose', 'list every wrong visit on standard error')
    .action(printing(evaluateSimulated, describe, printMeasured));
