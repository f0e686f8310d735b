import { basename, dirname, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { withVideo } from '../../support/footage/video-frames.ts';
import { addUp, rounded, shown, sum } from '../../support/numbers.ts';
import { count, positive } from '../../support/options.ts';
import { printMeasured } from '../../support/printing.ts';
import { table } from '../../support/terminal.ts';
import type { Span } from '../matching/spans.ts';
import { evaluation, modelOption } from '../options.ts';
import { addVisits, figuresOf, scoreZone } from '../visits/score-zone.ts';
import { compareVisits, DIFFERENCES, type VisitDifferences } from './compare-visits.ts';
import { type BothWays, observeBoth } from './observe-both.ts';
import { type JudgedScene, type SceneOptions, scenesOfVideo } from './scenes-of-video.ts';

interface StillOptions extends SceneOptions {
  readonly json: boolean;
}

export const stillCommand = (): Command =>
  evaluation(
    'still',
    'Compares the visits of videos with and without the frames that the detector is spared, with the truth beside a video or in random scenes, and what the detector costs. Add noise to a video with ffmpeg beforehand: -vf noise=alls=12:allf=t.',
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

async function compareVideo(video: string, options: StillOptions) {
  const { fps, model } = options;
  const scenes = await scenesOfVideo(video, options);
  const configs = scenes.map(({ config }) => config);
  return withVideo({ video, model, fps, label: basename(video) }, async ({ info, detector, frames }) => {
    const both = await observeBoth(frames, detector, configs);
    const differences = both.pairs.map(({ all, sparing }) => compareVisits(all, sparing, 1000 / info.fps));
    const visits: VisitDifferences = addUp(DIFFERENCES, differences);
    const f1 = { all: f1Of(scenes, both, 'all'), sparing: f1Of(scenes, both, 'sparing') };
    return { video: nameOf(video), frames: both.timesMs.length, ...sharesOf(both), visits, f1 };
  });
}

/** Films of tills and sequences are all called video.mp4. */
const nameOf = (video: string): string =>
  basename(video) === 'video.mp4' ? basename(dirname(resolve(video))) : basename(video);

/** Against the truth; null where nobody knows it. */
function f1Of(scenes: readonly JudgedScene[], { pairs, timesMs }: BothWays, way: 'all' | 'sparing') {
  const lastMs = timesMs.at(-1) ?? 0;
  const ended = (spans: readonly Span[]): Span[] => spans.map(([from, to]) => [from, Math.min(to, lastMs)]);
  const stay = (from: number | null, to: number | null): Span[] =>
    from === null ? [] : [[from, to ?? lastMs]];
  const counts = scenes.flatMap(({ truth }, at) => {
    if (!truth) return [];
    const ours = pairs[at]![way];
    const queue = ours.flatMap((visit) => stay(visit.queueEnteredAtMs, visit.queueLeftAtMs));
    const service = ours.flatMap((visit) => stay(visit.serviceStartedAtMs, visit.serviceEndedAtMs));
    return [scoreZone(ended(truth.queue), queue, timesMs), scoreZone(ended(truth.service), service, timesMs)];
  });
  return counts.length === 0 ? null : figuresOf(addVisits(counts)).f1;
}

/** Means over the scenes: the shares of spared frames, and the CPU time of detection as a share of that without sparing. */
function sharesOf({ timesMs, pairs, costs: { look, glance, compare } }: BothWays) {
  const all = timesMs.length * pairs.length;
  const count = (of: 'skipped' | 'held') => sum(pairs.map((pair) => pair[of]));
  const spentMs = sum([look, glance, compare].map((cost) => cost.count * cost.ms));
  const ms = { look: rounded(look.ms, 2), glance: rounded(glance.ms, 2), compare: rounded(compare.ms, 2) };
  return {
    skippedShare: rounded(count('skipped') / all, 3),
    heldShare: rounded(count('held') / all, 3),
    costShare: rounded(spentMs / (all * look.ms), 3),
    cpuMs: ms,
  };
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
    'held',
    'cost',
    'F1 of all frames',
    'F1',
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
        ...[one.video, one.frames, percent(one.skippedShare), percent(one.heldShare), percent(one.costShare)],
        ...[shown(one.f1.all, 3), shown(one.f1.sparing, 3)],
        ...counts(one.visits),
      ]),
      ['all', '', '', '', '', '', '', ...counts(visits)],
    ]),
    '',
    'cost: CPU time of detector and comparison as a share of that with every frame. Times of visits are the same within one frame.',
  ].join('\n');
}
