import { existsSync } from 'node:fs';
import { appendFile, readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { DOUBTFUL_PERCENT, whyNoError } from '../../../src/catalogue/metrics/expected-error.ts';
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
import { type Example, fitWithRange, type Judged, judgeUnseen } from './fit.ts';

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
/** True people in a clip, summed over its frames, below which an error in percent says nothing. */
const LEAST_PEOPLE = 30;

interface Judgement {
  readonly part: string;
  readonly clips: number;
  readonly medianErrorPercent: number;
  /** Spearman's, of the expected with the true error. */
  readonly rankCorrelation: number | null;
  /** Of the clips with an error over the bound those that are flagged, and of the others. */
  readonly flaggedPercent: number | null;
  readonly falselyFlaggedPercent: number | null;
  /** Clips whose error lies within the range of 80 %. */
  readonly heldPercent: number | null;
}

interface ModelReport {
  readonly parts: readonly Judgement[];
  readonly model: ErrorModel;
}
type Report = Readonly<Record<'length' | 'wait', ModelReport>>;

interface Judgeable extends Example {
  readonly boxes: string;
}

async function makeClips(root: string | undefined, options: Options): Promise<Clip[]> {
  const { scenario, seeds, minutes, fps, zones, clips: path } = options;
  if (path && existsSync(path))
    return (await readFile(path, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Clip);
  const keep = async (clips: Clip[]) => {
    if (path) await appendFile(path, clips.map((clip) => `${JSON.stringify(clip)}\n`).join(''));
    return clips;
  };
  const shops = FAULTS.flatMap((faults) =>
    scenario.flatMap((one) => seeds.map((seed) => ({ faults, scenario: one, seed }))),
  );
  const ofShops = await eachWithProgress('watching', shops, 'shops', ({ faults, ...shop }) =>
    keep([shopClip({ ...shop, detections: faults.kind, minutes, fps }, faults.times)]),
  );
  const folders = root === undefined ? [] : await findSequences(root);
  const ofSequences = await eachWithProgress('watching', folders, 'sequences', async (folder) => {
    const footage = await readFootage(folder, DEFAULT_MODEL);
    return keep(
      [null, ...FAULTS.slice(1)].flatMap((faults) =>
        sequenceClips(footage, { fps, zones, seed: seeds[0]!, faults }),
      ),
    );
  });
  return [...ofShops, ...ofSequences].flat();
}

const errorsOf = ({ lengths, trueWait, ourWait }: Clip) => ({
  length: (100 * lengths.peopleError) / lengths.truthPeople,
  wait: trueWait === null ? null : (100 * Math.abs((ourWait ?? 0) - trueWait)) / trueWait,
});

async function evaluateEstimate(root: string | undefined, options: Options): Promise<Report> {
  const clips = (await makeClips(root, options)).filter(
    ({ lengths, sums }) => lengths.truthPeople >= LEAST_PEOPLE && whyNoError(sums) === null,
  );
  return { length: reportOf(clips, 'length', options), wait: reportOf(clips, 'wait', options) };
}

function reportOf(clips: readonly Clip[], of: 'length' | 'wait', { features }: Options): ModelReport {
  const examples = clips.flatMap((clip): Judgeable[] => {
    const errorPercent = errorsOf(clip)[of];
    return errorPercent === null
      ? []
      : [{ group: clip.group, sums: clip.sums, boxes: clip.boxes, errorPercent }];
  });
  const unseen = judgeUnseen(examples, features);
  const model = fitWithRange(examples, features, unseen);
  const isShop = ({ example }: Judged) => SCENARIOS.some((name) => name === example.group);
  const part = (name: string, isIn: (one: Judged) => boolean) =>
    judgementOf(name, unseen.filter(isIn), model);
  return {
    parts: [
      part('all', () => true),
      part('simulated shops', isShop),
      part('sequences, all boxes', (one) => !isShop(one)),
      part('sequences, real boxes', ({ example }) => (example as Judgeable).boxes === 'own'),
      ...[...new Set(examples.map(({ group }) => group))].map((group) =>
        part(group, ({ example }) => example.group === group),
      ),
    ],
    model,
  };
}

function judgementOf(part: string, judged: readonly Judged[], { low, high }: ErrorModel): Judgement {
  const errors = judged.map(({ example }) => example.errorPercent);
  const percent = (of: readonly Judged[], is: (one: Judged) => boolean) =>
    ratio(100 * of.filter(is).length, of.length, 1);
  const isBad = ({ example }: Judged) => example.errorPercent > DOUBTFUL_PERCENT;
  const isFlagged = ({ expected }: Judged) => expected > DOUBTFUL_PERCENT;
  return {
    part,
    clips: judged.length,
    medianErrorPercent: median(errors),
    rankCorrelation: rankCorrelation(
      judged.map(({ expected }) => expected),
      errors,
    ),
    flaggedPercent: percent(judged.filter(isBad), isFlagged),
    falselyFlaggedPercent: percent(
      judged.filter((one) => !isBad(one)),
      isFlagged,
    ),
    heldPercent: percent(judged, ({ residual }) => residual >= low && residual <= high),
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

const describe = ({ length, wait }: Report): string =>
  [
    ...Object.entries({ length, wait }).flatMap(([of, { parts }]) => [
      `error of the ${of}`,
      table([
        ['not fitted on', 'clips', 'median error', 'rank correlation', 'flagged', 'falsely', 'in range'],
        ...parts.map((one) => [
          ...[one.part, one.clips, shown(one.medianErrorPercent, 1, '%'), shown(one.rankCorrelation, 2)],
          ...[one.flaggedPercent, one.falselyFlaggedPercent, one.heldPercent].map((value) =>
            shown(value, 0, '%'),
          ),
        ]),
      ]),
      '',
    ]),
    'flagged: clips with an error over 20 % whose expected error is over 20 %; falsely: the same of the other clips',
    '',
    `src/catalogue/metrics/error-model.ts: ${JSON.stringify({ length: length.model, wait: wait.model }, null, 2)}`,
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
    .option('--fps <n>', 'frames a second', positive, 4)
    .option('--zones <n>', 'random zones for each sequence', count(1), 20)
    .option('--features <name,…>', NAMES.join(', '), someOf(NAMES), NAMES)
    .option('--clips <file>', 'keep the clips in this file; read them from it where it exists')
    .action(printing(evaluateEstimate, describe, printMeasured));
