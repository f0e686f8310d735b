import type { ModelPicture } from './has-content.ts';

/** Cells a side: a cell is a hundredth of the picture. */
const CELLS = 96;
/** Mean steps of brightness beside a cell that are an edge and no noise, of 256. */
const LEAST_STEP = 8;
/** Of the cells, the strongest edges that are looked for again. */
const SHARE = 0.15;
/** Fewer say nothing: dark, foggy, one colour. */
const FEWEST = 250;
/** Cells away, each way. */
const ASIDE = 8;

/** Where a picture has edges and how they run, by cell; brightness itself is not in it. */
export interface ViewEdges {
  /** Strength of the edge; 0 where there is none. */
  readonly strength: Float32Array;
  /** Twice its direction, as a unit vector: light may fall from the other side. */
  readonly cos: Float32Array;
  readonly sin: Float32Array;
}

/** The mean green of each cell. */
export function cellsOf({ model, letterbox }: ModelPicture): Float32Array {
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
  for (let cell = 0; cell < cells.length; cell++) cells[cell]! /= Math.max(1, counts[cell]!);
  return cells;
}

/** @param cells of `cellsOf`, or their median over several pictures, in which nobody who walks is left */
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
      if (squared < (LEAST_STEP * LEAST_STEP) / 4) continue;
      strength[at] = Math.sqrt(squared);
      cos[at] = (dx * dx - dy * dy) / squared;
      sin[at] = (2 * dx * dy) / squared;
    }
  }
  return { strength, cos, sin };
}

/** How much of a view is in another one: 1 all of its edges, 0 as many as by chance. */
export interface Likeness {
  /** At the same place. */
  readonly here: number;
  /** At another place, where it is most: a few hundredths of the picture away in any direction. */
  readonly aside: number;
  /** At all those other places, on average: what chance gives, more where edges lie close together. */
  readonly around: number;
}

/** @returns null where one of them shows too little */
export function likeness(before: ViewEdges, now: ViewEdges): Likeness | null {
  const strongest = strongestOf(before);
  if (strongest.length < FEWEST || strongestOf(now).length < FEWEST) return null;
  let aside = 0;
  let sum = 0;
  let count = 0;
  for (let dy = -ASIDE; dy <= ASIDE; dy++) {
    for (let dx = -ASIDE; dx <= ASIDE; dx++) {
      // The next cell is still here: a camera trembles.
      if (Math.max(Math.abs(dx), Math.abs(dy)) <= 1) continue;
      const share = shareOf(strongest, { before, now, dx, dy });
      aside = Math.max(aside, share);
      sum += share;
      count++;
    }
  }
  return { here: shareOf(strongest, { before, now, dx: 0, dy: 0 }), aside, around: sum / count };
}

function shareOf(
  strongest: readonly number[],
  { before, now, dx, dy }: { before: ViewEdges; now: ViewEdges; dx: number; dy: number },
): number {
  let sum = 0;
  for (const at of strongest) {
    const to = at + dy * CELLS + dx;
    if (now.strength[to]! > 0) sum += before.cos[at]! * now.cos[to]! + before.sin[at]! * now.sin[to]!;
  }
  return sum / strongest.length;
}

function strongestOf({ strength }: ViewEdges): number[] {
  const cells: number[] = [];
  for (let at = 0; at < strength.length; at++) if (strength[at]! > 0) cells.push(at);
  return cells.sort((a, b) => strength[b]! - strength[a]!).slice(0, Math.round(CELLS * CELLS * SHARE));
}

/** The value in the middle at each cell. */
export function medianOf(all: readonly Float32Array[]): Float32Array {
  const middle = Math.floor(all.length / 2);
  return Float32Array.from(all[0]!, (_, at) => all.map((cells) => cells[at]!).sort((a, b) => a - b)[middle]!);
}
