import { useRef, useState } from 'react';
import type { Point } from '../../../catalogue/zones/polygon.ts';
import { useLivePictures } from '../../scene/use-live-pictures.ts';
import { useAddressOf } from '../use-frame.ts';

interface Seen {
  readonly jpeg: Blob;
  /** Where people stand in this picture. */
  readonly feet: readonly Point[];
}

const NOBODY: readonly Point[] = [];
/** More often is of no use to somebody who draws. */
const EVERY_MS = 500;

/**
 * A live picture of a camera that counts, and where people stand in this very picture.
 * @param sceneId null where nothing counts
 */
export function usePeople(
  deviceId: string,
  sceneId: string | null,
): { readonly picture: string | null; readonly feet: readonly Point[] } {
  const [seen, setSeen] = useState<Seen | null>(null);
  const shownAt = useRef(Number.NEGATIVE_INFINITY);
  useLivePictures({
    deviceId,
    isWanted: sceneId !== null,
    show: ({ jpeg, tracks }) => {
      if (sceneId === null || performance.now() - shownAt.current < EVERY_MS) return;
      shownAt.current = performance.now();
      const people = tracks.get(sceneId) ?? [];
      setSeen({
        jpeg: new Blob([new Uint8Array(jpeg)], { type: 'image/jpeg' }),
        feet: people.map(({ left, right, bottom }) => [(left + right) / 2, bottom] as const),
      });
    },
  });
  const shown = sceneId === null ? null : seen;
  return { picture: useAddressOf(shown?.jpeg ?? null), feet: shown?.feet ?? NOBODY };
}
