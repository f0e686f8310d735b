import type { WeekWindow } from '../../catalogue/hours/opening-hours.ts';

export const QUARTERS = 96;
const DAYS = 7;
const WEEK = DAYS * QUARTERS;

/** A local day. */
export interface SeenDay {
  /** 0 (Monday) to 6 (Sunday). */
  readonly weekday: number;
  /** People who came in each quarter of an hour. */
  readonly arrivals: readonly number[];
  /** Whether there were frames. */
  readonly isSeen: boolean;
}

export type Proposal =
  | { readonly windows: readonly WeekWindow[]; readonly reason: null }
  | { readonly windows: null; readonly reason: 'tooFewDays' | 'tooFewPeople' };

const LEAST_DAYS = 14;
const LEAST_PEOPLE = 200;
/** A quarter of an hour is open where so large a part of the people of a busy one comes: who cleans or delivers is none. */
const OPEN_SHARE = 0.08;
/** The same against the busiest weekday: a day on which hardly anybody comes is closed. */
const OPEN_SHARE_OF_WEEK = 0.03;
/** A day with less than this part of its weekday's usual people was a holiday. */
const HOLIDAY_SHARE = 0.2;
/** Shorter breaks are quiet times, shorter openings are somebody with a key. */
const SHORTEST = 4;
/** Weekdays whose hours differ by no more, in quarters, have the same. */
const SAME = 2;

/** When a site is open, by when people come to it. */
export function proposeHours(days: readonly SeenDay[]): Proposal {
  const seen = days.filter(({ isSeen }) => isSeen);
  if (seen.length < LEAST_DAYS) return { windows: null, reason: 'tooFewDays' };
  if (sum(seen.map(countOf)) < LEAST_PEOPLE) return { windows: null, reason: 'tooFewPeople' };
  const profile = Array.from({ length: DAYS }, (_, weekday) =>
    profileOf(seen.filter((day) => day.weekday === weekday)),
  ).flat();
  // Two quiet quarters in a row are a chance, three with their neighbours are not.
  const around = [...profile.slice(-1), ...profile, ...profile.slice(0, 1)];
  const quarters = profile.map((own, at) => ({ own, smooth: sum(around.slice(at, at + 3)) }));
  const busyOf = (weekday: number) =>
    busy(quarters.slice(weekday * QUARTERS, (weekday + 1) * QUARTERS).map(({ smooth }) => smooth));
  const busiest = Math.max(...Array.from({ length: DAYS }, (_, weekday) => busyOf(weekday)));
  const isOpen = quarters.map(({ own, smooth }, at) => {
    const least = Math.max(OPEN_SHARE * busyOf(Math.floor(at / QUARTERS)), OPEN_SHARE_OF_WEEK * busiest);
    // The neighbours alone open nothing: they would make each day two quarters longer.
    return smooth >= least && own > 0;
  });
  fill(isOpen, false);
  fill(isOpen, true);
  return { windows: windowsOf(runsOf(isOpen)), reason: null };
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const countOf = ({ arrivals }: SeenDay): number => sum(arrivals);
function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** People of a usual quarter of an hour, without holidays. */
function profileOf(days: readonly SeenDay[]): number[] {
  const usual = median(days.map(countOf));
  const counted = days.filter((day) => countOf(day) >= HOLIDAY_SHARE * usual);
  return Array.from(
    { length: QUARTERS },
    (_, at) => sum(counted.map(({ arrivals }) => arrivals[at]!)) / Math.max(1, counted.length),
  );
}

/** The mean of the busiest quarter of the day. */
const busy = (values: readonly number[]): number =>
  sum([...values].sort((one, other) => other - one).slice(0, QUARTERS / 4)) / (QUARTERS / 4);

interface Run {
  readonly first: number;
  readonly length: number;
}

/** The open times of the week, which has no beginning. */
function runsOf(isOpen: readonly boolean[]): Run[] {
  if (isOpen.every(Boolean)) return [{ first: 0, length: WEEK }];
  return isOpen.flatMap((open, first) => {
    if (!open || isOpen[(first - 1 + WEEK) % WEEK]) return [];
    let length = 1;
    while (isOpen[(first + length) % WEEK]) length += 1;
    return [{ first, length }];
  });
}

/** Turns what is too short of one kind into the other. */
function fill(isOpen: boolean[], kind: boolean): void {
  for (const { first, length } of runsOf(isOpen.map((open) => open === kind))) {
    if (length < SHORTEST) for (let at = 0; at < length; at += 1) isOpen[(first + at) % WEEK] = !kind;
  }
}

const timeOf = (quarter: number): string => {
  const minutes = (quarter % QUARTERS) * 15;
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
};

/** Windows by the times that days share. Shops open and close at full and half hours. */
function windowsOf(runs: readonly Run[]): WeekWindow[] {
  const parts = runs.flatMap(({ first, length }) => splitDays(first, length));
  const byDay = parts.map(({ first, length }) => {
    const start = Math.floor((first % QUARTERS) / 2) * 2;
    const end = Math.ceil(((first % QUARTERS) + length) / 2) * 2;
    return { day: Math.floor(first / QUARTERS), start, end: Math.min(end, start + QUARTERS) };
  });
  const workdays = byDay.filter(({ day }) => day < 5);
  const usual = {
    start: median(workdays.map(({ start }) => start)),
    end: median(workdays.map(({ end }) => end)),
  };
  const isUsual = workdays.every(
    ({ start, end }) => Math.abs(start - usual.start) <= SAME && Math.abs(end - usual.end) <= SAME,
  );
  const windows = new Map<string, { days: number[]; start: string; end: string }>();
  for (const { day, ...own } of byDay) {
    const { start, end } = isUsual && day < 5 ? usual : own;
    const key = `${start} ${end}`;
    const window = windows.get(key) ?? { days: [], start: timeOf(start), end: timeOf(end) };
    window.days.push(day + 1);
    windows.set(key, window);
  }
  return [...windows.values()].map((window) => ({
    ...window,
    days: [...new Set(window.days)].sort((a, b) => a - b),
  }));
}

/** What is open for more than a day is cut at midnight. */
function splitDays(first: number, length: number): Run[] {
  if (length <= QUARTERS) return [{ first, length }];
  const today = QUARTERS - (first % QUARTERS);
  return [{ first, length: today }, ...splitDays((first + today) % WEEK, length - today)];
}
