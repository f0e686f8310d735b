import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { TRACKER_DEFAULTS } from '../../../src/vision/track/options.ts';
import { positive, share } from '../../support/options.ts';
import { printMeasured } from '../../support/print-measured.ts';
import { progress, table } from '../../support/terminal.ts';
import { byFrame, findSequences, type MotSequence, motLine, readMotFile } from './files.ts';
import { type DetectedFrame, follow, toDetection } from './follow.ts';
import { combine, countSequence, type MotCounts, type MotScores, scoreRows, scoresOf } from './scores.ts';

interface TrackerOptions {
  readonly out?: string;
  readonly confidence: number;
  readonly fps?: number;
  readonly json: boolean;
}

type TrackerScores = MotScores & { readonly framesPerSecond: number };

export function trackerCommand(): Command {
  return new Command('tracker')
    .description(
      'Runs our tracker on the given detections of MOTChallenge sequences and scores it as TrackEval does.',
    )
    .argument('<mot-root>', 'folder of sequences: NAME/det/det.txt, NAME/gt/gt.txt and NAME/seqinfo.ini')
    .option('--out <dir>', 'write NAME.txt in MOTChallenge columns there')
    .option(
      '--confidence <share>',
      'score a track begins with, 0-1',
      share,
      TRACKER_DEFAULTS.confidenceThreshold,
    )
    .option('--fps <number>', 'take every n-th frame only, so that about so many a second are left', positive)
    .option('--json', 'one JSON document on standard output', false)
    .action(async (root: string, options: TrackerOptions) => {
      const report = await evaluateTracker(root, options);
      printMeasured(options.json, report, () => trackerTable(report));
    });
}

async function evaluateTracker(root: string, options: TrackerOptions) {
  const found = await findSequences(root);
  if (options.out) await mkdir(options.out, { recursive: true });
  const bar = progress('tracking', found.length, 'sequences');
  const counts: MotCounts[] = [];
  const sequences: Record<string, TrackerScores> = {};
  let frameCount = 0;
  let cpuSeconds = 0;
  for (const sequence of found) {
    const frames = await detectedFrames(sequence, options.fps);
    const followed = follow(frames, sequence, {
      confidenceThreshold: options.confidence,
      // The detectors of MOTChallenge are trained on whole bodies.
      visibleBoxes: false,
    });
    if (options.out) {
      const lines = followed.rows.flat().map(motLine);
      await writeFile(join(options.out, `${sequence.name}.txt`), lines.join(''));
    }
    const truthPath = join(sequence.folder, 'gt', 'gt.txt');
    const truth = byFrame(await readMotFile(truthPath), sequence.frames, truthPath);
    const counted = countSequence(
      frames.map(({ frame }) => truth[frame - 1]!),
      followed.rows,
    );
    sequences[sequence.name] = {
      ...scoresOf(counted),
      framesPerSecond: Math.round(frames.length / followed.cpuSeconds),
    };
    counts.push(counted);
    frameCount += frames.length;
    cpuSeconds += followed.cpuSeconds;
    bar.update(counts.length);
  }
  bar.stop();
  const framesPerSecond = Math.round(frameCount / cpuSeconds);
  return { sequences, combined: { ...scoresOf(combine(counts)), framesPerSecond } };
}

async function detectedFrames(sequence: MotSequence, fps: number | undefined): Promise<DetectedFrame[]> {
  const path = join(sequence.folder, 'det', 'det.txt');
  const step = fps ? Math.max(1, Math.round(sequence.framesPerSecond / fps)) : 1;
  return byFrame(await readMotFile(path), sequence.frames, path)
    .map((rows, at) => ({
      frame: at + 1,
      timeMs: (at * 1000) / sequence.framesPerSecond,
      detections: rows.map((row) => toDetection(row, sequence)),
    }))
    .filter((_, at) => at % step === 0);
}

function trackerTable({ sequences, combined }: Awaited<ReturnType<typeof evaluateTracker>>): string {
  const speeds = [...Object.values(sequences), combined].map((scores) => scores.framesPerSecond);
  const rows = scoreRows(sequences, combined).map((row, at) => [...row, speeds[at - 1] ?? 'frames/s']);
  return `${table(rows)}\nframes/s: frames in one second of one core's time, tracking alone`;
}
