import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { createRandom } from '../../../src/simulator/random.ts';
import { sceneConfigSchema } from '../../../src/vision/scene-config.ts';
import type { AnalysisClass, SceneConfig } from '../../../src/vision/types.ts';
import { withVideo } from '../../support/footage/video-frames.ts';
import { addUp, rounded } from '../../support/numbers.ts';
import { count, positive } from '../../support/options.ts';
import { printMeasured } from '../../support/printing.ts';
import { table } from '../../support/terminal.ts';
import { evaluation, modelOption } from '../options.ts';
import { compareVisits, DIFFERENCES, type VisitDifferences } from './compare-visits.ts';
import { type BothWays, observeBoth } from './observe-both.ts';

interface StillOptions {
  readonly fps: number;
  readonly zones: number;
  readonly seed: number;
  readonly class: AnalysisClass;
  readonly model: string;
  readonly json: boolean;
}

export const stillCommand = (): Command =>
  evaluation(
    'still',
    'Compares the visits of videos with and without skipped frames, in random scenes, and what the detector costs. Add noise to a video with ffmpeg beforehand: -vf noise=alls=12:allf=t.',
  )
    .argument('<videos...>', 'video files')
    .option('--fps <number>', 'frames a second to analyse', positive, 5)
    .option(
      '--zones <number>',
      'random scenes for each video, besides one whose queue is the whole picture',
      count(0),
      12,
    )
    .option('--seed <number>', 'seed of the random scenes', count(0), 1)
    .addOption(
      new Option('--class <class>', 'what the scenes follow')
        .choices(['person', 'vehicle'])
        .default('person'),
    )
    .addOption(modelOption())
    .action(async (videos: string[], options: StillOptions) => {
      const rows = [];
      for (const video of videos) rows.push(await compareVideo(video, options));
      const result = {
        fps: options.fps,
        videos: rows,
        visits: addUp(
          DIFFERENCES,
          rows.map(({ visits }) => visits),
        ),
      };
      printMeasured(options.json, result, () => text(result));
    });

async function compareVideo(video: string, { fps, zones, seed, model, class: followed }: StillOptions) {
  const configs = scenesOf(zones, seed, followed);
  return withVideo({ video, model, fps, label: basename(video) }, async ({ info, detector, frames }) => {
    const both = await observeBoth(frames, detector, configs);
    const differences = both.pairs.map(({ all, skipping }) => compareVisits(all, skipping, 1000 / info.fps));
    const visits: VisitDifferences = addUp(DIFFERENCES, differences);
    return { video: basename(video), frames: both.frames, ...sharesOf(both), visits };
  });
}

/** Means over the scenes: the share of skipped frames, and the CPU time of detection as a share of that without skipping. */
function sharesOf({ frames, pairs, costs: { look, glance, compare } }: BothWays) {
  const all = frames * pairs.length;
  const skipped = pairs.reduce((sum, pair) => sum + pair.skipped, 0);
  const spentMs = [look, glance, compare].reduce((sum, { count, ms }) => sum + count * ms, 0);
  const ms = { look: rounded(look.ms, 2), glance: rounded(glance.ms, 2), compare: rounded(compare.ms, 2) };
  return {
    skippedShare: rounded(skipped / all, 3),
    costShare: rounded(spentMs / (all * look.ms), 3),
    cpuMs: ms,
  };
}

/** Scenes of a queue beside a checkout, and one of a queue alone. Thresholds of a second make many visits of short clips. */
function scenesOf(count: number, seed: number, followed: AnalysisClass): SceneConfig[] {
  const random = createRandom(seed);
  const parameters = { class: followed, entryThresholdSeconds: 1, exitThresholdSeconds: 1 };
  const box = (left: number, top: number, right: number, bottom: number) => ({
    type: 'polygon',
    points: [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
    ],
  });
  const drawn = Array.from({ length: count }, () => {
    const [width, height] = [0.25 + 0.45 * random.next(), 0.25 + 0.45 * random.next()];
    const [left, top] = [random.next() * (1 - width), random.next() * (1 - height)];
    const middle = left + 0.6 * width;
    return {
      queueZone: box(left, top, middle, top + height),
      checkoutZone: box(middle, top, left + width, top + height),
    };
  });
  return [{ queueZone: box(0, 0, 1, 1) }, ...drawn].map((zones) =>
    sceneConfigSchema.parse({ zones, parameters }),
  );
}

type Result = {
  readonly videos: readonly Awaited<ReturnType<typeof compareVideo>>[];
  readonly visits: VisitDifferences;
};

function text({ videos, visits }: Result): string {
  const heading = [
    'video',
    'frames',
    'skipped',
    'cost',
    'visits',
    'same',
    'other begin',
    'other end',
    'missing',
    'invented',
  ];
  const counts = (found: VisitDifferences) => DIFFERENCES.map((name) => found[name]);
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  return [
    table([
      heading,
      ...videos.map((one) => [
        ...[one.video, one.frames, percent(one.skippedShare), percent(one.costShare)],
        ...counts(one.visits),
      ]),
      ['all', '', '', '', ...counts(visits)],
    ]),
    '',
    'cost: CPU time of detector and comparison as a share of that without skipping. Times of visits are the same within one frame.',
  ].join('\n');
}
