import type { Resource } from '../../../client/client.ts';

export type Schedule = Resource<'Schedule'>;
export type Window = Schedule['windows'][number];

/** The hours of many shops, to begin with. */
export const FIRST_WINDOW: Window = { days: [1, 2, 3, 4, 5, 6], start: '09:00', end: '20:00' };

/** A window that ends at or before its start goes over midnight. */
export const isOvernight = ({ start, end }: Pick<Window, 'start' | 'end'>): boolean => end <= start;

export function withDay({ days, ...window }: Window, day: number, isIn: boolean): Window {
  const others = days.filter((each) => each !== day);
  return { ...window, days: isIn ? [...others, day].sort((a, b) => a - b) : others };
}

/** Whether every window has a day. */
export const isWhole = ({ windows }: Schedule): boolean => windows.every(({ days }) => days.length > 0);
