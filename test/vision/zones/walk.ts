import type {
  Appearance,
  Box,
  QueueParameters,
  QueueZones,
  Track,
  Visit,
} from '../../../src/vision/types.ts';
import { rectangle } from '../../catalogue/zones/shapes.ts';
import { TrackWatcher } from '../track-watcher.ts';

const zone = (left: number, right: number) => ({
  type: 'polygon' as const,
  points: rectangle(left, 0.2, right, 0.95),
});

/** Queue on the left, checkout on the right of it, floor to the right of both. */
export const ZONES: QueueZones = { queueZone: zone(0.1, 0.4), checkoutZone: zone(0.4001, 0.6) };
export const QUEUE_ONLY: QueueZones = { queueZone: ZONES.queueZone };
export const CHECKOUT_ONLY: QueueZones = { checkoutZone: ZONES.checkoutZone };

export const PARAMETERS: QueueParameters = {
  confidenceThreshold: 0.6,
  class: 'person',
  entryThresholdSeconds: 3,
  exitThresholdSeconds: 1,
  trackingMaxAgeSeconds: 5,
};

/** Position of a person in one frame: q(ueue), its l(eft) and r(ight) end, c(heckout), the place d beside it, o(utside), `.` not seen. */
const X: Readonly<Record<string, number>> = { q: 0.25, l: 0.11, r: 0.395, c: 0.5, d: 0.7, o: 0.85 };

export const boxAt = (x: number, bottom = 0.7): Box => ({
  left: x - 0.04,
  right: x + 0.04,
  top: bottom - 0.3,
  bottom,
});

export const trackAt = (id: number, x: number, timeMs: number, bottom?: number): Track => ({
  id,
  box: boxAt(x, bottom),
  bornBox: boxAt(x, bottom),
  score: 0.9,
  classId: 0,
  bornMs: timeMs,
  timeMs,
});

/** `'q10 o3'` → ten frames in the queue, three outside. */
export const path = (text: string): string =>
  text
    .split(' ')
    .map((part) => part[0]!.repeat(Number(part.slice(1))))
    .join('');

export interface Walk {
  readonly zones?: QueueZones;
  readonly parameters?: Partial<QueueParameters>;
  readonly startMs?: number;
  readonly stepMs?: number;
  /** Stops the run at the end. */
  readonly stop?: boolean;
}

/** Walks people through the zones, one letter a frame, track ids from 1; returns the newest state of every visit. */
export function walk(people: readonly string[], options: Walk = {}): Visit[] {
  const { zones = ZONES, startMs = 0, stepMs = 200, stop = false } = options;
  const watcher = new TrackWatcher({ zones, parameters: { ...PARAMETERS, ...options.parameters } });
  const visits = new Map<number, Visit>();
  const frames = Math.max(...people.map((person) => person.length));
  for (let frame = 0; frame < frames; frame++) {
    const timeMs = startMs + frame * stepMs;
    const tracks = people.flatMap((person, i) => {
      const x = X[person[frame] ?? '.'];
      return x === undefined ? [] : [trackAt(i + 1, x, timeMs)];
    });
    for (const visit of watcher.update(tracks, timeMs)) visits.set(visit.id, visit);
  }
  if (stop) {
    for (const visit of watcher.closeAll(startMs + (frames - 1) * stepMs)) visits.set(visit.id, visit);
  }
  return [...visits.values()];
}

/** A visit as one line: times in seconds, `-` where there is none. */
export function story(visit: Visit): string {
  const seconds = (ms: number | null) => (ms === null ? '-' : String(Math.round(ms) / 1000));
  const { queueEnteredAtMs, queueLeftAtMs, serviceStartedAtMs, serviceEndedAtMs } = visit;
  return [
    `q ${seconds(queueEnteredAtMs)}…${seconds(queueLeftAtMs)}`,
    `s ${seconds(serviceStartedAtMs)}…${seconds(serviceEndedAtMs)}`,
    visit.outcome ?? visit.state,
    visit.outcomeDecidedAtMs === null ? '' : `@${seconds(visit.outcomeDecidedAtMs)}`,
  ]
    .join(' ')
    .trim();
}

/** A person in one frame: foot point and appearance. */
export type Standing = readonly [id: number, x: number, bottom: number, appearance?: Appearance];
/** The people in the frames from a second on. */
export type Scene = readonly [fromSeconds: number, people: readonly Standing[]];

const seenAppearance = (appearance: Appearance | undefined) =>
  appearance && { colours: appearance, showsTorso: true, showsLegs: true };

/** Plays scenes at five frames a second; the newest state of every visit. */
export function play(
  scenes: readonly Scene[],
  untilSeconds: number,
  watcher = new TrackWatcher({ zones: ZONES, parameters: PARAMETERS }),
): Visit[] {
  const visits = new Map<number, Visit>();
  for (let timeMs = 0; timeMs <= untilSeconds * 1000; timeMs += 200) {
    const people = scenes.findLast(([fromSeconds]) => Math.round(fromSeconds * 1000) <= timeMs)?.[1] ?? [];
    const tracks = people.map(
      ([id, x, bottom, appearance]): Track => ({
        ...trackAt(id, x, timeMs, bottom),
        appearance: seenAppearance(appearance),
      }),
    );
    for (const visit of watcher.update(tracks, timeMs)) visits.set(visit.id, visit);
  }
  return [...visits.values()];
}
