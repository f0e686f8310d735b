import type { Span } from '../../../src/cameras/scenes/checks/times/match-spans.ts';
import { LINE_SUMS, type LineSums } from '../../../src/catalogue/metrics/line-features.ts';
import { QueueMetrics } from '../../../src/metrics/queue-metrics.ts';
import { DetectionFaults } from '../../../src/simulator/faults/detection-faults.ts';
import { wholeMs } from '../../../src/vision/moment.ts';
import { ScenePipeline } from '../../../src/vision/pipeline.ts';
import { parametersSchema } from '../../../src/vision/scene-config.ts';
import type { Detection, SceneConfig } from '../../../src/vision/types.ts';
import type { Footage } from '../footage/footage.ts';
import { toDetection } from '../footage/mot-files.ts';
import { compareLengths, type LengthCounts } from '../matching/lengths.ts';
import { visitStays } from '../shop/truth.ts';
import { DETECTIONS, type Detections, type ShopSettings, simulateShop } from '../simulated/simulated-shop.ts';
import { timesRates } from '../simulated/times-rates.ts';
import { scoredFootage } from '../visits/scored-footage.ts';

/** Boxes with so many times the faults that were measured. */
export interface Faults {
  readonly kind: Detections;
  readonly times: number;
}
export const FAULTS: readonly Faults[] = [
  { kind: 'perfect', times: 1 },
  { kind: 'mot17', times: 1 },
  { kind: 'mot17', times: 2.5 },
  { kind: 'pets', times: 0.5 },
  { kind: 'pets', times: 1 },
  { kind: 'pets', times: 2 },
];

/** A time of a scene with its sums and its true error. */
export interface Clip {
  /** The sequence or the kind of shop: what a model is not fitted on is a whole group. */
  readonly group: string;
  readonly boxes: string;
  readonly sums: LineSums;
  readonly lengths: LengthCounts;
  /** Mean waits of the visits that ended, seconds; null where there are none. */
  readonly trueWait: number | null;
  readonly ourWait: number | null;
}

interface SeenFrame {
  readonly timeMs: number;
  readonly detections: readonly Detection[];
}

/** What the product says: its sums, and the stays in the queue in milliseconds. */
function watch(frames: readonly SeenFrame[], config: SceneConfig, aspect?: number) {
  const pipeline = new ScenePipeline({ sceneId: 'estimated', config });
  const metrics = new QueueMetrics({ zones: config.zones });
  const sums: Record<string, number> = Object.fromEntries(LINE_SUMS.map((name) => [name, 0]));
  const stays = new Map<number, Span>();
  const lastMs = frames.at(-1)!.timeMs;
  const take = (minutes: readonly Readonly<Record<string, number>>[]) => {
    for (const minute of minutes) for (const name of LINE_SUMS) sums[name]! += minute[name] ?? 0;
  };
  const note = (changes: ReturnType<ScenePipeline['close']>['changes']) => {
    for (const { id, queueEnteredAtMs, queueLeftAtMs, state } of changes) {
      if (state === 'discarded') stays.delete(id);
      else if (queueEnteredAtMs !== null) stays.set(id, [queueEnteredAtMs, queueLeftAtMs ?? lastMs]);
    }
  };
  for (const [at, { timeMs, detections }] of frames.entries()) {
    const { changes, doubtful, signs } = pipeline.update(detections, timeMs, at + 1, aspect);
    note(changes);
    metrics.observe({
      ...{ timeMs: wholeMs(timeMs), changes, doubtful, signs, openVisits: pipeline.openVisits },
    });
    take(metrics.minuteRows().map((minute) => ({ ...minute })));
  }
  if (metrics.openMinute) take([{ ...metrics.openMinute }]);
  // The visits that the end closes are not lost in the line.
  const { arrivals, lostCount } = metrics.totals;
  note(pipeline.close(lastMs).changes);
  return { sums: { ...sums, arrivals, lost: lostCount } as unknown as LineSums, stays: [...stays.values()] };
}

const meanSeconds = (spans: readonly Span[]): number | null =>
  spans.length === 0 ? null : spans.reduce((sum, [from, to]) => sum + to - from, 0) / spans.length / 1000;

function clipOf(
  named: Pick<Clip, 'group' | 'boxes'>,
  truth: readonly Span[],
  { sums, stays }: ReturnType<typeof watch>,
  timesMs: readonly number[],
): Clip {
  const lengths = compareLengths(truth, stays, timesMs);
  return { ...named, sums, lengths, trueWait: meanSeconds(truth), ourWait: meanSeconds(stays) };
}

/** One simulated shop; `times` multiplies the faults. */
export function shopClip(settings: ShopSettings, times: number): Clip {
  const shop = simulateShop(settings, times);
  const config = { zones: shop.zones, parameters: parametersSchema.parse({}) };
  const seconds = (shop.frames.at(-1)?.timeMs ?? 0) / 1000;
  const script = { seconds, zones: {}, parameters: config.parameters, persons: shop.persons };
  const truth = visitStays(script, seconds).flatMap(({ wait }): Span[] =>
    wait ? [[wait[0] * 1000, wait[1] * 1000]] : [],
  );
  const named = { group: settings.scenario, boxes: `${settings.detections}*${times}` };
  return clipOf(
    named,
    truth,
    watch(shop.frames, config),
    shop.frames.map(({ timeMs }) => timeMs),
  );
}

/** Random zones of a sequence, with its own boxes or with simulated faults. */
export function sequenceClips(
  footage: Footage,
  { fps, zones, seed, faults }: { fps: number; zones: number; seed: number; faults: Faults | null },
): Clip[] {
  const seen = faults ? withFaults(footage, faults, seed) : footage;
  const confidence = parametersSchema.parse({}).confidenceThreshold;
  const scored = scoredFootage(seen, { fps, zones, seed, entry: 1, confidence });
  const { aspect, ...parameters } = scored.parameters;
  const timesMs = scored.frames.map(({ timeMs }) => timeMs);
  const boxes = faults ? `${faults.kind}*${faults.times}` : 'own';
  return scored.zones.map(({ zone, truth }) => {
    const config: SceneConfig = {
      zones: { queueZone: { type: 'polygon', points: zone } },
      parameters: { ...parameters, class: 'person' },
    };
    return clipOf({ group: footage.name, boxes }, truth, watch(scored.frames, config, aspect), timesMs);
  });
}

/** Sequences have no data about clothes. */
const CLOTHES = [90, 60, 60, 60, 60, 90];

function withFaults(footage: Footage, { kind, times }: Faults, seed: number): Footage {
  const rates = DETECTIONS[kind];
  if (!rates) return footage;
  const faults = new DetectionFaults(seed, timesRates(rates, times));
  return {
    ...footage,
    frames: footage.frames.map((frame) => ({
      ...frame,
      detections: faults.detect(
        frame.truth.map((row) => ({
          ...{ id: row.id, box: toDetection(row, footage.size).box, clothes: CLOTHES },
        })),
        frame.timeMs,
      ),
    })),
  };
}
