import { type Command, Option } from 'commander';
import { FAULT_RATES } from '../../../src/simulator/faults/fault-rates.ts';
import { shown } from '../../support/numbers.ts';
import { count } from '../../support/options.ts';
import { printing } from '../../support/printing.ts';
import { eachWithProgress, table } from '../../support/terminal.ts';
import { readFootage } from '../footage/footage.ts';
import { findSequences } from '../footage/mot-files.ts';
import { evaluation, FOOTAGE_ROOT, modelOption } from '../options.ts';
import { readUnscored, sightingsOf } from './sightings.ts';
import { visitsF1, withSimulatedBoxes } from './simulated.ts';
import { type FaultStatistics, statisticsOf } from './statistics.ts';

interface Options {
  readonly model: string;
  readonly rates: keyof typeof FAULT_RATES;
  readonly seed: number;
}

async function measure(root: string, { model, rates, seed }: Options) {
  const folders = await findSequences(root);
  const sequences = await eachWithProgress('measuring', folders, 'sequences', async (folder) => {
    const footage = await readFootage(folder, model);
    const simulated = withSimulatedBoxes(footage, FAULT_RATES[rates], seed);
    const unscored = await readUnscored(folder, footage.frames.length);
    return {
      real: sightingsOf(footage, unscored),
      simulated: sightingsOf(simulated, unscored),
      visits: {
        ...{ sequence: footage.name, real: visitsF1(footage, seed), simulated: visitsF1(simulated, seed) },
      },
    };
  });
  return {
    real: statisticsOf(sequences.map(({ real }) => real)),
    simulated: statisticsOf(sequences.map(({ simulated }) => simulated)),
    /** F1 of the visits of the product at 5 frames a second. */
    visits: sequences.map(({ visits }) => visits),
  };
}

type Row = readonly [figure: string, value: number | null];

/** One row for each figure: real and simulated. */
function describe({ real, simulated, visits }: Awaited<ReturnType<typeof measure>>): string {
  const rows = (of: FaultStatistics): Row[] => [
    ...of.found.flatMap(({ visible, height, of: people, missed, unsure }): Row[] =>
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
    ...of.missedAgain.map(({ seconds, rate }): Row => [`missed again after ${seconds} s`, rate.rate]),
    ...of.edges.flatMap(({ visible, ...edges }) =>
      Object.entries(edges).map(([edge, scale]): Row => [`error of ${edge}, visible ${visible}`, scale]),
    ),
    ...of.edgesAgain.map(
      ({ seconds, correlation }): Row => [`the same error after ${seconds} s: correlation`, correlation],
    ),
    ...of.partial.map(({ legs, rate }): Row => [`upper body only, legs visible ${legs}`, rate.rate]),
    ['second box', of.duplicate.rate],
    ['sure second box', of.sureDuplicate.rate],
    ['second box again after 0.2 s', of.duplicateAgain.rate],
    ...Object.entries(of.duplicateAt).map(([edge, at]): Row => [`second box: ${edge} at`, at]),
    ...Object.entries(of.duplicateSpread).map(([edge, by]): Row => [`second box: ${edge} spread`, by]),
    ['boxes of nobody a frame', of.falsePerFrame],
    ['box of nobody again after 0.2 s', of.falseAgain.rate],
    ['clothes: deviation of a channel', of.clothes.channels],
    ['clothes: deviation of brightness', of.clothes.brightness],
    ['mean IoU where wholly visible', of.meanIou],
  ];
  const ours = rows(simulated);
  return table([
    ['figure', 'real', 'simulated'],
    ...rows(real).map(([what, value], at) => [what, shown(value, 3), shown(ours[at]![1], 3)]),
    ...visits.map((one) => [`F1 of visits, ${one.sequence}`, shown(one.real, 3), shown(one.simulated, 3)]),
  ]);
}

export const faultsCommand = (): Command =>
  evaluation(
    'faults',
    'Measures the faults of a detector on real people: misses and their lengths, boxes with low scores, second boxes, upper\n' +
      'bodies, boxes of nobody, errors of edges. Beside them are the same figures of the fault layer of the simulated shop\n' +
      'on the same people.',
  )
    .argument('<mot-root>', FOOTAGE_ROOT)
    .addOption(
      new Option('--rates <name>', 'rates of the fault layer')
        .choices(Object.keys(FAULT_RATES))
        .default('mot17'),
    )
    .option('--seed <number>', 'seed of the fault layer and of the random zones', count(0), 1)
    .addOption(modelOption())
    .action(printing(measure, describe));
