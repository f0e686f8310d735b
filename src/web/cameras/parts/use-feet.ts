import type { Point } from '../zones/geometry.ts';

const NOBODY: readonly Point[] = [];

/** Where people stand now on a camera that counts. @param sceneId null where nothing counts */
export function useFeet(_deviceId: string, _sceneId: string | null): readonly Point[] {
  return NOBODY;
}
