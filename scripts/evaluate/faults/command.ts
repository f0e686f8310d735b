import { Command, Option } from 'commander';
import { DEFAULT_MODEL } from '../../../src/models/card.ts';
import { FAULT_RATES, type FaultRates } from '../../../src/simulator/faults/fault-rates.ts';
import { count } from '../../support/options.ts';
import { print, progress, table } from '../../support/terminal.ts';
import { findFootage, readFootage } from '../footage/footage.ts';
import { readUnjudged, type Sighted, sightingsOf } from './sightings.ts';
import { visitsF1, withSimulatedBoxes } from './simulated.ts';
import { type FaultStatistics, statisticsOf } from './statistics.ts';

interface Options {
  readonly model: string;
  readonly rates: keyof typeof FAULT_RATES;
  readonly seed: number;
  readonly json: boolean;
}

interface FaultsReport {
  readonly real: FaultStatistics;
  readonly simulated: FaultStatistics;
  /** F1 of the product's visits at 5 frames a second. */
  readonly visits: readonly {
    readonly sequence: string;
    readonly real: number | null;
    readonly simulated: number | null;
  }[];
}

async function measure(root: string, { model, rates, seed }: Options): Promise<FaultsReport> {
  const folders = await findFootage(root);
  const bar = progress('measuring', folders.length, 'sequences');
  const sighted: { real: Sighted; simulated: Sighted }[] = [];
  const visits: FaultsReport['visits'][number][] = [];
  const layer: FaultRates = FAULT_RATES[rates];
  for (const folder of folders) {
    const footage = await readFootage(folder, model);
    const simulated = withSimulatedBoxes(footage, layer, seed);
    const unjudged = await readUnjudged(folder, footage.frames.length);
    sighted.push({ real: sightingsOf(footage, unjudged), simulated: sightingsOf(simulated, unjudged) });
    visits.push({
      ...{ sequence: footage.name, real: visitsF1(footage, seed), simulated: visitsF1(simulated, seed) },
    });
    bar.update(sighted.length);
  }
  bar.stop();
  return {
    real: statisticsOf(sighted.map(({ real }) => real)),
    simulated: statisticsOf(sighted.map(({ simulated }) => simulated)),
    visits,
  };
}

const shown = (value: number | null): string => (value === null ? '-' : value.toFixed(3));

/** One line for each figure, real and simulated beside each other. */
function describe({ real, simulated, visits }: FaultsReport): string {
  const rows = (of: FaultStatistics): [string, number | null][] => [
    ...of.found.flatMap(({ visible, height, of: people, missed, unsure }): [string, number | null][] =>
      people === 0
        ? []
        : [
            [`missed, visible ${visible}, height ${height} (${people})`, missed.rate],
            [`unsure, visible ${visible}, height ${height}`, unsure.rate],
          ],
    ),
    ['missed in a row: median s', of.missedRuns.median],
    ['missed in a row: 90 % s', of.missedRuns.p90],
    ['missed in a row: 97 % s', of.missedRuns.p97],
    ...of.missedAgain.map(({ seconds, rate }): [string, number | null] => [
      `missed again after ${seconds} s`,
      rate.rate,
    ]),
    ...of.edges.flatMap(({ visible, ...edges }) =>
      Object.entries(edges).map(([edge, scale]): [string, number] => [
        `error of ${edge}, visible ${visible}`,
        scale,
      ]),
    ),
    ...of.edgesAgain.map(({ seconds, correlation }): [string, number] => [
      `the same error after ${seconds} s: correlation`,
      correlation,
    ]),
    ...of.partial.map(({ legs, rate }): [string, number | null] => [
      `upper body only, legs visible ${legs}`,
      rate.rate,
    ]),
    ['second box', of.duplicate.rate],
    ['sure second box', of.sureDuplicate.rate],
    ['second box again after 0.2 s', of.duplicateAgain.rate],
    ...Object.entries(of.duplicateAt).map(([edge, at]): [string, number] => [`second box: ${edge} at`, at]),
    ...Object.entries(of.duplicateSpread).map(([edge, by]): [string, number] => [
      `second box: ${edge} spread`,
      by,
    ]),
    ['boxes of nobody a frame', of.falsePerFrame],
    ['box of nobody again after 0.2 s', of.falseAgain.rate],
    ['clothes: deviation of a channel', of.clothes.channels],
    ['clothes: deviation of brightness', of.clothes.brightness],
    ['mean IoU where wholly visible', of.meanIou],
  ];
  const ours = rows(simulated);
  return table([
    ['figure', 'real', 'simulated'],
    ...rows(real).map(([what, value], at) => [what, shown(value), shown(ours[at]![1])]),
    ...visits.map((one) => [`F1 of visits, ${one.sequence}`, shown(one.real), shown(one.simulated)]),
  ]);
}

export function faultsCommand(): Command {
  return new Command('faults')
    .description(
      'Measures what a detector does to the boxes of real people: misses and their runs, unsure and second boxes, upper\n' +
        'bodies, boxes of nobody, errors of edges; and beside it the same figures of the fault layer of the simulated shop\n' +
        'on the same people.',
    )
    .argument('<mot-root>', 'folder of sequences: NAME/gt/gt.txt, and NAME/det/det.txt or NAME/video.mp4')
    .addOption(
      new Option('--rates <name>', 'rates of the fault layer')
        .choices(Object.keys(FAULT_RATES))
        .default('mot17'),
    )
    .option('--seed <number>', 'of the fault layer and of the zones of visits', count(0), 1)
    .option('--model <name>', 'detector of the videos, a card of models/', DEFAULT_MODEL)
    .option('--json', 'one JSON document on standard output', false)
    .action(async (root: string, options: Options) => {
      const report = await measure(root, options);
      print(options.json, report, () => describe(report));
    });
}
