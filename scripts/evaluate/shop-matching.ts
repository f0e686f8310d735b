import { z } from 'zod';
import type { ExpectedVisit } from './visit-truth.ts';

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

function temporalIou(a: readonly [number, number], b: readonly [number, number]): number {
  const shared = Math.min(a[1], b[1]) - Math.max(a[0], b[0]);
  return shared <= 0 ? 0 : shared / (Math.max(a[1], b[1]) - Math.min(a[0], b[0]));
}

/**
 * Which row goes with which column so that the summed gain is highest (Kuhn-Munkres with potentials, O(n³)).
 * Pairs without gain stay apart.
 * @returns per row its column or null
 */
export function assign(gains: readonly (readonly number[])[], columns: number): (number | null)[] {
  const rows = gains.length;
  const size = Math.max(rows, columns);
  const cost = (row: number, column: number) => -(gains[row - 1]?.[column - 1] ?? 0);
  const u = new Array<number>(size + 1).fill(0);
  const v = new Array<number>(size + 1).fill(0);
  const rowOf = new Array<number>(size + 1).fill(0);
  for (let row = 1; row <= size; row++) {
    const way = new Array<number>(size + 1).fill(0);
    const least = new Array<number>(size + 1).fill(Number.POSITIVE_INFINITY);
    const done = new Array<boolean>(size + 1).fill(false);
    rowOf[0] = row;
    let column = 0;
    do {
      done[column] = true;
      const from = rowOf[column]!;
      let delta = Number.POSITIVE_INFINITY;
      let next = 0;
      for (let j = 1; j <= size; j++) {
        if (done[j]) continue;
        const reduced = cost(from, j) - u[from]! - v[j]!;
        if (reduced < least[j]!) {
          least[j] = reduced;
          way[j] = column;
        }
        if (least[j]! < delta) {
          delta = least[j]!;
          next = j;
        }
      }
      for (let j = 0; j <= size; j++) {
        if (done[j]) {
          u[rowOf[j]!]! += delta;
          v[j]! -= delta;
        } else least[j]! -= delta;
      }
      column = next;
    } while (rowOf[column] !== 0);
    while (column !== 0) {
      rowOf[column] = rowOf[way[column]!]!;
      column = way[column]!;
    }
  }
  const result = new Array<number | null>(rows).fill(null);
  for (let column = 1; column <= columns; column++) {
    const row = rowOf[column]!;
    if (row >= 1 && row <= rows && gains[row - 1]![column - 1]! > 0) result[row - 1] = column - 1;
  }
  return result;
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
function waitOf(visit: ReplayedVisit): number | null {
  if (visit.waitSeconds !== null) return visit.waitSeconds;
  if (visit.queueEnteredAt === null || visit.queueLeftAt === null) return null;
  return visit.queueLeftAt - visit.queueEnteredAt;
}
