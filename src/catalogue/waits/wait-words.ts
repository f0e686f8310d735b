import type { BothLanguages } from '../metrics/metric.ts';

/** Why nobody can say how long the wait is. */
export const NO_WAITS = ['learning', 'noServiceSeen', 'notCovered'] as const;
export type NoWait = (typeof NO_WAITS)[number];

/** The band of a wait, as in the numbers of this moment. */
export interface WaitBand {
  readonly estimatedWaitLowSeconds: number | null;
  readonly estimatedWaitHighSeconds: number | null;
}

const MINUTE = 60;
const HOUR = 3600;
/** From so many minutes on, minutes are told in steps of five: nobody can know it better. */
const EXACT_MINUTES = 20;
/** Up to so many seconds a wait is told in minutes. */
const LONGEST_IN_MINUTES = 2 * HOUR;

const UNITS = {
  en: { minute: 'min', hour: 'h', under: 'under', upTo: 'up to' },
  de: { minute: 'min', hour: 'h', under: 'unter', upTo: 'bis' },
} as const;

interface End {
  readonly value: number;
  readonly unit: string;
}

/** An end of the band, rounded outwards, so that the words promise no more than the numbers. */
function endOf(seconds: number, language: keyof BothLanguages, round: (value: number) => number): End {
  const { minute, hour } = UNITS[language];
  if (seconds > LONGEST_IN_MINUTES) return { value: round(seconds / HOUR), unit: hour };
  const minutes = round(seconds / MINUTE);
  return { value: minutes <= EXACT_MINUTES ? minutes : round(minutes / 5) * 5, unit: minute };
}

/** How long somebody waits who joins now, as people say it: "5-9 min", "under 1 min"; null where it is not known. */
export function waitRange(
  { estimatedWaitLowSeconds: low, estimatedWaitHighSeconds: high }: WaitBand,
  language: keyof BothLanguages,
): string | null {
  if (low === null || high === null) return null;
  const { minute, under, upTo } = UNITS[language];
  if (high <= MINUTE) return `${under} 1 ${minute}`;
  const from = endOf(low, language, Math.floor);
  const to = endOf(high, language, Math.ceil);
  if (from.value === 0) return `${upTo} ${to.value} ${to.unit}`;
  if (from.unit !== to.unit) return `${from.value} ${from.unit} - ${to.value} ${to.unit}`;
  return from.value === to.value ? `${to.value} ${to.unit}` : `${from.value}-${to.value} ${to.unit}`;
}

/** Shown in place of a wait. */
export const NO_WAIT_WORDS: Readonly<Record<NoWait, BothLanguages>> = {
  learning: { en: 'still learning', de: 'lernt noch' },
  noServiceSeen: { en: 'nobody is serving', de: 'niemand bedient' },
  notCovered: { en: 'not seen', de: 'nicht gesehen' },
};
