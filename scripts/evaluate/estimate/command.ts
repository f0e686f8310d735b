import { isDeepStrictEqual } from 'node:util';
import type { Command } from 'commander';
import { ERROR_MODELS } from '../../../src/catalogue/metrics/error-model.ts';
import { DOUBTFUL_PERCENT, ERROR_FLOOR, whyNoError } from '../../../src/catalogue/metrics/expected-error.ts';
import {
  type ErrorModel,
  LINE_FEATURES,
  type LineFeature,
} from '../../../src/catalogue/metrics/line-features.ts';
import { DEFAULT_MODEL } from '../../../src/models/cards.ts';
import { SCENARIOS, type Scenario } from '../../../src/simulator/scenario.ts';
import { median, ratio, shown } from '../../support/numbers.ts';
import { count, positive, someOf } from '../../support/options.ts';
import { printing, printMeasured } from '../../support/printing.ts';
import { eachWithProgress, table } from '../../support/terminal.ts';
import { readFootage } from '../footage/footage.ts';
import { findSequences } from '../footage/mot-files.ts';
import { evaluation, FOOTAGE_ROOT, seedsOption } from '../options.ts';
import { type Clip, FAULTS, sequenceClips, shopClip } from './clips.ts';
import { type Example, fitWithRange, type Judged, judged, judgedBy, judgeUnseen } from './fit.ts';
import { keptClips } from './kept-clips.ts';

interface Options {
  readonly scenario: readonly Scenario[];
  readonly seeds: readonly number[];
  readonly minutes: number;
  readonly fps: number;
  readonly zones: number;
  readonly features: readonly LineFeature[];
  readonly clips?: string;
}

const NAMES = Object.keys(LINE_FEATURES) as LineFeature[];
/** Sequences are short. */
const SEQUENCE_FPS = 5;
/** True people in a clip, summed over its frames, below which an error in percent says nothing. */
const LEAST_PEOPLE = 30;

interface Judgement {
  /** Spearman's, of the expected with the true error. */
  readonly rankCorrelation: number | null;
  /** Of the clips with an error over the bound those that are flagged, and of the others. */
  readonly flaggedPercent: number | null;
  readonly falselyFlaggedPercent: number | null;
  /** Clips whose error lies within the range of 80 %. */
  readonly heldPercent: number | null;
}

interface Part extends Judgement {
  readonly part: string;
  readonly clips: number;
  readonly bad: number;
  readonly medianErrorPercent: number;
  /** By the coefficients of the product, which were fitted on all groups. */
  readonly stored: Judgement;
}

interface ModelReport {
  readonly parts: readonly Part[];
  /** Of the wait: by somebody who knows the true error of the length. */
  readonly limit: Judgement | null;
  readonly model: ErrorModel;
}
type Report = Readonly<Record<'length' | 'wait', ModelReport>>;

interface Judgeable extends Example {
  readonly boxes: string;
  readonly lengthErrorPercent: number;
}

async function makeClips(root: string | undefined, options: Options): Promise<Clip[]> {
  const { scenario, seeds, minutes, fps, zones } = options;
  const shops = FAULTS.flatMap((faults) =>
    scenario.flatMap((one) => seeds.map((seed) => ({ faults, scenario: one, seed }))),
  );
  const ofShops = await eachWithProgress('watching', shops, 'shops', ({ faults, ...shop }) =>
    shopClip({ ...shop, detections: faults.kind, minutes, fps }, faults.times),
  );
  const folders = root === undefined ? [] : await findSequences(root);
  const ofSequences = await eachWithProgress('watching', folders, 'sequences', async (folder) => {
    const footage = await readFootage(folder, DEFAULT_MODEL);
    return [null, ...FAULTS.slice(1)].flatMap((faults) =>
      sequenceClips(footage, { fps: SEQUENCE_FPS, zones, seed: seeds[0]!, faults }),
    );
  });
  return [...ofShops, ...ofSequences.flat()];
}

const errorsOf = ({ lengths, trueWait, ourWait }: Clip) => ({
  length: (100 * lengths.peopleError) / lengths.truthPeople,
  wait: trueWait === null ? null : (100 * Math.abs((ourWait ?? 0) - trueWait)) / trueWait,
});

async function evaluateEstimate(root: string | undefined, options: Options): Promise<Report> {
  const { scenario, seeds, minutes, fps, zones } = options;
  const settings = { root, scenario, seeds, minutes, fps, zones };
  const made = await keptClips(options.clips, settings, () => makeClips(root, options));
  const clips = made.filter(
    ({ lengths, sums }) => lengths.truthPeople >= LEAST_PEOPLE && whyNoError(sums) === null,
  );
  return { length: reportOf(clips, 'length', options), wait: reportOf(clips, 'wait', options) };
}

function reportOf(clips: readonly Clip[], of: 'length' | 'wait', { features }: Options): ModelReport {
  const examples = clips.flatMap((clip): Judgeable[] => {
    const errors = errorsOf(clip);
    return errors[of] === null
      ? []
      : [{ ...clip, errorPercent: errors[of], lengthErrorPercent: errors.length }];
  });
  const unseen = judgeUnseen(examples, features);
  const model = fitWithRange(examples, features, unseen);
  const stored = examples.map((example) => judgedBy(ERROR_MODELS[of], example));
  const isShop = ({ group }: Example) => SCENARIOS.some((name) => name === group);
  const part = (name: string, isIn: (example: Judgeable) => boolean): Part => {
    const within = (all: readonly Judged[]) => all.filter(({ example }) => isIn(example as Judgeable));
    const errors = examples.filter(isIn).map(({ errorPercent }) => errorPercent);
    return {
      ...{ part: name, clips: errors.length, bad: errors.filter(isBad).length },
      medianErrorPercent: median(errors),
      ...judgementOf(within(unseen), model),
      stored: judgementOf(within(stored), ERROR_MODELS[of]),
    };
  };
  return {
    parts: [
      part('all', () => true),
      part('simulated shops', isShop),
      part('sequences, all boxes', (one) => !isShop(one)),
      part('sequences, real boxes', ({ boxes }) => boxes === 'own'),
      ...[...new Set(examples.map(({ group }) => group))].map((name) =>
        part(name, ({ group }) => group === name),
      ),
    ],
    limit: of === 'wait' ? judgementOf(examples.map(knowingLength), model) : null,
    model,
  };
}

const knowingLength = (example: Judgeable): Judged =>
  judged(example, Math.log(example.lengthErrorPercent + ERROR_FLOOR));

const isBad = (errorPercent: number): boolean => errorPercent > DOUBTFUL_PERCENT;

function judgementOf(all: readonly Judged[], { low, high }: ErrorModel): Judgement {
  const percent = (of: readonly Judged[], is: (one: Judged) => boolean) =>
    ratio(100 * of.filter(is).length, of.length, 1);
  const errorOf = ({ example }: Judged) => example.errorPercent;
  const isFlagged = ({ expected }: Judged) => isBad(expected);
  return {
    rankCorrelation: rankCorrelation(
      all.map(({ expected }) => expected),
      all.map(errorOf),
    ),
    flaggedPercent: percent(
      all.filter((one) => isBad(errorOf(one))),
      isFlagged,
    ),
    falselyFlaggedPercent: percent(
      all.filter((one) => !isBad(errorOf(one))),
      isFlagged,
    ),
    heldPercent: percent(all, ({ residual }) => residual >= low && residual <= high),
  };
}

/** Spearman's; equal values share their rank. Null for fewer than three, or where all are equal. */
export function rankCorrelation(a: readonly number[], b: readonly number[]): number | null {
  const ranks = (values: readonly number[]) =>
    values.map((value) => {
      const below = values.filter((other) => other < value).length;
      return below + values.filter((other) => other === value).length / 2;
    });
  const centred = (values: readonly number[]) => {
    const middle = values.reduce((sum, value) => sum + value, 0) / values.length;
    return values.map((value) => value - middle);
  };
  const [first, second] = [centred(ranks(a)), centred(ranks(b))];
  const product = (one: readonly number[], other: readonly number[]) =>
    one.reduce((sum, value, at) => sum + value * other[at]!, 0);
  const scale = Math.sqrt(product(first, first) * product(second, second));
  return a.length < 3 || scale === 0 ? null : product(first, second) / scale;
}

const cells = ({ rankCorrelation, flaggedPercent, falselyFlaggedPercent, heldPercent }: Judgement) => [
  shown(rankCorrelation, 2),
  ...[flaggedPercent, falselyFlaggedPercent, heldPercent].map((value) => shown(value, 0, '%')),
];

const HEADING = ['rank', 'flagged', 'falsely', 'in range'];

const describe = (report: Report): string =>
  [
    ...(['length', 'wait'] as const).flatMap((of) => {
      const { parts, limit, model } = report[of];
      const isStored = isDeepStrictEqual(model, ERROR_MODELS[of]);
      return [
        `error of the ${of}: each group by a model that was not fitted on it; *by the stored one`,
        table([
          ['group', 'clips', 'bad', 'median error', ...HEADING, ...HEADING.map((name) => `*${name}`)],
          ...parts.map((one) => [
            ...[one.part, one.clips, one.bad, shown(one.medianErrorPercent, 1, '%')],
            ...[...cells(one), ...cells(one.stored)],
          ]),
          ...(limit ? [['limit: who knows the length', '', '', '', ...cells(limit), '', '', '', '']] : []),
        ]),
        isStored ? 'The stored model is the one fitted here.' : 'The stored model is another one.',
        '',
      ];
    }),
    'bad: an error over 20 %; flagged: of the bad ones those whose expected error is over 20 %; falsely: the same of the others',
    '',
    `src/catalogue/metrics/error-model.ts: ${JSON.stringify({ length: report.length.model, wait: report.wait.model }, null, 2)}`,
  ].join('\n');

export const estimateCommand = (): Command =>
  evaluation(
    'estimate',
    'Fits the model of the expected error of the queue length, which needs no labels, on simulated shops and sequences with\n' +
      'faults of several degrees, and judges it on the groups on which it was not fitted: a scenario, or a sequence.',
  )
    .argument('[mot-root]', FOOTAGE_ROOT)
    .option('--scenario <name,…>', SCENARIOS.join(', '), someOf(SCENARIOS), [...SCENARIOS])
    .addOption(seedsOption([1, 2]))
    .option('--minutes <n>', 'length of each shop', positive, 8)
    .option('--fps <n>', 'frames a second of the shops', positive, 4)
    .option('--zones <n>', 'random zones for each sequence', count(1), 20)
    .option('--features <name,…>', NAMES.join(', '), someOf(NAMES), NAMES)
    .option(
      '--clips <file>',
      'keep the clips in this file when all are made; read them from it where it exists',
    )
    .action(printing(evaluateEstimate, describe, printMeasured));
