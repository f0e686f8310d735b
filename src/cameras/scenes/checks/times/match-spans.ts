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
  const rows = truth.map((span): Row => ({ span, columns: [], partner: null }));
  // Visits that no chain of overlaps connects do not compete. In groups, thousands of visits take little time.
  for (const group of competing(rows, ours)) {
    const gains = group.rows.map((row) => group.columns.map((column) => gainOf(row.span, column.span)));
    const found = assign(gains, group.columns.length);
    for (const [at, row] of group.rows.entries()) row.partner = group.columns[found[at] ?? -1]?.at ?? null;
  }
  return rows.map(({ partner }) => partner);
}

interface Row {
  readonly span: Span;
  /** Those that overlap enough. */
  readonly columns: Column[];
  partner: number | null;
}

interface Column {
  readonly span: Span;
  readonly at: number;
  readonly rows: Row[];
}

function gainOf(expected: Span, reported: Span): number {
  const iou = temporalIou(expected, reported);
  return iou < LEAST_IOU ? 0 : iou;
}

/** Groups of visits that compete for partners. */
function competing(all: readonly Row[], ours: readonly Span[]) {
  const reported = ours.map((span, at): Column => ({ span, at, rows: [] }));
  for (const row of all) {
    row.columns.push(...reported.filter((column) => gainOf(row.span, column.span) > 0));
    for (const column of row.columns) column.rows.push(row);
  }
  const seen = new Set<Row>();
  return all.flatMap((first) => {
    if (seen.has(first)) return [];
    const rows = new Set([first]);
    const columns = new Set<Column>();
    // A set can grow while it is iterated.
    for (const row of rows) {
      seen.add(row);
      for (const column of row.columns) columns.add(column);
      for (const column of row.columns) for (const other of column.rows) rows.add(other);
    }
    return columns.size > 0 ? [{ rows: [...rows], columns: [...columns] }] : [];
  });
}
