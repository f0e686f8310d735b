import type { BothLanguages } from '../metrics/metric.ts';

/** Advice as the service gives it. */
export interface AdviceFacts {
  /** Above 0: so many more tills; below 0: fewer. */
  readonly tills: number;
  readonly startsAt: string;
  readonly endsAt: string;
  /** Share of people who wait too long without it, 0-1. */
  readonly lateShare: number;
  readonly target: { readonly waitSeconds: number };
}

const WORDS = {
  en: {
    locale: 'en-GB',
    numbers: ['', 'one', 'two', 'three'],
    open: (tills: string, isOne: boolean, by: string, until: string) =>
      `Open ${tills} more ${isOne ? 'till' : 'tills'} by ${by}, until about ${until}`,
    close: (tills: string, isOne: boolean, until: string) =>
      `${tills} ${isOne ? 'till' : 'tills'} can close until ${until}`,
    late: (share: string, wait: string) => `: otherwise ${share}% wait longer than ${wait}`,
    minutes: 'min',
    seconds: 's',
  },
  de: {
    locale: 'de-DE',
    numbers: ['', 'eine', 'zwei', 'drei'],
    open: (tills: string, isOne: boolean, by: string, until: string) =>
      `Bis ${by} ${tills} weitere ${isOne ? 'Kasse' : 'Kassen'} öffnen, etwa bis ${until}`,
    close: (tills: string, isOne: boolean, until: string) =>
      `${tills} ${isOne ? 'Kasse kann' : 'Kassen können'} bis ${until} schließen`,
    late: (share: string, wait: string) => `: sonst warten ${share} % länger als ${wait}`,
    minutes: 'min',
    seconds: 's',
  },
} as const;

const STEP_MS = 5 * 60_000;

/** E.g. "Open one more till by 11:20, until about 12:10: otherwise 31% wait longer than 3 min". */
export function adviceSentence(
  { tills, startsAt, endsAt, lateShare, target: { waitSeconds } }: AdviceFacts,
  language: keyof BothLanguages,
  timezone: string,
): string {
  const words = WORDS[language];
  const clock = new Intl.DateTimeFormat(words.locale, {
    hour: '2-digit',
    minute: '2-digit',
    timeZone: timezone,
  });
  // Nobody opens a till at a second: in steps of five minutes, and not too late.
  const at = (time: string, round: (value: number) => number) =>
    clock.format(round(Date.parse(time) / STEP_MS) * STEP_MS);
  const count = Math.abs(tills);
  const number = words.numbers[count] ?? String(count);
  if (tills < 0) return capital(words.close(number, count === 1, at(endsAt, Math.floor)));
  const wait =
    waitSeconds % 60 === 0 ? `${waitSeconds / 60} ${words.minutes}` : `${waitSeconds} ${words.seconds}`;
  const sentence = words.open(number, count === 1, at(startsAt, Math.floor), at(endsAt, Math.ceil));
  return `${sentence}${words.late(String(Math.round(lateShare * 100)), wait)}`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
