/** Of a film that is kept of a camera. People mark times within half a second. */
export const KEPT = { fps: 2, pieceSeconds: 10, width: 640 } as const;
/** Of a film that is read from a recording: nothing is kept, so that there may be more pictures. */
export const READ = { fps: 4 } as const;
/** JPEGs one after the other: each begins where the one before ends. ffmpeg reads it as `-f mjpeg`. */
export const FILM_TYPE = 'video/x-motion-jpeg';

/** A picture for each slot: a slot without one shows that before it, the first ones the first picture. */
export function filled(slots: ReadonlyMap<number, Uint8Array>, count: number): Buffer | null {
  let last = [...slots].toSorted(([a], [b]) => a - b)[0]?.[1];
  if (!last) return null;
  const pictures: Uint8Array[] = [];
  for (let slot = 0; slot < count; slot++) {
    last = slots.get(slot) ?? last;
    pictures.push(last);
  }
  return Buffer.concat(pictures);
}
