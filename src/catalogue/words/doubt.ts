import { DOUBTFUL_PERCENT } from '../metrics/expected-error.ts';
import type { BothLanguages } from '../metrics/metric.ts';

interface Part {
  readonly fromMs: number;
  readonly toMs: number;
  /** Null where nobody knows. */
  readonly expectedErrorPercent: number | null;
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Spans that are named; more would not be read. */
const MOST_NAMED = 3;

type Sentence = (times: string, percent: string, hasMore: boolean) => string;

const WORDS: Readonly<Record<keyof BothLanguages, Sentence>> = {
  en: (times, percent, hasMore) =>
    `Numbers of ${times}${hasMore ? ' and more' : ''} are doubtful: the line was too dense, or seen too badly. Its length may be wrong by ${percent}.`,
  de: (times, percent, hasMore) =>
    `Die Zahlen von ${times}${hasMore ? ' und weiteren' : ''} sind unsicher: Die Schlange war zu dicht oder zu schlecht zu sehen. Ihre Länge kann um ${percent} falsch sein.`,
};

/**
 * A warning that names the times whose numbers are doubtful, neighbours as one, first those that are longest; null where none are.
 * @param nameOf a span as the reader writes it
 */
export function doubtInWords(
  parts: readonly Part[],
  {
    language,
    locale,
    nameOf,
  }: { language: keyof BothLanguages; locale: string; nameOf: (span: Span) => string },
): string | null {
  const errorOf = (part: Part) => part.expectedErrorPercent ?? 0;
  const doubtful = parts.filter((part) => errorOf(part) > DOUBTFUL_PERCENT);
  if (doubtful.length === 0) return null;
  const spans: Span[] = [];
  for (const { fromMs, toMs } of doubtful) {
    const last = spans.at(-1);
    if (last?.toMs === fromMs) spans[spans.length - 1] = { fromMs: last.fromMs, toMs };
    else spans.push({ fromMs, toMs });
  }
  const named = spans
    .toSorted((a, b) => b.toMs - b.fromMs - (a.toMs - a.fromMs))
    .slice(0, MOST_NAMED)
    .toSorted((a, b) => a.fromMs - b.fromMs)
    .map(nameOf);
  const hasMore = spans.length > named.length;
  const worst = Math.max(...doubtful.map(errorOf));
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
  const times = new Intl.ListFormat(locale, { type: hasMore ? 'unit' : 'conjunction' }).format(named);
  return WORDS[language](times, percent.format(worst / 100), hasMore);
}
