import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { printing } from '../../support/printing.ts';
import { table } from '../../support/terminal.ts';
import { type MotSequence, readFrames } from '../footage/mot-files.ts';
import { evaluation } from '../options.ts';
import { type ScoreReport, scoreRows, scoreSequences } from './scores.ts';

/** `DIR/NAME.txt`. NAME is the name of the sequence's folder or that in seqinfo.ini. */
function resultPath(folder: string, sequence: MotSequence): string {
  const paths = [sequence.name, sequence.title].map((name) => join(folder, `${name}.txt`));
  const found = paths.find((path) => existsSync(path));
  if (found) return found;
  throw new Error(`${folder} holds no results for ${sequence.name}: ${paths.join(' or ')} expected.`);
}

/** @param root folder of sequences with ground truth; @param results folder of `NAME.txt` */
export const scoreFolder = (root: string, results: string): Promise<ScoreReport> =>
  scoreSequences(root, async (sequence) => {
    const frames = await readFrames(resultPath(results, sequence), sequence.frames);
    return frames.map((rows, at) => ({ frame: at + 1, rows }));
  });

export const scoreCommand = (): Command =>
  evaluation('score', 'Scores tracking results as TrackEval does (HOTA, CLEAR, Identity; pedestrians).')
    .argument('<mot-root>', 'folder of MOTChallenge sequences: NAME/gt/gt.txt and NAME/seqinfo.ini')
    .argument('<results-dir>', 'folder of result files NAME.txt in MOTChallenge columns')
    .action(printing(scoreFolder, (report) => table(scoreRows(report))));
