import { FEWEST_POINTS, MOST_POINTS, type Point } from '../../../catalogue/zones/polygon.ts';
import { placed } from './geometry.ts';
import { type Shape, type ShapeKind, type TillTag, tillsOf } from './shapes.ts';
import { TEMPLATES, type TemplateName } from './templates.ts';
import { divided, withoutShape, withTill } from './till-edits.ts';
import { isFull, knownShape, made, type Wanted } from './wanted.ts';

/** What undo and redo restore. */
export interface Board {
  readonly shapes: readonly Shape[];
  /** What the next point belongs to: a shape that is being drawn, or with `key` null one that has no point yet. */
  readonly pen: (Wanted & { readonly key: number | null }) | null;
}

export interface Selection {
  readonly key: number;
  /** Null while the whole shape is selected. */
  readonly point: number | null;
}

export interface Edits extends Board {
  readonly selected: Selection | null;
  readonly past: readonly Board[];
  readonly future: readonly Board[];
  /** The board before the drag that goes on; one drag is one step of undo. */
  readonly held: Board | null;
  readonly nextKey: number;
  /** Of the ids of new tills: no till that was removed may have had the same. */
  readonly idPrefix: string;
  /** The till whose name is being typed: all of it is one step of undo. */
  readonly naming: number | null;
}

export type Edit =
  | ({ readonly type: 'draw' | 'square' } & Wanted)
  | { readonly type: 'add' | 'moveSelected'; readonly at: Point }
  | { readonly type: 'close' | 'cancel' | 'deselect' | 'undo' | 'redo' | 'grab' | 'release' | 'remove' }
  | { readonly type: 'select'; readonly key: number; readonly point: number | null }
  | { readonly type: 'insert'; readonly key: number; readonly edge: number; readonly at: Point }
  | { readonly type: 'movePoint'; readonly key: number; readonly point: number; readonly to: Point }
  | { readonly type: 'moveShape'; readonly key: number; readonly by: Point }
  | { readonly type: 'removePoint'; readonly key: number; readonly point: number }
  | { readonly type: 'removeShape'; readonly key: number }
  | { readonly type: 'rename'; readonly key: number; readonly name: string }
  | { readonly type: 'feed'; readonly key: number; readonly isFed: boolean }
  | ({ readonly type: 'divide'; readonly key: number } & RowNames)
  | ({ readonly type: 'template'; readonly name: TemplateName } & RowNames)
  | { readonly type: 'replace'; readonly kind: ShapeKind; readonly points: readonly Point[] };

/** A till for each name, beside each other. */
interface RowNames {
  readonly names: readonly string[];
  /** Width of the picture ÷ its height. */
  readonly ratio: number;
}

/** Steps that can be undone. */
const MOST_STEPS = 200;

const randomPrefix = (): string => `till-${Math.random().toString(36).slice(2, 8)}-`;

export const startEdits = (shapes: readonly Shape[], idPrefix = randomPrefix()): Edits => ({
  shapes,
  pen: null,
  selected: null,
  past: [],
  future: [],
  held: null,
  nextKey: Math.max(-1, ...shapes.map(({ key }) => key)) + 1,
  idPrefix,
  naming: null,
});

const boardOf = ({ shapes, pen }: Board): Board => ({ shapes, pen });

/** A selection that the shapes still have; one of a point that is gone becomes that of its shape. */
function stillSelected(shapes: readonly Shape[], selected: Selection | null): Selection | null {
  const shape = shapes.find(({ key }) => key === selected?.key);
  if (!shape || !selected) return null;
  const { key, point } = selected;
  return { key, point: point !== null && point < shape.points.length ? point : null };
}

/** The edits after a change of the board, which becomes a step of undo unless it is part of a drag. */
function changed(edits: Edits, board: Board, selected: Selection | null = edits.selected): Edits {
  return {
    ...edits,
    ...board,
    selected: stillSelected(board.shapes, selected),
    past: edits.held ? edits.past : [...edits.past, boardOf(edits)].slice(-MOST_STEPS),
    future: [],
  };
}

/** @returns the same edits if the shape does not exist or stays as it is */
function withPoints(
  edits: Edits,
  key: number,
  change: (points: readonly Point[]) => readonly Point[],
  selected: Selection | null = edits.selected,
): Edits {
  const shape = edits.shapes.find((one) => one.key === key);
  const points = shape && change(shape.points);
  if (!points || points === shape.points) return edits;
  const shapes = edits.shapes.map((one) => (one.key === key ? { ...one, points } : one));
  return changed(edits, { shapes, pen: edits.pen }, selected);
}

/** A whole shape moves only as far as all of its points stay in the picture. */
function movedBy(points: readonly Point[], [dx, dy]: Point): readonly Point[] {
  const within = (by: number, shares: number[]) =>
    Math.min(1 - Math.max(...shares), Math.max(-Math.min(...shares), by));
  const x = within(
    dx,
    points.map((point) => point[0]),
  );
  const y = within(
    dy,
    points.map((point) => point[1]),
  );
  return points.map((point) => placed([point[0] + x, point[1] + y]));
}

/** What somebody gets who draws with the keyboard, and then moves its corners. */
const SQUARE: readonly Point[] = [
  [0.35, 0.35],
  [0.65, 0.35],
  [0.65, 0.65],
  [0.35, 0.65],
];

/** Ends the drawing of a shape; one that has too few points goes. */
function finished(edits: Edits): Edits {
  const { pen } = edits;
  if (!pen) return edits;
  const closed = close(edits);
  if (closed !== edits) return closed;
  return pen.key === null ? { ...edits, pen: null } : removeShape(edits, pen.key);
}

function draw(before: Edits, { kind, name, of }: Wanted): Edits {
  const edits = finished(before);
  const wanted = { kind, ...(name !== undefined && { name }), ...(of !== undefined && { of }) };
  const known = knownShape(edits.shapes, wanted);
  if (known) return { ...edits, pen: null, selected: { key: known.key, point: null } };
  return isFull(edits.shapes, wanted) ? edits : { ...edits, pen: { ...wanted, key: null }, selected: null };
}

/** Draws a square in the middle, with its first point selected; of a zone that exists the first point is selected. */
function square(edits: Edits, wanted: Wanted): Edits {
  const begun = draw(edits, wanted);
  const { pen, selected } = begun;
  if (!pen)
    return selected && knownShape(begun.shapes, wanted)
      ? { ...begun, selected: { ...selected, point: 0 } }
      : begun;
  const key = begun.nextKey;
  const board = { shapes: [...begun.shapes, made(begun, key, pen, SQUARE)], pen: null };
  return { ...changed({ ...begun, pen: null }, board, { key, point: 0 }), nextKey: key + 1 };
}

function add(edits: Edits, at: Point): Edits {
  const { pen } = edits;
  if (!pen) return edits;
  if (pen.key === null) {
    const key = edits.nextKey;
    const shapes = [...edits.shapes, made(edits, key, pen, [placed(at)])];
    const board = { shapes, pen: { ...pen, key } };
    return { ...changed(edits, board, { key, point: null }), nextKey: key + 1 };
  }
  return withPoints(edits, pen.key, (points) =>
    points.length >= MOST_POINTS ? points : [...points, placed(at)],
  );
}

function close(edits: Edits): Edits {
  const key = edits.pen?.key ?? null;
  const drawn = edits.shapes.find((shape) => shape.key === key);
  if (!drawn || drawn.points.length < FEWEST_POINTS) return edits;
  return { ...edits, pen: null, selected: { key: drawn.key, point: null } };
}

function select(before: Edits, { key, point }: Selection): Edits {
  const edits = before.pen?.key === key ? before : finished(before);
  return { ...edits, selected: stillSelected(edits.shapes, { key, point }) };
}

function removeShape(edits: Edits, key: number): Edits {
  const shapes = withoutShape(edits.shapes, key);
  if (shapes === edits.shapes) return edits;
  return changed(edits, { shapes, pen: edits.pen?.key === key ? null : edits.pen });
}

/** Of a closed shape the last three points stay: it is removed as a whole. */
function removePoint(edits: Edits, key: number, point: number): Edits {
  const shape = edits.shapes.find((one) => one.key === key);
  if (!shape || point < 0 || point >= shape.points.length) return edits;
  const isDrawn = edits.pen?.key === key;
  if (isDrawn && shape.points.length === 1) return removeShape(edits, key);
  if (!isDrawn && shape.points.length <= FEWEST_POINTS) return edits;
  const next = Math.min(point, shape.points.length - 2);
  return withPoints(edits, key, (points) => points.filter((_, at) => at !== point), { key, point: next });
}

function insert(edits: Edits, { key, edge, at }: Extract<Edit, { type: 'insert' }>): Edits {
  return withPoints(
    edits,
    key,
    (points) =>
      points.length >= MOST_POINTS || edge < 0 || edge >= points.length
        ? points
        : points.toSpliced(edge + 1, 0, placed(at)),
    { key, point: edge + 1 },
  );
}

function movePoint(edits: Edits, { key, point, to }: Extract<Edit, { type: 'movePoint' }>): Edits {
  return withPoints(edits, key, (points) => {
    const [x, y] = placed(to);
    const now = points[point];
    return !now || (now[0] === x && now[1] === y) ? points : points.with(point, [x, y]);
  });
}

/** A drag counts from where it began, so that roundings do not add up. */
function moveShape(edits: Edits, key: number, by: Point): Edits {
  const begun = edits.held?.shapes.find((shape) => shape.key === key);
  return withPoints(edits, key, (points) => {
    const moved = movedBy(begun?.points ?? points, by);
    return moved.join() === points.join() ? points : moved;
  });
}

function template(edits: Edits, name: TemplateName, row: RowNames): Edits {
  const zones = Object.entries(TEMPLATES[name]) as [ShapeKind, readonly Point[]][];
  const replaced: readonly ShapeKind[] = ['queueZone', 'checkoutZone', 'till', 'tillStaff'];
  const kept = edits.shapes.filter(({ kind }) => !replaced.includes(kind));
  const bare = { ...edits, shapes: kept };
  const shapes = zones.map(([kind, points], at) =>
    made(bare, edits.nextKey + at, { kind, name: row.names[0] ?? '' }, points),
  );
  const board = { shapes: [...shapes, ...kept], pen: null };
  const selected = { key: edits.nextKey, point: null };
  const drawn = { ...changed(edits, board, selected), nextKey: edits.nextKey + shapes.length };
  const till = tillsOf(shapes)[0];
  return till ? { ...divide(drawn, till.key, row), past: drawn.past, selected } : drawn;
}

/** Divides a till into a row of them. */
function divide(before: Edits, key: number, { names, ratio }: RowNames): Edits {
  const edits = finished(before);
  const { nextKey, idPrefix } = edits;
  const row = { names, ratio, nextKey, idOf: (each: number) => `${idPrefix}${each}` };
  const shapes = divided(edits.shapes, key, row);
  if (shapes === edits.shapes) return edits;
  return {
    ...changed(edits, { shapes, pen: null }, { key, point: null }),
    nextKey: nextKey + 2 * names.length,
  };
}

/** Typing goes on in the step of undo that the first letter has made. */
function retag(edits: Edits, key: number, change: Partial<TillTag>): Edits {
  const shapes = withTill(edits.shapes, key, change);
  if (shapes === edits.shapes) return edits;
  const next = changed(edits, { shapes, pen: edits.pen });
  return edits.naming === key ? { ...next, past: edits.past } : next;
}

/** Gives a zone that exists other corners. */
function replace(before: Edits, kind: ShapeKind, points: readonly Point[]): Edits {
  const edits = finished(before);
  const shape = edits.shapes.find((one) => one.kind === kind);
  return shape
    ? withPoints(edits, shape.key, () => points.map(placed), { key: shape.key, point: null })
    : edits;
}

/** Undoes, or redoes, one step. */
function step(edits: Edits, from: 'past' | 'future'): Edits {
  const board = edits[from].at(-1);
  if (!board || edits.held) return edits;
  const to = from === 'past' ? 'future' : 'past';
  return {
    ...edits,
    ...board,
    selected: stillSelected(board.shapes, edits.selected),
    [from]: edits[from].slice(0, -1),
    [to]: [...edits[to], boardOf(edits)],
  };
}

/** Ends a drag. It is no step of undo if everything lies where it lay. */
function release(edits: Edits): Edits {
  const { held } = edits;
  if (!held) return edits;
  const isMoved = held.shapes !== edits.shapes;
  return { ...edits, held: null, past: isMoved ? [...edits.past, held].slice(-MOST_STEPS) : edits.past };
}

/** Gives a drag up, else the shape that is being drawn, else the selection. */
function cancel(edits: Edits): Edits {
  const { held, pen } = edits;
  if (held) return { ...edits, ...held, held: null, selected: stillSelected(held.shapes, edits.selected) };
  if (!pen) return { ...edits, selected: null };
  return pen.key === null ? { ...edits, pen: null } : removeShape(edits, pen.key);
}

/** The state of the zone editor after an edit. An edit that is not possible changes nothing. */
export const edited = (edits: Edits, edit: Edit): Edits =>
  applied(edits.naming === null || edit.type === 'rename' ? edits : { ...edits, naming: null }, edit);

function applied(edits: Edits, edit: Edit): Edits {
  const { selected } = edits;
  switch (edit.type) {
    case 'draw':
      return draw(edits, edit);
    case 'square':
      return square(edits, edit);
    case 'add':
      return add(edits, edit.at);
    case 'close':
      return close(edits);
    case 'cancel':
      return cancel(edits);
    case 'select':
      return select(edits, edit);
    case 'deselect':
      return { ...edits, selected: null };
    case 'insert':
      return insert(edits, edit);
    case 'movePoint':
      return movePoint(edits, edit);
    case 'moveSelected':
      if (!selected || selected.point === null) return edits;
      return movePoint(edits, { type: 'movePoint', key: selected.key, point: selected.point, to: edit.at });
    case 'moveShape':
      return moveShape(edits, edit.key, edit.by);
    case 'removePoint':
      return removePoint(edits, edit.key, edit.point);
    case 'removeShape':
      return removeShape(edits, edit.key);
    case 'remove':
      if (!selected) return edits;
      return selected.point === null
        ? removeShape(edits, selected.key)
        : removePoint(edits, selected.key, selected.point);
    case 'template':
      return template(finished(edits), edit.name, edit);
    case 'divide':
      return divide(edits, edit.key, edit);
    case 'rename':
      return { ...retag(edits, edit.key, { name: edit.name }), naming: edit.key };
    case 'feed':
      return retag(edits, edit.key, { isFed: edit.isFed });
    case 'replace':
      return replace(edits, edit.kind, edit.points);
    case 'grab':
      return edits.held ? edits : { ...edits, held: boardOf(edits) };
    case 'release':
      return release(edits);
    case 'undo':
      return step(edits, 'past');
    case 'redo':
      return step(edits, 'future');
  }
}
