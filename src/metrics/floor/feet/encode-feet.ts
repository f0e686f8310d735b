import type { Feet } from '../../../vision/types.ts';

/** One place where somebody was, without a person or an exact time. */
export interface FootPoint {
  /** Whole minutes since 1970, frame time. */
  readonly minute: number;
  readonly x: number;
  readonly y: number;
  /** `unknown`: the box ends here, and nobody knows whether it ends at the feet. */
  readonly feet: Feet | 'unknown';
  /** Stood there for some seconds. */
  readonly isStanding: boolean;
  /** The box was too wide for its height: a part of the person was hidden. */
  readonly isShort: boolean;
}

export const MINUTE_MS = 60_000;
/** Minutes that a sample covers. */
export const MINUTES = 60;
/** Most points of a minute; the bytes of a sample fit into a row. */
export const MOST_A_MINUTE = 6;

/**
 * Five bytes for each point: its age in minutes, then x and y as 14 bits of the width and height of the picture, each with
 * two bits: what is known of the feet, and whether somebody stood there (1) and the box was short (2).
 */
const BYTES = 5;
const STEPS = 0x3fff;
const KINDS = ['unknown', 'seen', 'estimated'] as const;

/** @param minute the newest one; points must not be older than an hour, nor newer */
export function encodeFeet(points: readonly FootPoint[], minute: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(BYTES * points.length);
  for (const [at, { x, y, feet, isStanding, isShort, ...point }] of points.entries()) {
    bytes.writeUInt8(minute - point.minute, BYTES * at);
    bytes.writeUInt16BE(packed(x, KINDS.indexOf(feet)), BYTES * at + 1);
    bytes.writeUInt16BE(packed(y, Number(isStanding) + 2 * Number(isShort)), BYTES * at + 3);
  }
  return bytes;
}

export function decodeFeet(encoded: Uint8Array, minute: number): FootPoint[] {
  const bytes = Buffer.from(encoded);
  return Array.from({ length: Math.floor(bytes.length / BYTES) }, (_, at) => {
    const [x, y] = [bytes.readUInt16BE(BYTES * at + 1), bytes.readUInt16BE(BYTES * at + 3)];
    return {
      minute: minute - bytes.readUInt8(BYTES * at),
      ...{ x: (x >> 2) / STEPS, y: (y >> 2) / STEPS },
      feet: KINDS[x & 3] ?? 'unknown',
      ...{ isStanding: (y & 1) === 1, isShort: (y & 2) === 2 },
    };
  });
}

const packed = (share: number, bits: number): number =>
  (Math.round(Math.min(1, Math.max(0, share)) * STEPS) << 2) | bits;
