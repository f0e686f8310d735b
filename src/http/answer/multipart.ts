import { BOUNDARY, CLOSING, OPENING, type Part } from '../part.ts';
import type { EndlessFormat } from './endless.ts';

/** Parts of which each replaces the one before. Multipart has no comments, so the heartbeat repeats the last part. */
export const MULTIPART: EndlessFormat<Part> = {
  contentType: `multipart/x-mixed-replace; boundary=${BOUNDARY}`,
  opening: () => OPENING,
  closing: CLOSING,
  write: ({ bytes }) => bytes,
  heartbeat: (idle) => idle?.bytes ?? null,
};
