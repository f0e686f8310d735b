import { wallTimes } from '../timezone/wall-clock.ts';

/** A label below the time axis. */
export interface TimeTick {
  readonly ms: number;
  /** The time, or the day. */
  readonly label: string;
  /** The day, or the month, where a new one begins; else empty. */
  readonly below: string;
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;

/** Distances between labels: minutes, days or months. */
const YEAR = { unit: 'month', size: 12 } as const;
const STEPS = [
  ...[1, 5, 15, 30, 60, 120, 180, 360, 720].map((minutes) => ({ unit: 'minute', size: minutes }) as const),
  ...[1, 2, 7, 14].map((days) => ({ unit: 'day', size: days }) as const),
  ...[1, 3].map((months) => ({ unit: 'month', size: months }) as const),
  YEAR,
];
type Step = (typeof STEPS)[number];

const minutesOf = ({ unit, size }: Step): number =>
  size * { minute: 1, day: DAY_MINUTES, month: 28 * DAY_MINUTES }[unit];

/** The number of the step in which a local time lies. Weeks begin on Monday; 1970-01-01 was a Thursday. */
function slotOf({ unit, size }: Step, wallMs: number): number {
  if (unit === 'month') {
    const date = new Date(wallMs);
    return Math.floor((date.getUTCFullYear() * 12 + date.getUTCMonth()) / size);
  }
  const minutes = Math.floor(wallMs / MINUTE_MS);
  if (unit === 'minute') return Math.floor(minutes / size);
  const days = Math.floor(minutes / DAY_MINUTES);
  return Math.floor((size % 7 === 0 ? days + 3 : days) / size);
}

/** Whether a step begins at this local time. */
const begins = (step: Step, wallMs: number): boolean => slotOf(step, wallMs) !== slotOf(step, wallMs - 1);

/**
 * Labels of a time axis by the clock of the time zone, at starts of buckets only: there the numbers change, and the
 * server has cut them at the changes of the clock. An hour that the clock repeats gets its label once.
 * @param starts of the buckets, ascending; @param most labels
 */
export function timeTicks(
  starts: readonly number[],
  { timezone, locale, most }: { timezone: string; locale: string; most: number },
): TimeTick[] {
  if (starts.length === 0) return [];
  const wall = wallTimes(timezone, starts);
  const bucketMinutes = typicalLength(starts) / MINUTE_MS;
  const fitting = STEPS.filter((step) => minutesOf(step) >= bucketMinutes * 0.9);
  for (const step of fitting) {
    const at = indicesOf(step, wall);
    const told = starts.filter((_, each) => at.includes(each));
    if (at.length <= most && at.length > 0) return labelled(step, { starts: told, timezone, locale });
  }
  return labelled(YEAR, { starts: starts.slice(0, 1), timezone, locale });
}

function typicalLength(starts: readonly number[]): number {
  const lengths = starts
    .flatMap((start, at) => {
      const next = starts[at + 1];
      return next === undefined ? [] : [next - start];
    })
    .sort((a, b) => a - b);
  return lengths[Math.floor(lengths.length / 2)] ?? MINUTE_MS;
}

function indicesOf(step: Step, wall: readonly number[]): number[] {
  let newest = Number.NEGATIVE_INFINITY;
  return wall.flatMap((wallMs, at) => {
    const slot = slotOf(step, wallMs);
    const isNew = at === 0 ? begins(step, wallMs) : slot > newest;
    newest = Math.max(newest, slot);
    return isNew ? [at] : [];
  });
}

interface Placed {
  readonly starts: readonly number[];
  readonly timezone: string;
  readonly locale: string;
}

function labelled(step: Step, { starts, timezone, locale }: Placed): TimeTick[] {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone: timezone, ...options });
  const [upper, lower] = {
    minute: [format({ timeStyle: 'short' }), format({ weekday: 'short', day: 'numeric', month: 'short' })],
    day: [
      step.size === 1
        ? format({ weekday: 'short', day: 'numeric' })
        : format({ day: 'numeric', month: 'short' }),
      step.size === 1 ? format({ month: 'long' }) : undefined,
    ],
    month: [format({ month: 'short' }), format({ year: 'numeric' })],
  }[step.unit] as [Intl.DateTimeFormat, Intl.DateTimeFormat | undefined];
  let before = '';
  return starts.map((ms) => {
    const below = lower?.format(ms) ?? '';
    const isNew = below !== before;
    before = below;
    return { ms, label: upper.format(ms), below: isNew ? below : '' };
  });
}

/** How the values of an axis are cut. */
export type ValueKind = 'count' | 'number' | 'seconds' | 'share' | 'percent';

const SECOND_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800, 86_400];

/**
 * Labels of a value axis: from 0 (or below, for negative values) to the first round value that is at least the largest.
 * @param most steps
 */
export function valueTicks(smallest: number, largest: number, kind: ValueKind, most = 4): number[] {
  const top = Math.max(largest, 0);
  const bottom = Math.min(smallest, 0);
  const span = top - bottom;
  const step = span > 0 ? roundStep(span / most, kind) : kind === 'share' ? 0.25 : 1;
  const first = Math.floor(bottom / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(top / step - 1e-9));
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}

function roundStep(least: number, kind: ValueKind): number {
  if (kind === 'seconds') {
    const fitting = SECOND_STEPS.find((step) => step >= least);
    if (fitting !== undefined) return fitting;
  }
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10);
  return kind === 'count' ? Math.max(1, Math.round(step)) : step;
}
