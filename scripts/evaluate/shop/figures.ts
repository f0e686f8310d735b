import { judge, type ReplayedVisit, type ShopVerdict, waitOf } from './score-shop.ts';
import {
  type ExpectedVisit,
  expectedVisits,
  queueStays,
  type ShopTruth,
  type Span,
  undecidedFrom,
} from './truth.ts';

/** Sums over seeds and scenarios: they add up. Queue lengths in people × frames. */
export interface ShopCounts {
  readonly truthVisits: number;
  readonly matched: number;
  readonly invented: number;
  readonly outcomeRight: number;
  /** Absolute errors of the matched visits, seconds. */
  readonly waitErrors: readonly number[];
  readonly serviceErrors: readonly number[];
  readonly truthPeople: number;
  readonly ourPeople: number;
  /** Sum of |ours − true|. */
  readonly peopleError: number;
}

export interface ShopFigures {
  readonly truthVisits: number;
  readonly matched: number;
  readonly invented: number;
  readonly outcomeRight: number;
  /** Of the visits of the script. */
  readonly matchedPercent: number | null;
  /** Visits that nobody made, over the visits of the script. */
  readonly inventedPercent: number | null;
  /** Of the matched visits. */
  readonly outcomeRightPercent: number | null;
  /** Mean absolute errors of the matched visits; null where nothing could be compared. */
  readonly waitErrorSeconds: number | null;
  readonly serviceErrorSeconds: number | null;
  /** |ours − true| over the true queue length, over all frames. */
  readonly queueLengthErrorPercent: number | null;
  /** (ours − true) over the true queue length: above 0 too many people were counted. */
  readonly queueLengthBiasPercent: number | null;
}

const isWithin =
  (at: number) =>
  ([from, to]: Span): boolean =>
    from <= at && at <= to;

/** A stay that is longer than the entry threshold by less than this is on the edge: frames may show it as shorter. */
const EDGE_FRAMES = 2;

/** A visit that frames may show as shorter than the entry threshold is asked of nobody, like an undecided one. */
function askedOf(truth: ShopTruth, framesAt: readonly number[]): ExpectedVisit[] {
  const frameSeconds = framesAt.length < 2 ? 0 : framesAt[1]! - framesAt[0]!;
  const least = truth.parameters.entryThresholdSeconds + EDGE_FRAMES * frameSeconds;
  return expectedVisits(truth).map((visit) => ({
    ...visit,
    decided: visit.decided && Math.max(visit.waitSeconds ?? 0, visit.serviceSeconds ?? 0) >= least,
  }));
}

/** Holds what was said of a shop against its script. @param framesAt seconds at which frames were looked at */
export function countShop(
  truth: ShopTruth,
  visits: readonly ReplayedVisit[],
  framesAt: readonly number[],
): { counts: ShopCounts; verdict: ShopVerdict } {
  const { seconds } = truth;
  const verdict = judge(askedOf(truth, framesAt), visits, { seconds, undecidedFrom: undecidedFrom(truth) });
  const truthStays = queueStays(truth);
  const ourStays = visits.flatMap(({ queueEnteredAt, queueLeftAt }): Span[] =>
    queueEnteredAt === null ? [] : [[queueEnteredAt, queueLeftAt ?? seconds]],
  );
  const lengths = framesAt.map((at) => ({
    truth: truthStays.filter(isWithin(at)).length,
    ours: ourStays.filter(isWithin(at)).length,
  }));
  const { truthVisits, matched, invented, outcomeRight } = verdict.report;
  return {
    verdict,
    counts: {
      ...{ truthVisits, matched, invented, outcomeRight },
      waitErrors: verdict.pairs.flatMap((pair) => errorOf(pair.expected.waitSeconds, waitOf(pair.reported))),
      serviceErrors: verdict.pairs.flatMap((pair) =>
        errorOf(pair.expected.serviceSeconds, pair.reported.serviceSeconds),
      ),
      truthPeople: lengths.reduce((sum, at) => sum + at.truth, 0),
      ourPeople: lengths.reduce((sum, at) => sum + at.ours, 0),
      peopleError: lengths.reduce((sum, at) => sum + Math.abs(at.ours - at.truth), 0),
    },
  };
}

const errorOf = (wanted: number | null, found: number | null): number[] =>
  wanted === null || found === null ? [] : [Math.abs(wanted - found)];

function meanOf(values: readonly number[]): number | null {
  const total = values.reduce((sum, value) => sum + value, 0);
  return values.length === 0 ? null : Number((total / values.length).toFixed(2));
}

const percent = (part: number, whole: number): number | null =>
  whole === 0 ? null : Number(((100 * part) / whole).toFixed(2));

export function figuresOf(parts: readonly ShopCounts[]): ShopFigures {
  const sum = (of: (counts: ShopCounts) => number) => parts.reduce((total, part) => total + of(part), 0);
  const truthVisits = sum((part) => part.truthVisits);
  const matched = sum((part) => part.matched);
  const invented = sum((part) => part.invented);
  const outcomeRight = sum((part) => part.outcomeRight);
  const truthPeople = sum((part) => part.truthPeople);
  return {
    ...{ truthVisits, matched, invented, outcomeRight },
    matchedPercent: percent(matched, truthVisits),
    inventedPercent: percent(invented, truthVisits),
    outcomeRightPercent: percent(outcomeRight, matched),
    waitErrorSeconds: meanOf(parts.flatMap(({ waitErrors }) => waitErrors)),
    serviceErrorSeconds: meanOf(parts.flatMap(({ serviceErrors }) => serviceErrors)),
    queueLengthErrorPercent: percent(
      sum((part) => part.peopleError),
      truthPeople,
    ),
    queueLengthBiasPercent: percent(
      sum((part) => part.ourPeople - part.truthPeople),
      truthPeople,
    ),
  };
}
