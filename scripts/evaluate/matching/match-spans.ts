import type { Span } from '../visits/dwell.ts';
import { assign, temporalIou } from './assign.ts';

const LEAST_IOU = 0.5;

/**
 * Matches visits one to one, by a temporal IoU of at least one half, so that the overlaps add up to the most.
 * @returns per true visit the place of its partner in `ours`, or null
 */
export function matchSpans(truth: readonly Span[], ours: readonly Span[]): (number | null)[] {
  const partners = new Array<number | null>(truth.length).fill(null);
  // Visits that no chain of overlaps joins do not compete. Apart they take little time, also where there are thousands.
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
    const rows = [first];
    const columns = new Set<number>();
    seen.add(first);
    // The list grows while it is walked.
    for (const row of rows) {
      for (const column of partnersOf[row]!) {
        if (columns.has(column)) continue;
        columns.add(column);
        for (const other of rowsOf[column]!) {
          if (!seen.has(other)) rows.push(other);
          seen.add(other);
        }
      }
    }
    return columns.size > 0 ? [{ rows, columns: [...columns] }] : [];
  });
}
