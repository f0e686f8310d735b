import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { print, progress, table } from '../../support/terminal.ts';
import { byFrame, findSequences, type MotSequence, readMotFile } from './files.ts';
import { combine, countSequence, type MotCounts, type MotScores, scoreRows, scoresOf } from './scores.ts';

export interface ScoreReport {
  readonly sequences: Readonly<Record<string, MotScores>>;
  readonly combined: MotScores;
}

/** `DIR/NAME.txt`, by the folder's name or by that of seqinfo.ini. */
function resultPath(folder: string, sequence: MotSequence): string {
  const paths = [sequence.name, sequence.title].map((name) => join(folder, `${name}.txt`));
  const found = paths.find((path) => existsSync(path));
  if (!found)
    throw new Error(`${folder} holds no results for ${sequence.name}: ${paths.join(' or ')} expected.`);
  return found;
}

/** @param root folder of sequences with ground truth; @param results folder of `NAME.txt` */
export async function scoreFolder(root: string, results: string): Promise<ScoreReport> {
  const sequences = await findSequences(root);
  const bar = progress('scoring', sequences.length, 'sequences');
  const counts: MotCounts[] = [];
  const scores: Record<string, MotScores> = {};
  for (const sequence of sequences) {
    const truthPath = join(sequence.folder, 'gt', 'gt.txt');
    const path = resultPath(results, sequence);
    const found = countSequence(
      byFrame(await readMotFile(truthPath), sequence.frames, truthPath),
      byFrame(await readMotFile(path), sequence.frames, path),
    );
    counts.push(found);
    scores[sequence.name] = scoresOf(found);
    bar.update(counts.length);
  }
  bar.stop();
  return { sequences: scores, combined: scoresOf(combine(counts)) };
}

export function scoreCommand(): Command {
  return new Command('score')
    .description("Scores anybody's tracking results as TrackEval does (HOTA, CLEAR, Identity; pedestrians).")
    .argument('<mot-root>', 'folder of MOTChallenge sequences: NAME/gt/gt.txt and NAME/seqinfo.ini')
    .argument('<results-dir>', 'folder of result files NAME.txt in MOTChallenge columns')
    .option('--json', 'one JSON document on standard output', false)
    .action(async (root: string, results: string, options: { json: boolean }) => {
      const report = await scoreFolder(root, results);
      print(options.json, report, () => table(scoreRows(report.sequences, report.combined)));
    });
}
