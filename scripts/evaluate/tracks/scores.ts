import { type ClearCounts, clearCounts, combineClear, motaOf } from './clear.ts';
import type { MotRow } from './files.ts';
import { combineHota, type HotaCounts, hotaCounts, hotaOf } from './hota.ts';
import { combineIdentity, type IdentityCounts, identityCounts, idf1Of } from './identity.ts';
import { prepare } from './overlap.ts';

/** All counts of a sequence, or of several together. */
export interface MotCounts {
  readonly hota: HotaCounts;
  readonly clear: ClearCounts;
  readonly identity: IdentityCounts;
}

/** Percent, apart from the counts. */
export interface MotScores {
  readonly hota: number;
  readonly detA: number;
  readonly assA: number;
  readonly mota: number;
  readonly idf1: number;
  readonly idSwitches: number;
  readonly fragments: number;
  readonly falsePositives: number;
  readonly falseNegatives: number;
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

export function combine(parts: readonly MotCounts[]): MotCounts {
  return {
    hota: combineHota(parts.map((part) => part.hota)),
    clear: combineClear(parts.map((part) => part.clear)),
    identity: combineIdentity(parts.map((part) => part.identity)),
  };
}

export function scoresOf({ hota, clear, identity }: MotCounts): MotScores {
  const percent = (value: number) => Math.round(value * 100_000) / 1000;
  const means = hotaOf(hota);
  return {
    hota: percent(means.hota),
    detA: percent(means.detA),
    assA: percent(means.assA),
    mota: percent(motaOf(clear)),
    idf1: percent(idf1Of(identity)),
    idSwitches: clear.idSwitches,
    fragments: clear.fragments,
    falsePositives: clear.falsePositives,
    falseNegatives: clear.falseNegatives,
  };
}

export const SCORE_HEADING = ['sequence', 'HOTA', 'DetA', 'AssA', 'MOTA', 'IDF1', 'switches', 'FP', 'FN'];

/** A row under `SCORE_HEADING`. */
export function scoreRow(name: string, scores: MotScores): (string | number)[] {
  const { hota, detA, assA, mota, idf1, idSwitches, falsePositives, falseNegatives } = scores;
  const percents = [hota, detA, assA, mota, idf1].map((value) => value.toFixed(2));
  return [name, ...percents, idSwitches, falsePositives, falseNegatives];
}

/** Rows for the terminal: heading, one per sequence, combined. */
export function scoreRows(
  sequences: Readonly<Record<string, MotScores>>,
  combined: MotScores,
): (string | number)[][] {
  return [
    SCORE_HEADING,
    ...Object.entries(sequences).map(([name, scores]) => scoreRow(name, scores)),
    scoreRow('combined', combined),
  ];
}
