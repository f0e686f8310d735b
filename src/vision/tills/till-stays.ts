import type { Moment } from '../moment.ts';
import type { TillService, Visit } from '../types.ts';
import { type Dwell, type DwellThresholds, noDwell, updateDwell } from '../zones/dwell.ts';

/** The stays of one person at tills. Plain data, so that it can move to another node. */
export interface TillStays {
  /** The till of the last foot point. */
  standsAt: string | null;
  /** By till, of those where the person was. */
  readonly dwells: Record<string, Dwell>;
  /** The till of the confirmed stay; null without one. */
  current: string | null;
  /** The confirmed stays of this visit. */
  services: readonly TillService[];
}

export const noStays = (): TillStays => ({ standsAt: null, dwells: {}, current: null, services: [] });

/**
 * Where a person stood in one frame. A stay at a till is debounced and back-dated as one in a zone. Who stands at the edge of
 * two tills stays at the first one until they have left it.
 */
export function updateStays(
  stays: TillStays,
  tillId: string | null,
  context: { readonly now: Moment; readonly thresholds: DwellThresholds },
): void {
  stays.standsAt = tillId;
  if (tillId !== null) stays.dwells[tillId] ??= noDwell();
  for (const [id, dwell] of Object.entries(stays.dwells)) {
    const change = updateDwell(dwell, id === tillId, context);
    if (change?.to === 'outside' && id === stays.current) endStay(stays);
    if (!dwell.since) delete stays.dwells[id];
  }
  if (stays.current !== null) return;
  const endedAtMs = stays.services.at(-1)?.endedAtMs ?? 0;
  // Whoever came first; a checkpoint does not keep the order of names.
  const [next] = Object.entries(stays.dwells)
    .flatMap(([tillId, { inside, since, last }]) => {
      if (!inside || !since || !last) return [];
      // Of a till beside the one that was left, only the time afterwards counts.
      const startedAtMs = Math.max(since.timeMs, endedAtMs);
      const isLong = last.timeMs - startedAtMs >= context.thresholds.entryMs;
      return isLong ? [{ tillId, startedAtMs, endedAtMs: null }] : [];
    })
    .sort((a, b) => a.startedAtMs - b.startedAtMs || (a.tillId < b.tillId ? -1 : 1));
  if (!next) return;
  stays.current = next.tillId;
  stays.services = [...stays.services, next];
}

/** Ends the confirmed stay with the last frame at the till. */
export function endStay(stays: TillStays): void {
  const { current, services } = stays;
  const last = services.at(-1);
  if (current === null || !last) return;
  const endedAtMs = Math.max(last.startedAtMs, stays.dwells[current]?.last?.timeMs ?? last.startedAtMs);
  stays.services = [...services.slice(0, -1), { ...last, endedAtMs }];
  stays.current = null;
}

/**
 * The till of most of the service time of a visit; null where that is at none.
 * @param nowMs end of a stay that lasts
 */
export function tillOf({ services = [] }: Pick<Visit, 'services'>, nowMs: number): string | null {
  const times = new Map<string, number>();
  for (const { tillId, startedAtMs, endedAtMs } of services)
    times.set(tillId, (times.get(tillId) ?? 0) + Math.max(0, (endedAtMs ?? nowMs) - startedAtMs));
  let [longest, longestMs]: [string | null, number] = [null, Number.NEGATIVE_INFINITY];
  for (const [id, ms] of times) if (ms > longestMs) [longest, longestMs] = [id, ms];
  return longest;
}
