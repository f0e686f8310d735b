/** The floor map of a scene as shapes over the picture. Coordinates are cells: x from 0 to `columns`, y from 0 to `rows`. */

export interface FloorCells {
  readonly columns: number;
  readonly rows: number;
  /** Person-seconds; null where nothing was analysed. */
  readonly seconds: readonly (number | null)[];
  /** Mean movement, picture widths per second, also downwards; null where there is none. */
  readonly dx: readonly (number | null)[];
  readonly dy: readonly (number | null)[];
}

export interface FloorShapes {
  /** Outline of all cells of a level, from the least to the most time. A level without cells has an empty path. */
  readonly levels: readonly string[];
  /** Cells that were not analysed. */
  readonly blank: string;
  /** A line and a small head for each cell in which people moved. */
  readonly strokes: string;
  /** Seconds in the cell with the most; null when nothing was analysed. */
  readonly mostSeconds: number | null;
}

export const LEVELS = 7;
/** In cells with less than this share of the most, a direction would be that of one or two people. */
const LEAST_SHARE_OF_STROKES = 0.02;
/** Movement that makes a stroke as long as its cell, in picture widths per second: a slow walk. */
const FULL_STROKE_SPEED = 0.08;
const [SHORTEST_STROKE, LONGEST_STROKE] = [0.4, 0.95];
const HEAD = 0.26;
const HEAD_ANGLE = 0.5;

/**
 * @returns the level of a cell, 0 without people, else 1 to LEVELS. It grows with the root of the time: people who stand
 *   for minutes would hide all others.
 */
export function levelOf(seconds: number, mostSeconds: number): number {
  if (seconds <= 0 || mostSeconds <= 0) return 0;
  return Math.min(LEVELS, Math.max(1, Math.ceil(Math.sqrt(seconds / mostSeconds) * LEVELS)));
}

/** @param aspect width of the picture divided by its height */
export function floorShapes(map: FloorCells, aspect: number): FloorShapes {
  const { columns, rows, seconds } = map;
  const known = seconds.filter((each) => each !== null);
  const most = known.length === 0 ? null : known.reduce((a, b) => Math.max(a, b), 0);
  const levels = Array.from({ length: LEVELS }, () => '');
  let [blank, strokes] = ['', ''];
  for (let index = 0; index < columns * rows; index++) {
    const [x, y, value] = [index % columns, Math.floor(index / columns), seconds[index] ?? null];
    if (value === null) {
      blank += square(x, y);
      continue;
    }
    const level = levelOf(value, most ?? 0);
    if (level > 0) levels[level - 1] += square(x, y);
    const [dx, dy] = [map.dx[index] ?? null, map.dy[index] ?? null];
    if (dx === null || dy === null || most === null || value < most * LEAST_SHARE_OF_STROKES) continue;
    strokes += stroke({ x: x + 0.5, y: y + 0.5 }, { x: dx * columns, y: dy * aspect * rows }, columns);
  }
  return { levels, blank, strokes, mostSeconds: most };
}

const square = (x: number, y: number): string => `M${x} ${y}h1v1h-1z`;

interface Vector {
  readonly x: number;
  readonly y: number;
}

/** A line through the middle of a cell in the direction of the movement (cells per second), with a head. */
function stroke(middle: Vector, movement: Vector, columns: number): string {
  const speed = Math.hypot(movement.x, movement.y);
  if (speed === 0) return '';
  const share = speed / columns / FULL_STROKE_SPEED;
  const length = Math.min(LONGEST_STROKE, Math.max(SHORTEST_STROKE, share * LONGEST_STROKE));
  const angle = Math.atan2(movement.y, movement.x);
  const along = (from: Vector, by: number, turn = 0): Vector => ({
    x: from.x + Math.cos(angle + turn) * by,
    y: from.y + Math.sin(angle + turn) * by,
  });
  const [tail, tip] = [along(middle, -length / 2), along(middle, length / 2)];
  const [left, right] = [along(tip, -HEAD, HEAD_ANGLE), along(tip, -HEAD, -HEAD_ANGLE)];
  return `M${at(tail)}L${at(tip)}M${at(left)}L${at(tip)}L${at(right)}`;
}

const at = ({ x, y }: Vector): string => `${rounded(x)} ${rounded(y)}`;
const rounded = (value: number): number => Math.round(value * 100) / 100;

/** @returns the cell at a place of the picture (0-1), null outside */
export function cellAt(
  map: FloorCells,
  x: number,
  y: number,
): { index: number; seconds: number | null } | null {
  if (!(x >= 0 && x < 1 && y >= 0 && y < 1)) return null;
  const index = Math.floor(y * map.rows) * map.columns + Math.floor(x * map.columns);
  return { index, seconds: map.seconds[index] ?? null };
}
