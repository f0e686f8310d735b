import type { BothLanguages } from '../metrics/metric.ts';
import { durationInWords } from '../words/duration.ts';

/** What differs, as the service gives it. */
export interface UnusualFacts {
  /** Since when. */
  readonly beganAt: string;
  readonly deviations: readonly {
    readonly metric: 'arrivals' | 'serviceSeconds' | 'openTills';
    readonly value: number;
    readonly low: number;
    readonly high: number;
  }[];
}

const WORDS = {
  en: {
    locale: 'en-GB',
    unlike: (weekday: string) => `Unlike other ${weekday}s`,
    usually: (low: string, high: string) => (low === high ? `usually ${low}` : `usually ${low} to ${high}`),
    arrivals: (value: string) => `${value} people came in 20 minutes`,
    serviceSeconds: (value: string) => `being served takes ${value}`,
    openTills: (value: string) => `${value} ${value === '1' ? 'till was' : 'tills were'} open`,
  },
  de: {
    locale: 'de-DE',
    unlike: (weekday: string) => `Anders als sonst am ${weekday}`,
    usually: (low: string, high: string) => (low === high ? `sonst ${low}` : `sonst ${low} bis ${high}`),
    arrivals: (value: string) => `${value} Personen kamen in 20 Minuten`,
    serviceSeconds: (value: string) => `eine Bedienung dauert ${value}`,
    openTills: (value: string) => `${value} ${value === '1' ? 'Kasse war' : 'Kassen waren'} offen`,
  },
} as const;

/** E.g. "Unlike other Tuesdays: 142 people came in 20 minutes, usually 95 to 126". */
export function unusualSentence(
  { beganAt, deviations }: UnusualFacts,
  language: keyof BothLanguages,
  timezone: string,
): string {
  const words = WORDS[language];
  const people = new Intl.NumberFormat(words.locale, { maximumFractionDigits: 0 });
  const tills = new Intl.NumberFormat(words.locale, { maximumFractionDigits: 1 });
  const formats = { arrivals: people.format, serviceSeconds: durationInWords, openTills: tills.format };
  const weekday = new Intl.DateTimeFormat(words.locale, { weekday: 'long', timeZone: timezone });
  const told = deviations.map(({ metric, value, low, high }) => {
    const format = formats[metric];
    return `${words[metric](format(value))}, ${words.usually(format(low), format(high))}`;
  });
  return `${words.unlike(weekday.format(new Date(beganAt)))}: ${told.join('; ')}`;
}
