import { z } from 'zod';
import { matchSpans, type Span } from '../../../src/cameras/scenes/checks/times/match-spans.ts';
import { meanOfKnown, ratio, sum } from '../../support/numbers.ts';
import { addLengths, compareLengths, type LengthCounts } from '../matching/lengths.ts';
import { type ExpectedVisit, expectedVisits, type ShopTruth, undecidedFrom, visitStays } from './truth.ts';

const time = z.number().nullable();

/** The part of the output of `npm run replay -- … --json` that is scored. */
export const ReplaySchema = z.object({
  visits: z.array(
    z.object({
      trackId: z.number(),
      queueEnteredAt: time,
      queueLeftAt: time,
      serviceStartedAt: time,
      serviceEndedAt: time,
      outcome: z.string().nullable(),
      waitSeconds: time,
      serviceSeconds: time,
    }),
  ),
});
export type ReplayedVisit = z.infer<typeof ReplaySchema>['visits'][number];

interface Pair {
  readonly expected: ExpectedVisit;
  readonly reported: ReplayedVisit;
}

export interface ShopScore {
  readonly pairs: readonly Pair[];
  readonly missed: readonly ExpectedVisit[];
  /** Reported visits that nobody made. */
  readonly invented: readonly ReplayedVisit[];
  readonly outcomeRight: number;
  /** Absolute errors of the matched visits, seconds; null where one of the two has no such time. */
  readonly waitErrors: readonly (number | null)[];
  readonly serviceErrors: readonly (number | null)[];
  readonly lengths: LengthCounts;
}

/** Lasts until the end of the video where the visit is still open. */
function spanOf(visit: ReplayedVisit, videoSeconds: number): Span {
  const start = visit.queueEnteredAt ?? visit.serviceStartedAt ?? videoSeconds;
  const end = visit.serviceStartedAt === null ? visit.queueLeftAt : visit.serviceEndedAt;
  return [start, end ?? videoSeconds];
}

/** A stay that exceeds the entry threshold by fewer frames is on the edge: frames may show it as shorter. */
const EDGE_FRAMES = 2;

/** Whoever gave up waited until they left. */
function waitOf({ waitSeconds, queueEnteredAt, queueLeftAt }: ReplayedVisit): number | null {
  if (waitSeconds !== null) return waitSeconds;
  return queueEnteredAt === null || queueLeftAt === null ? null : queueLeftAt - queueEnteredAt;
}

const errorOf = (expected: number | null, found: number | null): number | null =>
  expected === null || found === null ? null : Math.abs(expected - found);

/**
 * Compares reported visits with the script of a shop. A scripted visit does not count as matched or missed where the end
 * of the video leaves it undecided, or where frames may show it as shorter than the entry threshold; what matches it is
 * not invented. A reported visit that lasts into the undecided end is not invented either.
 * @param framesAt seconds of the analysed frames
 */
export function scoreShop(
  truth: ShopTruth,
  reported: readonly ReplayedVisit[],
  framesAt: readonly number[],
): ShopScore {
  const { seconds, parameters } = truth;
  const spans = reported.map((visit) => spanOf(visit, seconds));
  const expected = expectedVisits(truth);
  const partners = matchSpans(
    expected.map(({ start, end }): Span => [start, end]),
    spans,
  );
  const frameSeconds = framesAt.length < 2 ? 0 : framesAt[1]! - framesAt[0]!;
  const least = parameters.entryThresholdSeconds + EDGE_FRAMES * frameSeconds;
  const counts = ({ decided, waitSeconds, serviceSeconds }: ExpectedVisit) =>
    decided && Math.max(waitSeconds ?? 0, serviceSeconds ?? 0) >= least;
  const pairs = expected.flatMap((visit, row): Pair[] => {
    const partner = partners[row] ?? null;
    return partner === null || !counts(visit) ? [] : [{ expected: visit, reported: reported[partner]! }];
  });
  const taken = new Set(partners);
  return {
    pairs,
    missed: expected.filter((visit, row) => counts(visit) && partners[row] === null),
    invented: reported.filter((_, at) => !taken.has(at) && spans[at]![1] <= undecidedFrom(truth)),
    outcomeRight: pairs.filter((pair) => pair.expected.outcome === pair.reported.outcome).length,
    waitErrors: pairs.map((pair) => errorOf(pair.expected.waitSeconds, waitOf(pair.reported))),
    serviceErrors: pairs.map((pair) => errorOf(pair.expected.serviceSeconds, pair.reported.serviceSeconds)),
    lengths: compareLengths(
      visitStays(truth, seconds).flatMap(({ wait }) => (wait ? [wait] : [])),
      reported.flatMap(({ queueEnteredAt, queueLeftAt }): Span[] =>
        queueEnteredAt === null ? [] : [[queueEnteredAt, queueLeftAt ?? seconds]],
      ),
      framesAt,
    ),
  };
}

export type ShopFigures = ReturnType<typeof figuresOf>;

/** The figures of several shops together. A figure is null where there is nothing to divide by. */
export function figuresOf(shops: readonly ShopScore[]) {
  const total = (of: (shop: ShopScore) => number) => sum(shops.map(of));
  const matched = total(({ pairs }) => pairs.length);
  const invented = total((shop) => shop.invented.length);
  const outcomeRight = total((shop) => shop.outcomeRight);
  const truthVisits = matched + total(({ missed }) => missed.length);
  const { truthPeople, ourPeople, peopleError } = addLengths(shops.map(({ lengths }) => lengths));
  const percent = (part: number, whole: number) => ratio(100 * part, whole, 2);
  return {
    ...{ truthVisits, matched, invented, outcomeRight },
    matchedPercent: percent(matched, truthVisits),
    /** Over the visits of the script. */
    inventedPercent: percent(invented, truthVisits),
    outcomeRightPercent: percent(outcomeRight, matched),
    /** Mean absolute errors of the matched visits. */
    waitErrorSeconds: meanOfKnown(
      shops.flatMap(({ waitErrors }) => waitErrors),
      2,
    ),
    serviceErrorSeconds: meanOfKnown(
      shops.flatMap(({ serviceErrors }) => serviceErrors),
      2,
    ),
    /** |ours − true| over the true queue length, over all frames. */
    queueLengthErrorPercent: percent(peopleError, truthPeople),
    /** (ours − true) over the true queue length: above 0 too many people were counted. */
    queueLengthBiasPercent: percent(ourPeople - truthPeople, truthPeople),
  };
}
