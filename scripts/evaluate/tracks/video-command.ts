import { mkdir, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Command } from 'commander';
import { printMeasured } from '../../support/printing.ts';
import { table } from '../../support/terminal.ts';
import { detectVideo } from '../footage/detect-video.ts';
import { byFrame, readMotFile } from '../footage/mot-files.ts';
import { confidenceOption, evaluation, modelOption } from '../options.ts';
import { follow, resultText } from './follow.ts';
import { countSequence, SCORE_HEADING, scoreRow, scoresOf } from './scores.ts';

interface VideoOptions {
  readonly out?: string;
  readonly model: string;
  readonly confidence: number;
  readonly json: boolean;
}

export const videoCommand = (): Command =>
  evaluation(
    'video',
    'Finds and follows people on every frame of a video as a scene does, and scores their paths.',
  )
    .argument('<video>', 'file that ffmpeg reads')
    .argument('<gt>', 'ground truth in MOTChallenge columns, in pixels of the video, frames from 1')
    .option('--out <dir>', 'write the tracks to VIDEO.txt in this folder, in MOTChallenge columns')
    .addOption(modelOption())
    .addOption(confidenceOption())
    .action(async (video: string, truth: string, options: VideoOptions) => {
      const report = await evaluateVideo(video, truth, options);
      const rows = [SCORE_HEADING, scoreRow(basename(video), report)];
      printMeasured(options.json, report, () => `${table(rows)}\n${report.frames} frames, ${report.model}`);
    });

async function evaluateVideo(video: string, truthPath: string, { model, confidence, out }: VideoOptions) {
  // Read first, so that a wrong path does not cost the time of the detection.
  const truthRows = await readMotFile(truthPath);
  const { frames, info } = await detectVideo({ path: video, model });
  const { tracked } = follow(frames, { size: info, confidence });
  if (out) {
    await mkdir(out, { recursive: true });
    await writeFile(join(out, `${basename(video, extname(video))}.txt`), resultText(tracked));
  }
  const truth = byFrame(truthRows, frames.length, truthPath);
  const results = tracked.map(({ rows }) => rows);
  return { model, frames: frames.length, ...scoresOf(countSequence(truth, results)) };
}
