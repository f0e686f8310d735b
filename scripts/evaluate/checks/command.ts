import type { Command } from 'commander';
import { SCENARIOS, type Scenario } from '../../../src/simulator/scenario.ts';
import { shown } from '../../support/numbers.ts';
import { positive, someOf } from '../../support/options.ts';
import { printing, printMeasured } from '../../support/printing.ts';
import { eachWithProgress, table } from '../../support/terminal.ts';
import { evaluation, seedsOption } from '../options.ts';
import { DETECTIONS, type Detections } from '../simulated/simulated-shop.ts';
import { type MethodFigures, resample } from './resample.ts';
import { watchCounts } from './watch-counts.ts';

const BOXES = Object.keys(DETECTIONS) as Detections[];

interface Options {
  readonly scenario: readonly Scenario[];
  readonly detections: readonly Detections[];
  readonly seeds: readonly number[];
  readonly minutes: number;
  readonly fps: number;
  readonly checks: number;
  readonly stills: number;
}

interface Report extends Pick<Options, 'checks' | 'stills' | 'minutes'> {
  readonly shops: readonly ({
    readonly scenario: Scenario;
    readonly detections: Detections;
    readonly seed: number;
  } & MethodFigures)[];
}

async function evaluateChecks({ scenario, detections, seeds, ...options }: Options): Promise<Report> {
  const { minutes, fps, checks, stills } = options;
  const shops = scenario.flatMap((one) =>
    detections.flatMap((kind) =>
      seeds.map((seed) => ({ scenario: one, detections: kind, seed, minutes, fps })),
    ),
  );
  const figures = await eachWithProgress('watching', shops, 'shops', (shop) => ({
    ...{ scenario: shop.scenario, detections: shop.detections, seed: shop.seed },
    ...resample(watchCounts(shop), { checks, stills, seed: shop.seed }),
  }));
  return { minutes, checks, stills, shops: figures };
}

function describe({ shops, checks, stills }: Report): string {
  const held = ({ percent, width }: MethodFigures['held']['bias']) =>
    `${shown(percent, 1)} (${shown(width, 1)})`;
  const rows = shops.map((shop) => [
    ...[shop.scenario, shop.detections, shop.seed],
    ...[shown(shop.exactPercent, 1, '%'), held(shop.held.exactPercent), shown(shop.off.exactPercent, 1)],
    ...[shown(shop.withinOnePercent, 1, '%'), held(shop.held.withinOnePercent)],
    ...[
      shown(shop.off.withinOnePercent, 1),
      shown(shop.bias, 2),
      held(shop.held.bias),
      shown(shop.off.bias, 2),
    ],
  ]);
  const heading = ['scenario', 'boxes', 'seed', 'exact', 'range holds, %', 'off'];
  return `${checks} checks of ${stills} stills; in brackets the mean width of the range\n${table([
    [...heading, 'within one', 'range holds, %', 'off', 'bias', 'range holds, %', 'off'],
    ...rows,
  ])}`;
}

export const checkCommand = (): Command =>
  evaluation(
    'check',
    'Measures the method by which customers check a camera: many checks of the same simulated hours with known truth, and how\n' +
      'often the range that each of them states has the true figure. A range of 95 % should in 90 to 98 % of them.',
  )
    .option('--scenario <name,…>', SCENARIOS.join(', '), someOf(SCENARIOS), ['classic', 'crowd'])
    .option('--detections <kind,…>', BOXES.join(', '), someOf(BOXES), [...BOXES])
    .addOption(seedsOption([1]))
    .option('--minutes <n>', 'length of the time that is checked', positive, 60)
    .option('--fps <n>', 'frames a second', positive, 5)
    .option('--checks <n>', 'checks of each shop', positive, 200)
    .option('--stills <n>', 'stills of a check', positive, 40)
    .action(printing(evaluateChecks, describe, printMeasured));
