import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { addUp } from '../../support/numbers.ts';
import { positive } from '../../support/options.ts';
import { printing, printMeasured } from '../../support/printing.ts';
import { table } from '../../support/terminal.ts';
import { type MotSequence, readDetections } from '../footage/mot-files.ts';
import { confidenceOption, evaluation } from '../options.ts';
import { follow, resultText } from './follow.ts';
import { scoreRows, scoreSequences } from './scores.ts';

interface TrackerOptions {
  readonly out?: string;
  readonly confidence: number;
  readonly fps?: number;
  readonly plain: boolean;
}

export const trackerCommand = (): Command =>
  evaluation(
    'tracker',
    'Follows people on the given detections of MOTChallenge sequences as a scene does, and scores them as TrackEval does.',
  )
    .argument('<mot-root>', 'folder of sequences: NAME/det/det.txt, NAME/gt/gt.txt and NAME/seqinfo.ini')
    .option('--out <dir>', 'write the tracks to NAME.txt in this folder, in MOTChallenge columns')
    .addOption(confidenceOption())
    .option(
      '--fps <number>',
      'use only every n-th frame, so that the rate is about this many a second',
      positive,
    )
    .option('--plain', 'the tracks of the tracker alone, without hidden feet and identity', false)
    .action(printing(evaluateTracker, trackerTable, printMeasured));

async function evaluateTracker(root: string, options: TrackerOptions) {
  if (options.out) await mkdir(options.out, { recursive: true });
  const speeds: Record<string, { frames: number; cpuSeconds: number }> = {};
  const { sequences, combined } = await scoreSequences(root, async (sequence) => {
    const frames = await detectedFrames(sequence, options.fps);
    const { confidence, plain: isPlain } = options;
    // The detectors of MOTChallenge are trained on whole bodies.
    const { tracked, cpuSeconds } = follow(frames, {
      size: sequence,
      confidence,
      isPlain,
      visibleBoxes: false,
    });
    if (options.out) await writeFile(join(options.out, `${sequence.name}.txt`), resultText(tracked));
    speeds[sequence.name] = { frames: frames.length, cpuSeconds };
    return tracked;
  });
  const all = addUp(['frames', 'cpuSeconds'], Object.values(speeds));
  const speed = ({ frames, cpuSeconds }: typeof all) => ({
    framesPerSecond: Math.round(frames / cpuSeconds),
  });
  return {
    sequences: Object.fromEntries(
      Object.entries(sequences).map(([name, scores]) => [name, { ...scores, ...speed(speeds[name]!) }]),
    ),
    combined: { ...combined, ...speed(all) },
  };
}

async function detectedFrames(sequence: MotSequence, fps: number | undefined) {
  const { detections } = await readDetections(sequence.folder);
  const step = fps ? Math.max(1, Math.round(sequence.framesPerSecond / fps)) : 1;
  return detections
    .map((found, at) => ({
      frame: at + 1,
      timeMs: (at * 1000) / sequence.framesPerSecond,
      detections: found,
    }))
    .filter((_, at) => at % step === 0);
}

function trackerTable(report: Awaited<ReturnType<typeof evaluateTracker>>): string {
  const speeds = [...Object.values(report.sequences), report.combined].map(
    (scores) => scores.framesPerSecond,
  );
  const rows = scoreRows(report).map((row, at) => [...row, speeds[at - 1] ?? 'frames/s']);
  return `${table(rows)}\nframes/s: frames that tracker, feet and identity handle in one second of one core`;
}
