import { FLOOR_CELLS } from '../../vision/floor/grid.ts';
import { FloorSums } from './floor-sums.ts';

/**
 * The cells of one hour as bytes. Only cells with people are stored, in the order of the grid:
 *
 * | bytes | contents |
 * |---|---|
 * | 1 | 1: the whole picture was analysed. 2: the next 72 bytes have one bit for each analysed cell |
 * | varint | number of runs of neighbouring cells |
 * | 2 varints for each run | cells without people before it, cells in it |
 * | varint for each cell | person-seconds × 10 |
 * | 1 for each cell | mean speed to the right |
 * | 1 for each cell | mean speed down |
 *
 * A speed is stored as its cube root. It is right to 6 %, or to 0.001 picture widths a second where that is more.
 * Encoded hours can be joined to one text: each says where it ends.
 */
const WHOLE_PICTURE = 1;
const REGION = 2;
const REGION_BYTES = FLOOR_CELLS / 8;
const UNITS_PER_MS = 0.01;
/** Picture widths a second. */
const FASTEST = 2;
const SPEED_STEPS = 127;

export interface EncodedHour {
  readonly sums: FloorSums;
  /** 1 for each analysed cell; null: the whole picture was analysed. */
  readonly analysed: Uint8Array | null;
}

export function encodeCells({ sums, analysed }: EncodedHour): Buffer<ArrayBuffer> {
  const runs: number[] = [];
  const times: { cell: number; ms: number; units: number }[] = [];
  let end = 0;
  let length = 0;
  for (const [cell, ms] of sums.ms.entries()) {
    const units = Math.round(ms * UNITS_PER_MS);
    if (units <= 0) continue;
    if (length > 0 && end === cell) length++;
    else {
      if (length > 0) runs.push(length);
      runs.push(cell - end);
      length = 1;
    }
    end = cell + 1;
    times.push({ cell, ms, units });
  }
  if (length > 0) runs.push(length);
  const bytes: number[] = [];
  if (analysed) {
    bytes.push(REGION);
    for (let at = 0; at < REGION_BYTES; at++) {
      let byte = 0;
      for (let bit = 0; bit < 8; bit++) if (analysed[at * 8 + bit]) byte |= 1 << bit;
      bytes.push(byte);
    }
  } else bytes.push(WHOLE_PICTURE);
  pushVarint(bytes, runs.length / 2);
  for (const count of runs) pushVarint(bytes, count);
  for (const { units } of times) pushVarint(bytes, units);
  for (const way of [sums.right, sums.down]) {
    for (const { cell, ms } of times) bytes.push(speedByte((way[cell]! / ms) * 1000));
  }
  return Buffer.from(bytes);
}

/** Adds encoded hours, joined to one text, to `sums`. @param analysed 1 is set for each analysed cell */
export function addEncoded(bytes: Uint8Array, { ms, right, down }: FloorSums, analysed: Uint8Array): void {
  const cells = new Uint16Array(FLOOR_CELLS);
  const seconds = new Float64Array(FLOOR_CELLS);
  let at = 0;
  const next = (): number => bytes[at++]!;
  const varint = (): number => {
    let byte = next();
    let value = byte & 127;
    for (let shift = 128; byte > 127; shift *= 128) {
      byte = next();
      value += (byte & 127) * shift;
    }
    return value;
  };
  while (at < bytes.length) {
    if (next() === REGION) {
      for (let cell = 0; cell < FLOOR_CELLS; ) {
        const byte = next();
        for (let bit = 0; bit < 8; bit++) analysed[cell++]! |= (byte >> bit) & 1;
      }
    } else analysed.fill(1);
    let count = 0;
    let cell = 0;
    for (let runs = varint(); runs > 0; runs--) {
      cell += varint();
      for (let length = varint(); length > 0; length--) cells[count++] = cell++;
    }
    for (let i = 0; i < count; i++) {
      const time = varint() / UNITS_PER_MS;
      seconds[i] = time / 1000;
      ms[cells[i]!]! += time;
    }
    for (const way of [right, down]) {
      for (let i = 0; i < count; i++) way[cells[i]!]! += SPEEDS[next()]! * seconds[i]!;
    }
  }
}

function pushVarint(bytes: number[], value: number): void {
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
}

/** @param speed picture widths a second */
function speedByte(speed: number): number {
  const step = Math.round(SPEED_STEPS * Math.cbrt(Math.max(-1, Math.min(1, speed / FASTEST))));
  return step & 255;
}

/** By the stored byte. */
const SPEEDS = Float64Array.from({ length: 256 }, (_, byte) => {
  const step = byte > 127 ? byte - 256 : byte;
  return FASTEST * (step / SPEED_STEPS) ** 3;
});

/** @returns the sums of an encoded hour */
export function decodeCells(bytes: Uint8Array): FloorSums {
  const sums = new FloorSums();
  addEncoded(bytes, sums, new Uint8Array(FLOOR_CELLS));
  return sums;
}
