import { basename } from 'node:path';
import { createSceneBody } from '../../../src/scenes/schema.ts';
import type { QueueZones, SceneConfig } from '../../../src/vision/types.ts';
import { replayVideo } from '../../replay/replay-video.ts';
import { readScene } from '../../replay/scene-file.ts';
import { table } from '../../support/terminal.ts';
import { figuresTable } from './figures-table.ts';
import { type Label, readLabels, refuse } from './label-file.ts';
import { judgeLabels, type LabelVerdict } from './score-labels.ts';
import { figuresOf, sum } from './score-zone.ts';

export interface OwnCameraOptions {
  readonly video: string;
  readonly labels: string;
  /** Without it, as in the API, the whole picture is the queue zone. */
  readonly scene?: string | undefined;
  readonly fps: number;
  readonly model: string;
}

/** The last labels may end so much later than the video: players and people round. */
const TOLERANCE_SECONDS = 1;

/** Cases of each kind that the text lists; JSON has them all. */
const MOST_CASES = 10;

type OwnCameraReport = Awaited<ReturnType<typeof evaluateOwnCamera>>;

/**
 * Runs a video through detector, tracker and zones, and holds its visits against labels. Of `sequences`, `static`,
 * `moving` and `combined`, which are those of the sequences’ judge, the video is the only sequence.
 * @throws Error that says what to do: a file that cannot be read, labels that do not fit the scene or the video
 */
export async function evaluateOwnCamera({ video, labels: path, scene, fps, model }: OwnCameraOptions) {
  const config = scene === undefined ? createSceneBody.shape.config.parse({}) : await readScene(scene);
  const labels = await readLabels(path);
  refuse(path, zoneFaults(labels, config.zones));
  const timesMs: number[] = [];
  const { frames, seconds, visits, staff } = await replayVideo({
    ...{ video, config, model, fps },
    onOpened: ({ durationSeconds }) => {
      if (durationSeconds !== null) refuse(path, lateFaults(labels, durationSeconds));
    },
    onFrame: (timeMs) => timesMs.push(timeMs),
  });
  refuse(path, lateFaults(labels, seconds));
  const { queueCounts, ...verdict } = judgeLabels(labels, { seconds, visits, timesMs }, rulesOf(config));
  const figures = figuresOf(queueCounts);
  return {
    ...{ fps, sequences: { [basename(video)]: figures } },
    ...{ static: figures, moving: figuresOf(sum([])), combined: figures, seeds: [] },
    video: { scene: scene ?? null, model, frames, seconds, ...extentOf(labels), staff, ...verdict },
  };
}

const rulesOf = ({ zones, parameters }: SceneConfig) => ({
  hasCheckout: zones.checkoutZone !== undefined,
  entry: parameters.entryThresholdSeconds,
  handOver: parameters.exitThresholdSeconds + parameters.trackingMaxAgeSeconds,
});

/** What a zone that is not there cannot see. */
function zoneFaults(labels: readonly Label[], zones: QueueZones): string[] {
  const without = (zone: keyof QueueZones, columns: string, has: (label: Label) => unknown): string[] => {
    const first = zones[zone] ? undefined : labels.find(has);
    if (!first) return [];
    return [
      `line ${first.line}: has ${columns}, and the scene has no ${zone}; give a --scene with it or empty the two columns`,
    ];
  };
  return [
    ...without('queueZone', 'queueEnteredAt', ({ queue }) => queue),
    ...without('checkoutZone', 'serviceStartedAt', ({ service }) => service),
  ];
}

const timesOf = ({ queue, service }: Label): number[] =>
  [queue?.from, queue?.to, service?.from, service?.to].filter((time) => typeof time === 'number');

/** Shows who labelled only a part of the video: what we see in the rest counts as invented. */
function extentOf(labels: readonly Label[]) {
  const times = labels.flatMap(timesOf).toSorted((a, b) => a - b);
  return { labels: labels.length, firstLabelAt: times[0]!, lastLabelAt: times.at(-1)! };
}

function lateFaults(labels: readonly Label[], seconds: number): string[] {
  return labels.flatMap((label) => {
    const latest = Math.max(...timesOf(label));
    if (latest <= seconds + TOLERANCE_SECONDS) return [];
    return [
      `line ${label.line}: ${latest} s (${clock(latest)}) is after the end of the video at ${seconds.toFixed(1)} s (${clock(seconds)})`,
    ];
  });
}

/** As video players show times: 1:23.5 */
function clock(seconds: number): string {
  const tenths = Math.round(seconds * 10);
  const [minutes, rest] = [Math.floor(tenths / 600), (tenths % 600) / 10];
  return `${minutes}:${rest.toFixed(1).padStart(4, '0')}`;
}

export function ownCameraText({ fps, sequences, video }: OwnCameraReport): string {
  const { queue, service, outcomes, leftOut, staff } = video;
  const [name] = Object.keys(sequences);
  const judged = [
    ...(queue.truthVisits + queue.ourVisits > 0 ? [['queue', queue] as const] : []),
    ...(service.truthVisits + service.ourVisits > 0 ? [['service', service] as const] : []),
  ];
  return [
    `${name}: ${clock(video.seconds)}, ${video.frames} frames at ${fps} frames/s at most, ${video.model}, ${video.labels} labels from ${clock(video.firstLabelAt)} to ${clock(video.lastLabelAt)}`,
    ...(video.scene === null ? ['No --scene: the whole picture is the queue zone.'] : []),
    '',
    figuresTable(judged),
    '',
    durationsTable(video),
    '',
    `outcome right: ${outcomes.right} of ${outcomes.compared} matched visits that end before the video does`,
    ...(leftOut > 0 ? [`left out: ${leftOut} labelled stays shorter than the scene's entry threshold`] : []),
    ...(staff ? [`staff: ${staff.people}, in no figure once they were known`] : []),
    ...caseLists(video),
  ].join('\n');
}

function durationsTable({ wait, serviceTime }: LabelDurations): string {
  const shown = (value: number | null) => (value === null ? '-' : `${value.toFixed(1)} s`);
  const row = (name: string, { trueMeanSeconds, ourMeanSeconds, errorSeconds }: LabelVerdict['wait']) => [
    ...[name, shown(trueMeanSeconds), shown(ourMeanSeconds), shown(errorSeconds)],
  ];
  return table([
    ['', 'true mean', 'our mean', 'mean error of the matched'],
    row('wait', wait),
    row('service', serviceTime),
  ]);
}

type LabelDurations = Pick<LabelVerdict, 'wait' | 'serviceTime'>;

/** What to look at in the video, the longest first. */
function caseLists({
  missed,
  invented,
  wrongOutcomes,
}: Pick<LabelVerdict, 'missed' | 'invented' | 'wrongOutcomes'>): string[] {
  const times = ({ zone, from, to }: { zone: string; from: number; to: number }) => [
    ...[zone, clock(from), clock(to)],
  ];
  const list = (
    title: string,
    heading: readonly string[],
    rows: readonly (readonly string[])[],
  ): string[] => {
    if (rows.length === 0) return [];
    const more = rows.length > MOST_CASES ? [`and ${rows.length - MOST_CASES} more, see --json`] : [];
    const columns = ['zone', 'from', 'to', ...heading];
    return ['', `${title}: ${rows.length}`, table([columns, ...rows.slice(0, MOST_CASES)]), ...more];
  };
  return [
    ...list(
      'Missed',
      ['person', 'best overlap'],
      missed.map((one) => [...times(one), one.person, one.bestIou.toFixed(2)]),
    ),
    ...list(
      'Invented',
      ['track', 'outcome'],
      invented.map((one) => [...times(one), String(one.trackId), one.outcome]),
    ),
    ...list(
      'Wrong outcome',
      ['person', 'track', 'true', 'ours'],
      wrongOutcomes.map((one) => [
        ...[...times(one), one.person, String(one.trackId)],
        ...[one.expected, one.reported],
      ]),
    ),
  ];
}
