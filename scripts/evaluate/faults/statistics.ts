import { height, iou, width } from '../../../src/vision/geometry.ts';
import type { Box, Detection } from '../../../src/vision/types.ts';
import { mean } from '../../support/numbers.ts';
import type { Sighted, Sighting } from './sightings.ts';

/** Least height of a person who counts. The simulated shop has nobody so small. */
const LEAST_HEIGHT = 0.12;
const SURE_SCORE = 0.6;
/** Least overlap of a second box with the person. With less it shows a part or somebody far behind. */
const DUPLICATE_IOU = 0.4;
const PARTIAL = 0.15;
const LAG_SECONDS = [0.2, 0.6, 1, 2];
/** Larger errors of edges come from boxes of other people. */
const LARGEST_ERROR = 0.2;

export const VISIBILITY_BINS = [0, 0.02, 0.1, 0.25, 0.5, 0.75, 0.95, Number.POSITIVE_INFINITY];
export const HEIGHT_BINS = [LEAST_HEIGHT, 0.2, 0.35, Number.POSITIVE_INFINITY];
const COARSE_BINS = [0, 0.5, 0.95, Number.POSITIVE_INFINITY];
const LEG_BINS = [0, 0.3, 0.6, 0.9, Number.POSITIVE_INFINITY];

export type FaultStatistics = ReturnType<typeof statisticsOf>;

/** How often something happens; null where there is nothing to count. */
const rateOf = <T>(all: readonly T[], holds: (one: T) => boolean) => ({
  of: all.length,
  rate: all.length === 0 ? null : all.filter(holds).length / all.length,
});

function bins(edges: readonly number[]): { label: string; holds: (value: number) => boolean }[] {
  return edges.slice(1).map((to, at) => {
    const from = edges[at]!;
    const label = Number.isFinite(to) ? `${from}-${to}` : `≥ ${from}`;
    return { label, holds: (value) => value >= from && value < to };
  });
}

const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(part * values.length)] ?? 0;

const isSeen = ({ found }: Sighting): boolean => found !== null;
const isDuplicated = ({ box, found, duplicates }: Sighting): boolean =>
  found !== null && duplicates.some((other) => iou(other.box, box) >= DUPLICATE_IOU);
const isPartial = ({ box, found }: Sighting): boolean =>
  found !== null && found.box.bottom < box.bottom - PARTIAL * height(box);

const EDGES = ['left', 'right', 'top', 'bottom'] as const;
type Edge = (typeof EDGES)[number];
const ofEdges = (value: (edge: Edge) => number) =>
  Object.fromEntries(EDGES.map((edge) => [edge, value(edge)])) as Record<Edge, number>;
const sizeFor = (edge: Edge, { box }: Sighting): number =>
  edge === 'left' || edge === 'right' ? width(box) : height(box);
const errorOf = (edge: Edge, sighting: Sighting, of: Detection = sighting.found!): number =>
  (of.box[edge] - sighting.box[edge]) / sizeFor(edge, sighting);
/** Mean distance from the median: the scale of a Laplace distribution. */
function scaleOf(values: readonly number[]): number {
  const middle = quantile(values, 0.5);
  return mean(values.map((value) => Math.abs(value - middle)));
}

/** Pairs of sightings of the same person that lie this many seconds apart. */
function pairs(sequences: readonly Sighted[], seconds: number): [Sighting, Sighting][] {
  return sequences.flatMap(({ sightings, framesPerSecond }) => {
    const lag = Math.max(1, Math.round(seconds * framesPerSecond));
    const known = new Map(sightings.map((sighting) => [`${sighting.personId}:${sighting.frame}`, sighting]));
    return sightings.flatMap((now): [Sighting, Sighting][] => {
      const later = known.get(`${now.personId}:${now.frame + lag}`);
      return later ? [[now, later]] : [];
    });
  });
}

export function statisticsOf(all: readonly Sighted[]) {
  const isTall = ({ box }: { box: Box }) => height(box) >= LEAST_HEIGHT;
  const sequences = all.map((sequence) => ({
    ...sequence,
    sightings: sequence.sightings.filter(isTall),
    falseBoxes: sequence.falseBoxes.map((boxes) => boxes.filter(isTall)),
  }));
  const sightings = sequences.flatMap((sequence) => sequence.sightings);
  const seen = sightings.filter(isSeen);
  const near = pairs(sequences, 0.2);
  const isSecond = (one: Sighting) => (other: Detection) => iou(other.box, one.box) >= DUPLICATE_IOU;
  const second = seen.flatMap((one) => one.duplicates.filter(isSecond(one)).map((other) => ({ one, other })));
  const offsets = (edge: Edge) => second.map(({ one, other }) => errorOf(edge, one, other));
  const clear = seen.filter(({ view }) => view.visible >= 0.95);
  return {
    people: sightings.length,
    /** By visible share, then by height. */
    found: bins(VISIBILITY_BINS).flatMap((visible) =>
      bins(HEIGHT_BINS).map((tall) => {
        const those = sightings.filter(
          ({ view, box }) => visible.holds(view.visible) && tall.holds(height(box)),
        );
        return {
          ...{ visible: visible.label, height: tall.label, of: those.length },
          missed: rateOf(those, (one) => !isSeen(one)),
          unsure: rateOf(those, ({ found }) => found !== null && found.score < SURE_SCORE),
        };
      }),
    ),
    missedRuns: missedRuns(sequences),
    /** How many of the missed people are also missed this many seconds later. */
    missedAgain: LAG_SECONDS.map((seconds) => ({
      seconds,
      rate: rateOf(
        pairs(sequences, seconds).filter(([now]) => !isSeen(now)),
        ([, later]) => !isSeen(later),
      ),
    })),
    /** Laplace scale of the four edges (mean distance from the median), by visible share. */
    edges: bins(COARSE_BINS).map((visible) => {
      const those = seen.filter((one) => visible.holds(one.view.visible) && !isPartial(one));
      return {
        visible: visible.label,
        ...ofEdges((edge) => scaleOf(those.map((one) => errorOf(edge, one)))),
      };
    }),
    edgesAgain: LAG_SECONDS.map((seconds) => ({ seconds, correlation: edgeCorrelation(sequences, seconds) })),
    partial: bins(LEG_BINS).map((legs) => ({
      legs: legs.label,
      rate: rateOf(
        seen.filter(({ view, box }) => legs.holds(view.legs) && box.bottom < 0.99),
        isPartial,
      ),
    })),
    duplicate: rateOf(seen, isDuplicated),
    sureDuplicate: rateOf(seen, (one) =>
      one.duplicates.some((other) => other.score >= SURE_SCORE && isSecond(one)(other)),
    ),
    duplicateAgain: rateOf(
      near.filter(([now]) => isDuplicated(now)),
      ([, later]) => isDuplicated(later),
    ),
    /** Distance of the edges of second boxes from those of the person: median, and mean distance from the median. */
    duplicateAt: ofEdges((edge) => quantile(offsets(edge), 0.5)),
    duplicateSpread: ofEdges((edge) => scaleOf(offsets(edge))),
    falsePerFrame: mean(sequences.flatMap(({ falseBoxes }) => falseBoxes.map((boxes) => boxes.length))),
    falseAgain: falseAgain(sequences),
    clothes: clothesOf(clear),
    /** Of the boxes of wholly visible people. */
    meanIou: mean(clear.map(({ box, found }) => iou(box, found!.box))),
  };
}

/** Least number of wholly visible sightings of a person for a known colour. */
const LEAST_LOOKS = 30;

/** Standard deviation of clothes' colours from the median of each wholly visible person; null without colours. */
function clothesOf(clear: readonly Sighting[]) {
  const looks = new Map<number, (readonly number[])[]>();
  for (const { personId, found } of clear) {
    if (!found?.appearance || found.score < SURE_SCORE) continue;
    looks.set(personId, [...(looks.get(personId) ?? []), found.appearance]);
  }
  const offs = [...looks.values()]
    .filter((ofOne) => ofOne.length >= LEAST_LOOKS)
    .flatMap((ofOne) => {
      const usual = ofOne[0]!.map((_, channel) =>
        quantile(
          ofOne.map((look) => look[channel]!),
          0.5,
        ),
      );
      return ofOne.map((look) => look.map((value, channel) => value - usual[channel]!));
    });
  if (offs.length === 0) return { channels: null, brightness: null };
  const deviation = (values: readonly number[]) => Math.sqrt(mean(values.map((value) => value ** 2)));
  const parts = offs.flatMap((off) => [mean(off.slice(0, 3)), mean(off.slice(3))]);
  return { channels: deviation(offs.flat()), brightness: deviation(parts) };
}

/** Quantiles of the seconds for which people are missed in a row. */
function missedRuns(sequences: readonly Sighted[]) {
  const lengths = sequences.flatMap(({ sightings, framesPerSecond }) => {
    const open = new Map<number, number>();
    return sightings.flatMap(({ personId, found }): number[] => {
      const missed = open.get(personId) ?? 0;
      open.set(personId, found ? 0 : missed + 1);
      return found && missed > 0 ? [missed / framesPerSecond] : [];
    });
  });
  const [median, p90, p97] = [0.5, 0.9, 0.97].map((part) => quantile(lengths, part));
  return { runs: lengths.length, median: median!, p90: p90!, p97: p97! };
}

/** Correlation of the errors of the upper and lower edges with those this many seconds later. */
function edgeCorrelation(sequences: readonly Sighted[], seconds: number): number {
  const errors = (['top', 'bottom'] as const).flatMap((edge) =>
    pairs(sequences, seconds).flatMap(([now, later]): [number, number][] => {
      if (!isSeen(now) || !isSeen(later) || now.view.visible < 0.5) return [];
      const both: [number, number] = [errorOf(edge, now), errorOf(edge, later)];
      return both.every((error) => Math.abs(error) < LARGEST_ERROR) ? [both] : [];
    }),
  );
  const centred = ([0, 1] as const).map((at) => {
    const values = errors.map((pair) => pair[at]);
    const middle = mean(values);
    return values.map((value) => value - middle);
  });
  const [now, later] = [centred[0]!, centred[1]!];
  const shared = mean(now.map((value, at) => value * later[at]!));
  const variance = (values: readonly number[]) => mean(values.map((value) => value ** 2));
  return shared / Math.sqrt(variance(now) * variance(later));
}

function falseAgain(sequences: readonly Sighted[]) {
  const goesOn = sequences.flatMap(({ falseBoxes, framesPerSecond }) => {
    const lag = Math.max(1, Math.round(0.2 * framesPerSecond));
    return falseBoxes.slice(0, -lag).flatMap((boxes, at) => {
      const later = falseBoxes[at + lag]!;
      return boxes.map(({ box }) => later.some((other) => iou(other.box, box) >= 0.5));
    });
  });
  return rateOf(goesOn, (on) => on);
}
