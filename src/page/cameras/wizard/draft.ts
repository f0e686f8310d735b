import type { Point } from '../../../catalogue/zones/polygon.ts';
import { type Till, ZONE_KINDS, type Zones } from '../zones/shapes.ts';

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
    const value = JSON.parse(text ?? 'null') as Record<string, unknown> | null;
    if (value === null || typeof value !== 'object') return null;
    const zones: { -readonly [Name in keyof Zones]: Zones[Name] } = {};
    for (const kind of ZONE_KINDS) {
      const zone = value[kind] as { points?: unknown } | undefined;
      if (zone?.points === undefined) continue;
      if (!isPolygon(zone.points)) return null;
      zones[kind] = { type: 'polygon', points: zone.points };
    }
    const { tills, queueFeeds } = value as { tills?: unknown; queueFeeds?: { tillIds?: unknown } };
    if (tills !== undefined) {
      if (!Array.isArray(tills) || !tills.every(isTill)) return null;
      zones.tills = tills;
    }
    if (Array.isArray(queueFeeds?.tillIds)) zones.queueFeeds = { tillIds: queueFeeds.tillIds.map(String) };
    return Object.keys(zones).length === 0 ? null : zones;
  } catch {
    return null;
  }
}

const isTill = ({ id, name, points, staffPoints }: Record<keyof Till, unknown>): boolean =>
  typeof id === 'string' &&
  typeof name === 'string' &&
  isPolygon(points) &&
  (staffPoints === undefined || isPolygon(staffPoints));

/** The editor cannot go on with fewer points. */
const isPolygon = (value: unknown): value is Point[] =>
  Array.isArray(value) &&
  value.length >= 3 &&
  value.every(
    (point) =>
      Array.isArray(point) &&
      point.length === 2 &&
      point.every((share) => typeof share === 'number' && share >= 0 && share <= 1),
  );
