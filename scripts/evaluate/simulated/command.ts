import { Command, InvalidArgumentError } from 'commander';
import { SCENARIOS, type Scenario } from '../../../src/simulator/scenario.ts';
import { count, positive } from '../../support/options.ts';
import { printMeasured } from '../../support/print-measured.ts';
import { progress, table } from '../../support/terminal.ts';
import { visitDetails } from '../shop/command.ts';
import { countShop, figuresOf, type ShopCounts, type ShopFigures } from '../shop/figures.ts';
import { DETECTIONS, type Detections, shopBoxes, watchBoxes } from './simulated-shop.ts';

interface Options {
  readonly scenario: readonly Scenario[];
  readonly detections: readonly Detections[];
  readonly seeds: readonly number[];
  readonly minutes: number;
  readonly fps: number;
  readonly verbose?: boolean;
  readonly json?: boolean;
}

interface CaseFigures extends ShopFigures {
  readonly scenario: Scenario;
  readonly detections: Detections;
  readonly seeds: readonly ({ readonly seed: number } & ShopFigures)[];
}

interface ShopBoxesReport {
  readonly minutes: number;
  readonly fps: number;
  readonly cases: readonly CaseFigures[];
  /** `classic` with perfect boxes: the shop as it always was. */
  readonly old: ShopFigures;
  /** Every other case together. */
  readonly new: ShopFigures;
}

/** Several of the given words, parted by commas. */
function someOf<T extends string>(words: readonly T[]): (text: string) => T[] {
  return (text) => {
    const wanted = text.split(',');
    const unknown = wanted.find((word) => !words.some((known) => known === word));
    if (unknown === undefined) return wanted as T[];
    throw new InvalidArgumentError(`"${unknown}" is none of ${words.join(', ')}.`);
  };
}

const isOld = ({ scenario, detections }: Pick<CaseFigures, 'scenario' | 'detections'>): boolean =>
  scenario === 'classic' && detections === 'perfect';

/** Watches every wanted scenario with every wanted kind of boxes. */
export function evaluateShopBoxes({
  scenario: scenarios,
  detections: kinds,
  seeds,
  minutes,
  fps,
  verbose,
}: Options): ShopBoxesReport {
  const wanted = scenarios.flatMap((scenario) => kinds.map((detections) => ({ scenario, detections })));
  const bar = progress('watching', wanted.length * seeds.length, 'shops');
  const sums = { old: [] as ShopCounts[], new: [] as ShopCounts[] };
  const cases = wanted.map((one, at): CaseFigures => {
    const counted = seeds.map((seed, index) => {
      const { truth, visits, framesAt } = watchBoxes(shopBoxes({ ...one, seed, minutes, fps }));
      const { counts, verdict } = countShop(truth, visits, framesAt);
      if (verbose) {
        process.stderr.write(`${one.scenario} ${one.detections} seed ${seed}\n${visitDetails(verdict)}\n`);
      }
      bar.update(at * seeds.length + index + 1);
      return { seed, counts };
    });
    sums[isOld(one) ? 'old' : 'new'].push(...counted.map(({ counts }) => counts));
    return {
      ...one,
      ...figuresOf(counted.map(({ counts }) => counts)),
      seeds: counted.map(({ seed, counts }) => ({ seed, ...figuresOf([counts]) })),
    };
  });
  bar.stop();
  return { minutes, fps, cases, old: figuresOf(sums.old), new: figuresOf(sums.new) };
}

function describe(report: ShopBoxesReport): string {
  const percent = (value: number | null) => (value === null ? '-' : `${value.toFixed(1)} %`);
  const seconds = (value: number | null) => (value === null ? '-' : `${value.toFixed(2)} s`);
  const row = (scenario: string, boxes: string, figures: ShopFigures) => [
    ...[scenario, boxes, figures.truthVisits, percent(figures.matchedPercent)],
    ...[percent(figures.inventedPercent), percent(figures.outcomeRightPercent)],
    ...[seconds(figures.waitErrorSeconds), seconds(figures.serviceErrorSeconds)],
    ...[percent(figures.queueLengthErrorPercent), percent(figures.queueLengthBiasPercent)],
  ];
  return table([
    [
      'scenario',
      'boxes',
      'visits',
      'matched',
      'invented',
      'outcome right',
      'wait error',
      'service error',
      'length error',
      'bias',
    ],
    ...report.cases.map((one) => row(one.scenario, one.detections, one)),
    row('old', '', report.old),
    row('new', '', report.new),
  ]);
}

export function shopBoxesCommand(): Command {
  return new Command('shop-boxes')
    .description(
      'Judges the visits of simulated shops without pictures: the boxes of the script, perfect or with the faults of a\n' +
        'detector as measured on real footage, go through tracker and zones. Ten minutes take seconds. "old" is the\n' +
        'classic shop with perfect boxes, "new" everything else.',
    )
    .option('--scenario <name,…>', SCENARIOS.join(', '), someOf(SCENARIOS), [...SCENARIOS])
    .option(
      '--detections <kind,…>',
      'perfect; mot17: faults of YOLOX on MOT17; pets: faults of our detector on PETS09-S2L1',
      someOf(Object.keys(DETECTIONS) as Detections[]),
      Object.keys(DETECTIONS) as Detections[],
    )
    .option('--seeds <n,…>', 'shops', (text) => text.split(',').map(count(0)), [1, 2, 3, 4, 5])
    .option('--minutes <n>', 'of each', positive, 10)
    .option('--fps <n>', 'frames a second', positive, 5)
    .option('--verbose', 'list every miss on standard error')
    .option('--json', 'print one JSON document')
    .action((options: Options) => {
      const report = evaluateShopBoxes(options);
      printMeasured(options.json, report, () => describe(report));
    });
}
