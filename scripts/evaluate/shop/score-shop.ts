import { z } from 'zod';
import { assign, temporalIou } from '../matching/assign.ts';
import type { ExpectedVisit } from './truth.ts';

const time = z.number().nullable();

/** What `npm run replay -- … --json` prints; only what is judged. */
export const ReplaySchema = z.object({
  seconds: z.number(),
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

interface ShopReport {
  /** Scripted visits whose end lies far enough before the video's end to be decided. */
  readonly truthVisits: number;
  readonly matched: number;
  readonly missed: number;
  readonly invented: number;
  readonly outcomeRight: number;
  /** Mean absolute errors over the matched; null where nothing could be compared. */
  readonly waitErrorSeconds: number | null;
  readonly serviceErrorSeconds: number | null;
}

interface Pair {
  readonly expected: ExpectedVisit;
  readonly reported: ReplayedVisit;
}

export interface ShopVerdict {
  readonly report: ShopReport;
  readonly pairs: readonly Pair[];
  readonly missed: readonly ExpectedVisit[];
  readonly invented: readonly ReplayedVisit[];
}

const LEAST_IOU = 0.5;

/** The video in seconds; what ends after `undecidedFrom` may have gone on. */
export interface VideoTimes {
  readonly seconds: number;
  readonly undecidedFrom: number;
}

/** `[start, end]`; a visit still open when the video ends lasts until then. */
function spanOf(visit: ReplayedVisit, videoSeconds: number): [number, number] | null {
  const start = visit.queueEnteredAt ?? visit.serviceStartedAt;
  if (start === null) return null;
  const end = visit.serviceStartedAt === null ? visit.queueLeftAt : visit.serviceEndedAt;
  return [start, end ?? videoSeconds];
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Matches reported to scripted visits one to one, by temporal IoU of at least one half, so that the overlaps add up
 * to the most. (As many pairs as possible would shift a whole line by one person to fill a single gap, and then
 * judge each visit against a neighbour's script.) A visit that the video's end leaves undecided is
 * asked of nobody: matching it earns nothing, what matches it is not invented, and neither is a reported
 * visit that reaches into the undecided end itself.
 */
export function judge(
  expected: readonly ExpectedVisit[],
  reported: readonly ReplayedVisit[],
  video: VideoTimes,
): ShopVerdict {
  const spans = reported.map((visit) => spanOf(visit, video.seconds));
  const gains = expected.map(({ start, end }) =>
    spans.map((span) => {
      const iou = span ? temporalIou([start, end], span) : 0;
      return iou < LEAST_IOU ? 0 : iou;
    }),
  );
  const partners = assign(gains, reported.length);
  const taken = new Set(partners);
  const pairs = expected.flatMap((visit, row): Pair[] => {
    const column = partners[row] ?? null;
    return column === null || !visit.decided ? [] : [{ expected: visit, reported: reported[column]! }];
  });
  const missed = expected.filter((visit, row) => visit.decided && partners[row] === null);
  const invented = reported.filter((_, column) => {
    const span = spans[column];
    return !taken.has(column) && !(span && span[1] > video.undecidedFrom);
  });
  const errors = (of: (pair: Pair) => readonly [number | null, number | null]) =>
    mean(
      pairs.flatMap((pair) => {
        const [wanted, found] = of(pair);
        return wanted === null || found === null ? [] : [Math.abs(wanted - found)];
      }),
    );
  return {
    report: {
      truthVisits: pairs.length + missed.length,
      matched: pairs.length,
      missed: missed.length,
      invented: invented.length,
      outcomeRight: pairs.filter((pair) => pair.expected.outcome === pair.reported.outcome).length,
      waitErrorSeconds: errors(({ expected: e, reported: r }) => [e.waitSeconds, waitOf(r)]),
      serviceErrorSeconds: errors(({ expected: e, reported: r }) => [e.serviceSeconds, r.serviceSeconds]),
    },
    pairs,
    missed,
    invented,
  };
}

/** Who gave up waited until they left. */
export function waitOf(visit: ReplayedVisit): number | null {
  if (visit.waitSeconds !== null) return visit.waitSeconds;
  if (visit.queueEnteredAt === null || visit.queueLeftAt === null) return null;
  return visit.queueLeftAt - visit.queueEnteredAt;
}
