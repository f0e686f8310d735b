import { assign } from './assign.ts';

/** All times of a comparison are in the same unit. */
export type Span = readonly [start: number, end: number];

const LEAST_IOU = 0.5;

/** Intersection over union of two spans of time, 0-1. */
export function temporalIou(a: Span, b: Span): number {
  const shared = Math.min(a[1], b[1]) - Math.max(a[0], b[0]);
  return shared <= 0 ? 0 : shared / (Math.max(a[1], b[1]) - Math.min(a[0], b[0]));
}

/**
 * Matches visits one to one, by a temporal IoU of at least one half, so that the sum of the overlaps is highest. (As many
 * pairs as possible would shift a whole line by one person to fill a single gap, and then compare each visit with that of
 * a neighbour.)
 * @returns for each true visit the index of its partner in `ours`, or null
 */
export function matchSpans(truth: readonly Span[], ours: readonly Span[]): (number | null)[] {
  const partners = new Array<number | null>(truth.length).fill(null);
  // Visits that no chain of overlaps connects do not compete. In groups, thousands of visits take little time.
  for (const { rows, columns } of competing(truth, ours)) {
    const gains = rows.map((row) => columns.map((column) => gainOf(truth[row]!, ours[column]!)));
    assign(gains, columns.length).forEach((found, at) => {
      if (found !== null) partners[rows[at]!] = columns[found]!;
    });
  }
  return partners;
}

function gainOf(expected: Span, reported: Span): number {
  const iou = temporalIou(expected, reported);
  return iou < LEAST_IOU ? 0 : iou;
}

/** Groups of visits that compete for partners. */
function competing(truth: readonly Span[], ours: readonly Span[]) {
  const partnersOf = truth.map((expected) =>
    ours.flatMap((reported, column) => (gainOf(expected, reported) > 0 ? [column] : [])),
  );
  const rowsOf = ours.map((): number[] => []);
  for (const [row, columns] of partnersOf.entries()) for (const column of columns) rowsOf[column]!.push(row);
  const seen = new Set<number>();
  return partnersOf.flatMap((_, first) => {
    if (seen.has(first)) return [];
    const rows = new Set([first]);
    const columns = new Set<number>();
    // A set can grow while it is iterated.
    for (const row of rows) {
      seen.add(row);
      for (const column of partnersOf[row]!) columns.add(column);
      for (const column of partnersOf[row]!) for (const other of rowsOf[column]!) rows.add(other);
    }
    return columns.size > 0 ? [{ rows: [...rows], columns: [...columns] }] : [];
  });
}
