import type { Point } from '../../../catalogue/zones/polygon.ts';
import type { ZoneKind } from './shapes.ts';

/** Zones to begin with: whoever draws for the first time only drags their corners. */
export const TEMPLATES = {
  /** People wait in a row in front of a till. */
  till: {
    queueZone: [
      [0.1, 0.35],
      [0.55, 0.35],
      [0.55, 0.95],
      [0.1, 0.95],
    ],
    checkoutZone: [
      [0.55, 0.35],
      [0.9, 0.35],
      [0.9, 0.95],
      [0.55, 0.95],
    ],
  },
  /** People wait anywhere in a room. */
  room: {
    queueZone: [
      [0.05, 0.25],
      [0.95, 0.25],
      [0.95, 0.97],
      [0.05, 0.97],
    ],
  },
} as const satisfies Record<string, Partial<Record<ZoneKind, readonly Point[]>>>;

export type TemplateName = keyof typeof TEMPLATES;
