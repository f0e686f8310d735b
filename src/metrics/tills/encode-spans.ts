import { QUARTER_SECONDS } from '../../catalogue/metrics/quarter.ts';
import type { TillState } from '../../vision/tills/till-state.ts';

/** The state of a second as a number. Stored: never change one. */
const CODES = ['unknown', 'serving', 'free', 'closed'] as const satisfies readonly TillState[];
/** Added where somebody waited and this was the first free till. */
const LOST = 4;
const LENGTH_BITS = 10;
const LENGTH_MASK = (1 << LENGTH_BITS) - 1;

export const codeOf = (state: TillState, isLost: boolean): number =>
  CODES.indexOf(state) + (isLost ? LOST : 0);
export const stateOf = (code: number): TillState => CODES[code & 3]!;
export const isLost = (code: number): boolean => (code & LOST) !== 0;

/** The codes of a quarter of an hour as runs of two bytes: code and length. */
export function encodeSpans(codes: Uint8Array): Uint8Array {
  const runs: { readonly code: number; length: number }[] = [];
  for (const code of codes) {
    const last = runs.at(-1);
    if (last?.code === code) last.length++;
    else runs.push({ code, length: 1 });
  }
  const words = runs.map(({ code, length }) => (code << LENGTH_BITS) | length);
  return Uint8Array.from(words.flatMap((word) => [word >> 8, word & 0xff]));
}

/** @returns the codes of the seconds; what is missing is unknown */
export function decodeSpans(bytes: Uint8Array): Uint8Array {
  const codes = new Uint8Array(QUARTER_SECONDS);
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  for (let byte = 0; byte + 1 < bytes.length; byte += 2) {
    const run = words.getUint16(byte);
    const to = Math.min(QUARTER_SECONDS, at + (run & LENGTH_MASK));
    codes.fill(run >> LENGTH_BITS, at, to);
    at = to;
  }
  return codes;
}

export interface TillSums {
  readonly servingSeconds: number;
  readonly freeSeconds: number;
  readonly closedSeconds: number;
  readonly lostSeconds: number;
}

export function sumsOf(codes: Iterable<number>): TillSums {
  const counts = { unknown: 0, serving: 0, free: 0, closed: 0 };
  let lostSeconds = 0;
  for (const code of codes) {
    counts[stateOf(code)]++;
    if (isLost(code)) lostSeconds++;
  }
  const { serving, free, closed } = counts;
  return { servingSeconds: serving, freeSeconds: free, closedSeconds: closed, lostSeconds };
}
