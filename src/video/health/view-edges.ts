import type { ModelInput } from './has-content.ts';

/** Cells per side. */
const CELLS = 96;
/** Smallest mean step of brightness, of 256 levels, that is an edge and not noise. */
const MIN_STEP = 8;
/** Share of the cells with the strongest edges, which are compared. */
const SHARE = 0.15;
/** With fewer edges (darkness, fog, one colour) views cannot be compared. */
const MIN_EDGES = 250;
/** The largest shift that is tried, in cells in each direction. */
const MAX_SHIFT = 8;

/** The edges of a frame by cell, without its brightness. */
export interface ViewEdges {
  /** Strength of the edge; 0 if there is none. */
  readonly strength: Float32Array;
  /** Double the angle of the edge as a unit vector, so that light from the other side makes no difference. */
  readonly cos: Float32Array;
  readonly sin: Float32Array;
}

/** The mean green of each cell. */
export function cellsOf({ model, letterbox }: ModelInput): Float32Array {
  const { inputWidth, contentWidth, contentHeight } = letterbox;
  const cells = new Float32Array(CELLS * CELLS);
  const counts = new Uint16Array(CELLS * CELLS);
  for (let y = 0; y < contentHeight; y++) {
    const row = Math.floor((y * CELLS) / contentHeight) * CELLS;
    for (let x = 0; x < contentWidth; x++) {
      const cell = row + Math.floor((x * CELLS) / contentWidth);
      cells[cell]! += model[(y * inputWidth + x) * 3 + 1]!;
      counts[cell]!++;
    }
  }
  return cells.map((sum, cell) => sum / Math.max(1, counts[cell]!));
}

/** @param cells of `cellsOf`, or their median over several frames, which leaves out people who walk */
export function edgesOf(cells: Float32Array): ViewEdges {
  const strength = new Float32Array(cells.length);
  const cos = new Float32Array(cells.length);
  const sin = new Float32Array(cells.length);
  for (let y = 1; y < CELLS - 1; y++) {
    for (let x = 1; x < CELLS - 1; x++) {
      const at = y * CELLS + x;
      const dx = (cells[at + 1]! - cells[at - 1]!) / 2;
      const dy = (cells[at + CELLS]! - cells[at - CELLS]!) / 2;
      const squared = dx * dx + dy * dy;
      if (squared < (MIN_STEP * MIN_STEP) / 4) continue;
      strength[at] = Math.sqrt(squared);
      cos[at] = (dx * dx - dy * dy) / squared;
      sin[at] = (2 * dx * dy) / squared;
    }
  }
  return { strength, cos, sin };
}

/** How much of a view is found in another one: 1 for all its edges, near 0 for two unrelated views. */
export interface Likeness {
  /** At the same position. */
  readonly here: number;
  /** At the best other position within `MAX_SHIFT`. */
  readonly aside: number;
  /** The mean over all other positions: what chance gives, more if edges lie close together. */
  readonly around: number;
}

/** @returns null when one of the views has too few edges */
export function likeness(before: ViewEdges, now: ViewEdges): Likeness | null {
  const strongest = strongestOf(before);
  if (strongest.length < MIN_EDGES || strongestOf(now).length < MIN_EDGES) return null;
  let aside = 0;
  let sum = 0;
  let count = 0;
  for (let dy = -MAX_SHIFT; dy <= MAX_SHIFT; dy++) {
    for (let dx = -MAX_SHIFT; dx <= MAX_SHIFT; dx++) {
      // The neighbouring cell counts as the same position, because cameras shake.
      if (Math.max(Math.abs(dx), Math.abs(dy)) <= 1) continue;
      const share = shareOf(strongest, { now, dx, dy });
      aside = Math.max(aside, share);
      sum += share;
      count++;
    }
  }
  return { here: shareOf(strongest, { now, dx: 0, dy: 0 }), aside, around: sum / count };
}

function shareOf(
  strongest: readonly Edge[],
  { now, dx, dy }: { now: ViewEdges; dx: number; dy: number },
): number {
  let sum = 0;
  for (const { at, cos, sin } of strongest) {
    const to = at + dy * CELLS + dx;
    if (now.strength[to]! > 0) sum += cos * now.cos[to]! + sin * now.sin[to]!;
  }
  return sum / strongest.length;
}

interface Edge {
  /** Number of its cell. */
  readonly at: number;
  readonly strength: number;
  readonly cos: number;
  readonly sin: number;
}

function strongestOf({ strength, cos, sin }: ViewEdges): Edge[] {
  const edges: Edge[] = [];
  for (const [at, own] of strength.entries())
    if (own > 0) edges.push({ at, strength: own, cos: cos[at]!, sin: sin[at]! });
  return edges.sort((a, b) => b.strength - a.strength).slice(0, Math.round(CELLS * CELLS * SHARE));
}

/** The median of each cell. */
export function medianOf(all: readonly Float32Array[]): Float32Array {
  const middle = Math.floor(all.length / 2);
  return Float32Array.from(all[0]!, (_, at) => all.map((cells) => cells[at]!).sort((a, b) => a - b)[middle]!);
}
