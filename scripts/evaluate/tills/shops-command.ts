import type { Command } from 'commander';
import { TILL_SCENARIOS, type TillScenario } from '../../../src/simulator/scenario.ts';
import { shown } from '../../support/numbers.ts';
import { positive, someOf } from '../../support/options.ts';
import { printing, printMeasured } from '../../support/printing.ts';
import { eachWithProgress, table } from '../../support/terminal.ts';
import { evaluation, seedsOption, shopLimitOption } from '../options.ts';
import { DETECTIONS, type Detections, type ShopLimit } from '../simulated/simulated-shop.ts';
import { addStates, scoreTills, stateFigures, type TillScore } from './score-states.ts';
import { watchTillShop } from './simulated-tills.ts';

const BOXES = Object.keys(DETECTIONS) as Detections[];

interface Options {
  readonly scenario: readonly TillScenario[];
  readonly boxes: readonly Detections[];
  readonly seeds: readonly number[];
  readonly minutes: number;
  readonly fps: number;
  readonly limit?: ShopLimit;
}

type Figures = ReturnType<typeof stateFigures>;

interface Report {
  readonly minutes: number;
  readonly cases: readonly ({ readonly scenario: string; readonly boxes: string } & Figures)[];
}

async function evaluateShops({ scenario, boxes, seeds, minutes, fps, limit }: Options): Promise<Report> {
  const shops = scenario.flatMap((one) =>
    boxes.flatMap((kind) => seeds.map((seed) => ({ scenario: one, boxes: kind, seed, minutes, fps, limit }))),
  );
  const scores = await eachWithProgress('watching', shops, 'shops', (shop) =>
    scoreTills(watchTillShop(shop)),
  );
  const cases = Array.from({ length: shops.length / seeds.length }, (_, at) => {
    const ofCase: readonly TillScore[] = scores.slice(at * seeds.length, (at + 1) * seeds.length);
    const { scenario: name, boxes: kind } = shops[at * seeds.length]!;
    return { scenario: name, boxes: kind, ...stateFigures(addStates(ofCase)) };
  });
  return { minutes, cases };
}

function describe({ cases }: Report): string {
  const percent = (value: number | null) => shown(value, 1, '%');
  const heading = [
    'scenario',
    'boxes',
    'states right',
    'after half a minute',
    'open right',
    'openings and closings',
    'known in 30 s',
  ];
  const rows = cases.map((one) => [
    ...[one.scenario, one.boxes, percent(one.statesRightPercent)],
    ...[percent(one.knownRightPercent), percent(one.openRightPercent)],
    ...[one.changes, percent(one.knownWithin30Percent), one.services, percent(one.foundPercent)],
    ...[percent(one.atTillPercent), percent(one.inventedPercent)],
  ]);
  return table([[...heading, 'services', 'found', 'at the right till', 'invented'], ...rows]);
}

export const tillShopsCommand = (): Command =>
  evaluation(
    'till-shops',
    'Compares the states of tills and the services at each with the scripts of simulated shops, without images: boxes of\n' +
      'the script, perfect or with the measured faults of a detector, go through tracker, zones and tills.',
  )
    .option('--scenario <name,…>', TILL_SCENARIOS.join(', '), someOf(TILL_SCENARIOS), [...TILL_SCENARIOS])
    .option('--boxes <kind,…>', BOXES.join(', '), someOf(BOXES), ['perfect', 'mot17'])
    .addOption(seedsOption([11, 12, 13]))
    .option('--minutes <n>', 'length of each shop', positive, 10)
    .option('--fps <n>', 'frames a second', positive, 5)
    .addOption(shopLimitOption())
    .action(printing(evaluateShops, describe, printMeasured));
