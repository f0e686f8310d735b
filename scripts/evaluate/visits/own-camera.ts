import { basename } from 'node:path';
import { createSceneBody } from '../../../src/cameras/scenes/schema.ts';
import type { AnalysisAccuracy } from '../../../src/vision/region.ts';
import { hasCheckout, hasZone } from '../../../src/vision/scene-zones.ts';
import type { QueueZones, SceneConfig } from '../../../src/vision/types.ts';
import { type ReplayOptions, replayVideo } from '../../replay/replay-video.ts';
import { readScene } from '../../replay/scene-file.ts';
import { shown } from '../../support/numbers.ts';
import { table } from '../../support/terminal.ts';
import { figuresTable } from './figures-table.ts';
import { type Label, readLabels, refuse } from './label-file.ts';
import { type Case, type LabelScore, scoreLabels } from './score-labels.ts';
import { addVisits, figuresOf } from './score-zone.ts';

export interface OwnCameraOptions {
  readonly video: string;
  readonly labels: string;
  /** Without it the whole frame is the queue zone, as in the API. */
  readonly scene?: string | undefined;
  readonly fps: number;
  readonly model: string;
  readonly accuracy: AnalysisAccuracy;
}

/** The last labels may end this much later than the video, because players and people round. */
const TOLERANCE_SECONDS = 1;

/** The text lists at most this many cases of each kind. JSON has all. */
const MOST_CASES = 10;

type OwnCameraReport = Awaited<ReturnType<typeof evaluateOwnCamera>>;

/** A video with its labels, and how to analyse it. */
export interface LabelledVideo extends Omit<OwnCameraOptions, 'scene'> {
  readonly config: SceneConfig;
  /** Whether labels without any visit are right: people may be counted in another file. */
  readonly mayLackVisits?: boolean;
  /** Called after each analysed frame. */
  readonly onFrame?: ReplayOptions['onFrame'];
  readonly onEnd?: ReplayOptions['onEnd'];
}

/**
 * Runs a video through detector, tracker and zones, and compares its visits with labels.
 * @throws Error that says what to do: a file that cannot be read, labels that do not match the scene or the video
 */
export async function scoreVideo({
  labels: path,
  config,
  mayLackVisits,
  onFrame,
  onEnd,
  ...video
}: LabelledVideo) {
  const labels = await readLabels(path, { mayLackVisits });
  refuse(path, zoneFaults(labels, config.zones));
  const timesMs: number[] = [];
  const replay = await replayVideo({
    ...{ ...video, config, ...(onEnd && { onEnd }) },
    onOpened: ({ durationSeconds }) => {
      if (durationSeconds !== null) refuse(path, lateFaults(labels, durationSeconds));
    },
    onFrame: (timeMs, seen) => {
      timesMs.push(timeMs);
      onFrame?.(timeMs, seen);
    },
  });
  const { seconds, visits } = replay;
  refuse(path, lateFaults(labels, seconds));
  return { labels, replay, ...scoreLabels(labels, { seconds, visits, timesMs }, rulesOf(config)) };
}

/**
 * The report has the fields of the evaluation of sequences (`sequences`, `static`, `moving`, `combined`); the video is the
 * only sequence.
 * @throws Error as `scoreVideo`
 */
export async function evaluateOwnCamera({ scene, ...options }: OwnCameraOptions) {
  const config = scene === undefined ? createSceneBody.shape.config.parse({}) : await readScene(scene);
  const { labels, replay, counts, lengthErrors: _, ...score } = await scoreVideo({ ...options, config });
  const { frames, seconds, staff } = replay;
  const { video, model, fps } = options;
  const figures = figuresOf(counts.queue);
  return {
    ...{ fps, sequences: { [basename(video)]: figures } },
    ...{ static: figures, moving: figuresOf(addVisits([])), combined: figures, seeds: [] },
    video: { scene: scene ?? null, model, frames, seconds, ...extentOf(labels), staff, ...score },
  };
}

const rulesOf = ({ zones, parameters }: SceneConfig) => ({
  hasCheckout: hasCheckout(zones),
  entry: parameters.entryThresholdSeconds,
  handOver: parameters.exitThresholdSeconds + parameters.trackingMaxAgeSeconds,
});

/** Labels of a zone that the scene does not have. */
function zoneFaults(labels: readonly Label[], zones: QueueZones): string[] {
  const without = (
    zone: 'queueZone' | 'checkoutZone',
    columns: string,
    has: (label: Label) => unknown,
  ): string[] => {
    const first = hasZone(zones, zone) ? undefined : labels.find(has);
    if (!first) return [];
    return [
      `line ${first.line}: has ${columns}, and the scene has no ${zone}; give a --scene with it or empty the two columns`,
    ];
  };
  const tills = (zones.tills ?? []).map(({ id }) => id);
  const elsewhere = labels.filter(({ till }) => till !== undefined && !tills.includes(till));
  return [
    ...elsewhere.map(
      ({ line, till }) =>
        `line ${line}: names till ${till}, and the scene has ${tills.length === 0 ? 'no tills' : `only ${tills.join(', ')}`}`,
    ),
    ...without('queueZone', 'queueEnteredAt', ({ queue }) => queue),
    ...without('checkoutZone', 'serviceStartedAt', ({ service }) => service),
  ];
}

const timesOf = ({ queue, service }: Label): number[] =>
  [queue?.from, queue?.to, service?.from, service?.to].filter((time) => typeof time === 'number');

/** Reveals labels for only a part of the video: visits in the rest count as invented. */
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

/** The format of video players: 1:23.5 */
function clock(seconds: number): string {
  const tenths = Math.round(seconds * 10);
  const [minutes, rest] = [Math.floor(tenths / 600), (tenths % 600) / 10];
  return `${minutes}:${rest.toFixed(1).padStart(4, '0')}`;
}

export function ownCameraText({ fps, sequences, video }: OwnCameraReport): string {
  const { queue, service, outcomes, leftOut, staff } = video;
  const [name] = Object.keys(sequences);
  const parts = [
    ...(queue.truthVisits + queue.ourVisits > 0 ? [['queue', queue] as const] : []),
    ...(service.truthVisits + service.ourVisits > 0 ? [['service', service] as const] : []),
  ];
  return [
    `${name}: ${clock(video.seconds)}, ${video.frames} frames at ${fps} frames/s at most, ${video.model}, ${video.labels} labels from ${clock(video.firstLabelAt)} to ${clock(video.lastLabelAt)}`,
    ...(video.scene === null ? ['No --scene: the whole frame is the queue zone.'] : []),
    '',
    figuresTable(parts),
    '',
    durationsTable(video),
    '',
    `outcome right: ${outcomes.right} of ${outcomes.compared} matched visits that end before the video does`,
    ...(leftOut > 0 ? [`left out: ${leftOut} labelled stays shorter than the scene's entry threshold`] : []),
    ...(staff ? [`staff: ${staff.people}; they count in no figure once they are recognised as staff`] : []),
    ...caseLists(video),
  ].join('\n');
}

function durationsTable({ wait, serviceTime }: Pick<LabelScore, 'wait' | 'serviceTime'>): string {
  const row = (name: string, { trueMeanSeconds, ourMeanSeconds, errorSeconds }: LabelScore['wait']) => [
    name,
    ...[trueMeanSeconds, ourMeanSeconds, errorSeconds].map((value) => shown(value, 1, 's')),
  ];
  return table([
    ['', 'true mean', 'our mean', 'mean error of the matched'],
    row('wait', wait),
    row('service', serviceTime),
  ]);
}

/** The cases to check in the video, the longest first. */
function caseLists(score: Pick<LabelScore, 'missed' | 'invented' | 'wrongOutcomes'>): string[] {
  const list = <T extends Case>(
    title: string,
    cases: readonly T[],
    columns: Readonly<Record<string, (one: T) => string>>,
  ): string[] => {
    if (cases.length === 0) return [];
    const rows = cases
      .slice(0, MOST_CASES)
      .map((one) => [
        ...[one.zone, clock(one.from), clock(one.to)],
        ...Object.values(columns).map((cell) => cell(one)),
      ]);
    const more = cases.length > MOST_CASES ? [`and ${cases.length - MOST_CASES} more, see --json`] : [];
    const heading = ['zone', 'from', 'to', ...Object.keys(columns)];
    return ['', `${title}: ${cases.length}`, table([heading, ...rows]), ...more];
  };
  return [
    ...list('Missed', score.missed, {
      person: ({ person }) => person,
      'best overlap': ({ bestIou }) => bestIou.toFixed(2),
    }),
    ...list('Invented', score.invented, {
      track: ({ trackId }) => String(trackId),
      outcome: ({ outcome }) => outcome,
    }),
    ...list('Wrong outcome', score.wrongOutcomes, {
      person: ({ person }) => person,
      track: ({ trackId }) => String(trackId),
      true: ({ expected }) => expected,
      ours: ({ reported }) => reported,
    }),
  ];
}
