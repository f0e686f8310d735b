import { addUp } from '../../support/numbers.ts';
import { eachWithProgress } from '../../support/terminal.ts';
import {
  findSequences,
  type MotRow,
  type MotSequence,
  readFrames,
  readSequence,
  truthPath,
} from '../footage/mot-files.ts';
import { type ClearCounts, clearCounts, motaOf } from './clear.ts';
import type { FrameRows } from './follow.ts';
import { combineHota, type HotaCounts, hotaCounts, hotaOf } from './hota.ts';
import { type IdentityCounts, identityCounts, idf1Of } from './identity.ts';
import { prepare } from './overlap.ts';

/** All counts of a sequence, or of several together. */
export interface MotCounts {
  readonly hota: HotaCounts;
  readonly clear: ClearCounts;
  readonly identity: IdentityCounts;
}

/** @param truth, results rows of each frame of one sequence */
export function countSequence(
  truth: readonly (readonly MotRow[])[],
  results: readonly (readonly MotRow[])[],
): MotCounts {
  const sequence = prepare(truth, results);
  return {
    hota: hotaCounts(sequence),
    clear: clearCounts(sequence),
    identity: identityCounts(sequence),
  };
}

const BOX_COUNTS = ['truePositives', 'falseNegatives', 'falsePositives'] as const;

export function combine(parts: readonly MotCounts[]): MotCounts {
  return {
    hota: combineHota(parts.map((part) => part.hota)),
    clear: addUp(
      [...BOX_COUNTS, 'idSwitches', 'fragments'],
      parts.map(({ clear }) => clear),
    ),
    identity: addUp(
      BOX_COUNTS,
      parts.map(({ identity }) => identity),
    ),
  };
}

/** Per cent, apart from the counts. */
export type MotScores = ReturnType<typeof scoresOf>;

export function scoresOf({ hota, clear, identity }: MotCounts) {
  const percent = (value: number) => Math.round(value * 100_000) / 1000;
  const means = hotaOf(hota);
  const { idSwitches, fragments, falsePositives, falseNegatives } = clear;
  return {
    ...{ hota: percent(means.hota), detA: percent(means.detA), assA: percent(means.assA) },
    ...{ mota: percent(motaOf(clear)), idf1: percent(idf1Of(identity)) },
    ...{ idSwitches, fragments, falsePositives, falseNegatives },
  };
}

export interface ScoreReport {
  readonly sequences: Readonly<Record<string, MotScores>>;
  readonly combined: MotScores;
}

/**
 * Scores tracking results of all sequences in a folder.
 * @param resultsOf the frames of a sequence to score, and the rows of the results
 */
export async function scoreSequences(
  root: string,
  resultsOf: (sequence: MotSequence) => Promise<readonly FrameRows[]>,
): Promise<ScoreReport> {
  const folders = await findSequences(root);
  const counted = await eachWithProgress('scoring', folders, 'sequences', async (folder) => {
    const sequence = await readSequence(folder);
    const truth = await readFrames(truthPath(folder), sequence.frames);
    const results = await resultsOf(sequence);
    const counts = countSequence(
      results.map(({ frame }) => truth[frame - 1]!),
      results.map(({ rows }) => rows),
    );
    return { name: sequence.name, counts };
  });
  return {
    sequences: Object.fromEntries(counted.map(({ name, counts }) => [name, scoresOf(counts)])),
    combined: scoresOf(combine(counted.map(({ counts }) => counts))),
  };
}

export const SCORE_HEADING = ['sequence', 'HOTA', 'DetA', 'AssA', 'MOTA', 'IDF1', 'switches', 'FP', 'FN'];

/** A row below `SCORE_HEADING`. */
export function scoreRow(name: string, scores: MotScores): (string | number)[] {
  const { hota, detA, assA, mota, idf1, idSwitches, falsePositives, falseNegatives } = scores;
  const percents = [hota, detA, assA, mota, idf1].map((value) => value.toFixed(2));
  return [name, ...percents, idSwitches, falsePositives, falseNegatives];
}

/** Rows for the terminal: the heading, one row for each sequence, and all sequences together. */
export const scoreRows = ({ sequences, combined }: ScoreReport): (string | number)[][] => [
  SCORE_HEADING,
  ...Object.entries(sequences).map(([name, scores]) => scoreRow(name, scores)),
  scoreRow('combined', combined),
];
