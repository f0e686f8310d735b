import { CURRENT, type CurrentMetrics, ROLLING } from '../catalogue/metrics/all.ts';
import type { Kept } from '../catalogue/metrics/metric.ts';
import { NO_WAITS } from '../catalogue/waits/wait-words.ts';
import { numberAt } from './catalogue.ts';
import { type Numbers, nester } from './measured-by-zones.ts';
import { addNumber, bitBytes, NumberReader, placesOf } from './number-bytes.ts';

/**
 * The numbers of a snapshot or rolling record as bytes, a fifth of the same JSON with names:
 *
 * | bytes | contents |
 * |---|---|
 * | 1 | 0, or why there is no estimated wait: its place in `NO_WAITS`, from 1 |
 * | 1 | number of the next bytes |
 * | these | one bit for each slot that has a number, the lowest first; the others are null |
 * | each number | see `number-bytes.ts` |
 *
 * They have no names, so that a slot never changes; a slot that a program does not know is passed over.
 */
type Entry = Kept & { readonly name: string };

export const currentBytes = (metrics: CurrentMetrics): Uint8Array<ArrayBuffer> =>
  encode(CURRENT, metrics, NO_WAITS.indexOf(metrics.estimatedWaitReason as never) + 1);

export const windowBytes = (metrics: unknown): Uint8Array<ArrayBuffer> => encode(ROLLING, metrics, 0);

interface SnapshotNumbers {
  readonly numbers: Uint8Array | null;
  readonly currentMetrics: unknown;
}

interface WindowNumbers {
  readonly numbers: Uint8Array | null;
  readonly metrics: unknown;
}

/** The numbers of a snapshot, nested. Rows of version 0.2 have JSON. */
export const numbersOfSnapshot = ({ numbers, currentMetrics }: SnapshotNumbers): unknown =>
  numbers
    ? { ...decode(CURRENT, numbers), estimatedWaitReason: NO_WAITS[(numbers[0] ?? 0) - 1] ?? null }
    : currentMetrics;

/** The numbers of a rolling record, nested; those that `total` lacks are null. Rows of version 0.2 have JSON. */
export const numbersOfWindow = ({ numbers, metrics }: WindowNumbers): unknown =>
  numbers ? decode(ROLLING, numbers) : metrics;

function encode(entries: readonly Entry[], metrics: unknown, reason: number): Uint8Array<ArrayBuffer> {
  const measured = entries
    .map(({ name, slot }) => ({ slot, value: numberAt(metrics, name) }))
    .filter(({ value }) => value !== null && Number.isFinite(value))
    .sort((a, b) => a.slot - b.slot) as { slot: number; value: number }[];
  const bits = bitBytes(
    measured.map(({ slot }) => slot),
    ((measured.at(-1)?.slot ?? -8) >> 3) + 1,
  );
  const bytes = [reason, bits.length, ...bits];
  for (const { value } of measured) addNumber(bytes, value);
  return Uint8Array.from(bytes);
}

function decode(entries: readonly Entry[], bytes: Uint8Array): Numbers {
  const bySlot = new Map<number, number>();
  const bits = bytes[1] ?? 0;
  const reader = new NumberReader(bytes, 2 + bits);
  for (const slot of placesOf(bytes.subarray(2, 2 + bits))) bySlot.set(slot, reader.next());
  return nesters(entries)(({ slot }) => bySlot.get(slot) ?? null);
}

const NESTERS = new Map<readonly Entry[], ReturnType<typeof nester<Entry>>>();
function nesters(entries: readonly Entry[]): ReturnType<typeof nester<Entry>> {
  const known = NESTERS.get(entries) ?? nester(entries);
  NESTERS.set(entries, known);
  return known;
}
