import { mkdir, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { Command } from 'commander';
import { DEFAULT_MODEL } from '../../../src/models/card.ts';
import { TRACKER_DEFAULTS } from '../../../src/vision/track/options.ts';
import { share } from '../../support/options.ts';
import { printMeasured } from '../../support/print-measured.ts';
import { table } from '../../support/terminal.ts';
import { detectVideo } from '../footage/detect-video.ts';
import { byFrame, motLine, readMotFile } from './files.ts';
import { follow } from './follow.ts';
import { countSequence, SCORE_HEADING, scoreRow, scoresOf } from './scores.ts';

interface VideoOptions {
  readonly out?: string;
  readonly model: string;
  readonly confidence: number;
  readonly json: boolean;
}

export function videoCommand(): Command {
  return new Command('video')
    .description('Runs detector and tracker on every frame of a video and scores the tracks of persons.')
    .argument('<video>', 'file that ffmpeg reads')
    .argument('<gt>', 'ground truth in MOTChallenge columns, in pixels of the video, frames from 1')
    .option('--out <dir>', 'write VIDEO.txt in MOTChallenge columns there')
    .option('--model <name>', 'a card of models/', DEFAULT_MODEL)
    .option(
      '--confidence <share>',
      'score a track begins with, 0-1',
      share,
      TRACKER_DEFAULTS.confidenceThreshold,
    )
    .option('--json', 'one JSON document on standard output', false)
    .action(async (video: string, truth: string, options: VideoOptions) => {
      const report = await evaluateVideo(video, truth, options);
      printMeasured(options.json, report, () =>
        table([SCORE_HEADING, scoreRow(basename(video), report)]).concat(
          `\n${report.frames} frames, ${report.model}`,
        ),
      );
    });
}

async function evaluateVideo(video: string, truthPath: string, options: VideoOptions) {
  const truthRows = await readMotFile(truthPath);
  const { frames, picture } = await detectVideo(video, options.model);
  const { rows } = follow(frames, picture, { confidenceThreshold: options.confidence });
  if (options.out) {
    await mkdir(options.out, { recursive: true });
    const name = `${basename(video, extname(video))}.txt`;
    await writeFile(join(options.out, name), rows.flat().map(motLine).join(''));
  }
  const truth = byFrame(truthRows, frames.length, truthPath);
  return {
    model: options.model,
    frames: frames.length,
    ...scoresOf(countSequence(truth, rows)),
  };
}
