import type { Zones } from '../zones/shapes.ts';
import { ZONE_KINDS } from '../zones/shapes.ts';

const keyOf = (deviceId: string) => `zones ${deviceId}`;

/** What is drawn and not saved stays in this tab, so that a reload or a new login loses nothing. */
export const keepDraft = (deviceId: string, zones: Zones): void =>
  sessionStorage.setItem(keyOf(deviceId), JSON.stringify(zones));

export const forgetDraft = (deviceId: string): void => sessionStorage.removeItem(keyOf(deviceId));

export const readDraft = (deviceId: string): Zones | null =>
  parseDraft(sessionStorage.getItem(keyOf(deviceId)));

/** @returns null for anything but zones with points */
export function parseDraft(text: string | null): Zones | null {
  try {
    const value = JSON.parse(text ?? 'null') as Record<string, { points?: unknown } | undefined> | null;
    if (value === null || typeof value !== 'object') return null;
    const zones: { -readonly [Kind in keyof Zones]: Zones[Kind] } = {};
    for (const kind of ZONE_KINDS) {
      const points = value[kind]?.points;
      if (points === undefined) continue;
      if (!isPolygon(points)) return null;
      zones[kind] = { type: 'polygon', points };
    }
    return Object.keys(zones).length === 0 ? null : zones;
  } catch {
    return null;
  }
}

/** The editor cannot go on with fewer points. */
const isPolygon = (value: unknown): value is [number, number][] =>
  Array.isArray(value) &&
  value.length >= 3 &&
  value.every(
    (point) =>
      Array.isArray(point) &&
      point.length === 2 &&
      point.every((share) => typeof share === 'number' && share >= 0 && share <= 1),
  );
