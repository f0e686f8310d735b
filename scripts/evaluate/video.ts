import { mkdir, writeFile } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Command } from 'commander';
import { loadConfig, MODELS_DIR } from '../../src/config.ts';
import { DEFAULT_MODEL } from '../../src/vision/detect/card.ts';
import { type Detector, loadDetector } from '../../src/vision/detect/load-detector.ts';
import { FfmpegSource } from '../../src/vision/frames/ffmpeg-source.ts';
import { MIN_SCORE } from '../../src/vision/pipeline.ts';
import { TRACKER_DEFAULTS } from '../../src/vision/track/options.ts';
import { CLASS_IDS } from '../../src/vision/types.ts';
import { share } from '../option-values.ts';
import { printMeasured } from '../print-measured.ts';
import { progress, table } from '../terminal.ts';
import { byFrame, motLine, readMotFile } from './mot/files.ts';
import { type DetectedFrame, follow } from './mot/follow.ts';
import { countSequence, SCORE_HEADING, scoreRow, scoresOf } from './mot/scores.ts';

/** More than any video has: every frame is taken. */
const EVERY_FRAME_FPS = 1000;

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

async function detectVideo(video: string, model: string) {
  const detector = await loadDetector({ model, modelsDir: MODELS_DIR, cacheDir: loadConfig().modelCacheDir });
  const { inputWidth, inputHeight } = detector;
  const url = pathToFileURL(resolve(video)).href;
  const source = new FfmpegSource({
    ...{ url, inputWidth, inputHeight },
    ...{ fps: EVERY_FRAME_FPS, pace: 'fast', pictureLongSide: null },
  });
  try {
    const picture = await source.open();
    const total = Math.round((picture.durationSeconds ?? 0) * picture.fps);
    return { picture, frames: await detectFrames(source, detector, total) };
  } finally {
    await source.close();
    await detector.dispose();
  }
}

async function detectFrames(
  source: FfmpegSource,
  detector: Detector,
  total: number,
): Promise<DetectedFrame[]> {
  const frames: DetectedFrame[] = [];
  const bar = progress('detecting', total, 'frames');
  try {
    for (let frame = await source.next(); frame; frame = await source.next()) {
      const found = await detector.detect(frame.model, frame.letterbox, MIN_SCORE);
      frames.push({
        frame: frame.index + 1,
        timeMs: frame.timeMs,
        detections: found.filter(({ classId }) => CLASS_IDS.person.includes(classId)),
      });
      bar.update(frames.length);
    }
  } finally {
    bar.stop();
  }
  return frames;
}
