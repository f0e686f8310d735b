import { isWithinSchedule, nextEdge, type Schedule } from '../../../platform/jobs/schedule.ts';

/**
 * The first moment from `atMs` on that lies outside quiet hours, by the clock on the wall there: an hour that is repeated in an
 * autumn night is quiet both times.
 * @returns null when the quiet hours never end
 */
export function afterQuietHours(quietHours: Schedule | null, atMs: number): number | null {
  if (quietHours === null || !isWithinSchedule(quietHours, atMs)) return atMs;
  return nextEdge(quietHours, atMs);
}
