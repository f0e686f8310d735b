import { useRef, useState } from 'react';
import { useLivePictures } from '../../scene/use-live-pictures.ts';
import type { Point } from '../zones/geometry.ts';

const NOBODY: readonly Point[] = [];
/** More often is of no use to somebody who draws. */
const EVERY_MS = 250;

/** Where people stand now on a camera that counts. @param sceneId null where nothing counts */
export function useFeet(deviceId: string, sceneId: string | null): readonly Point[] {
  const [feet, setFeet] = useState(NOBODY);
  const shownAt = useRef(0);
  useLivePictures({
    deviceId,
    isWanted: sceneId !== null,
    show: ({ tracks }) => {
      if (sceneId === null || performance.now() - shownAt.current < EVERY_MS) return;
      shownAt.current = performance.now();
      const people = tracks.get(sceneId) ?? [];
      setFeet(people.map(({ left, right, bottom }) => [(left + right) / 2, bottom] as const));
    },
  });
  return sceneId === null ? NOBODY : feet;
}
