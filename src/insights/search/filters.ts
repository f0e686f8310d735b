import type { RiskLevel, Severity } from '../../platform/prisma-client/client.ts';
import type { Measure } from './lexicon/quantity-words.ts';

/** A device or scene that a query may name. */
export interface NamedPlace {
  readonly kind: 'device' | 'scene';
  readonly id: string;
  readonly name: string;
}

/** A word to find in the texts of insights. */
export interface Keyword {
  /** As it was written, or in English where the lexicon translates it. */
  readonly word: string;
  /** Beginnings of words, any of which will do; a blank joins words that follow one another. */
  readonly forms: readonly string[];
}

/** Bounds of a number; several hold together. */
export interface Bounds {
  readonly moreThan?: number | undefined;
  readonly atLeast?: number | undefined;
  readonly lessThan?: number | undefined;
  readonly atMost?: number | undefined;
}

/** `[start, end)`, open where nothing is said. */
export interface DateBounds {
  readonly start?: Date | undefined;
  readonly end?: Date | undefined;
}

/** What one phrase of a query asks for. */
export type Filter =
  | { readonly kind: 'severity'; readonly severity: Severity }
  | { readonly kind: 'risk'; readonly levels: readonly RiskLevel[] }
  | { readonly kind: 'quantity'; readonly measure: Measure; readonly bounds: Bounds }
  | { readonly kind: 'dates'; readonly dates: DateBounds }
  | { readonly kind: 'place'; readonly places: readonly NamedPlace[] }
  | { readonly kind: 'words'; readonly keywords: readonly Keyword[] };

/** Everything that is looked for at once; empty lists and absent fields say nothing. */
export interface Conditions {
  readonly severity?: Severity | undefined;
  /** Any of these; empty: any at all. */
  readonly riskLevel: readonly RiskLevel[];
  readonly startDate?: Date | undefined;
  readonly endDate?: Date | undefined;
  /** Each mention of a place, with the devices and scenes it may mean. */
  readonly places: readonly (readonly NamedPlace[])[];
  readonly keywords: readonly Keyword[];
}

/** What was understood of which words of the query; `text` is null where a model understood it. */
export interface Understood {
  readonly text: string | null;
  readonly filter: string;
}

/** A query as it was understood. */
export interface ParsedQuery extends Conditions {
  readonly quantities: Readonly<Partial<Record<Measure, Bounds>>>;
  /** What fulfils all of one of these is not wanted. */
  readonly excluded: readonly Conditions[];
  readonly understood: readonly Understood[];
  /** Words that are no filter, as they were written. */
  readonly unusedWords: readonly string[];
}

/** The later of two times; the one that there is where one is missing. */
export const later = (a?: Date, b?: Date) => (a && b ? (a > b ? a : b) : (a ?? b));
/** The earlier of two times; the one that there is where one is missing. */
export const earlier = (a?: Date, b?: Date) => (a && b ? (a < b ? a : b) : (a ?? b));

/** The strictest of both. */
export function narrower(a: Bounds, b: Bounds): Bounds {
  const pick = (choose: (...values: number[]) => number, x?: number, y?: number) =>
    x === undefined ? y : y === undefined ? x : choose(x, y);
  return {
    moreThan: pick(Math.max, a.moreThan, b.moreThan),
    atLeast: pick(Math.max, a.atLeast, b.atLeast),
    lessThan: pick(Math.min, a.lessThan, b.lessThan),
    atMost: pick(Math.min, a.atMost, b.atMost),
  };
}

/** The opposite of a single bound; null where there is more than one. */
export function opposite({ moreThan, atLeast, lessThan, atMost }: Bounds): Bounds | null {
  if ([moreThan, atLeast, lessThan, atMost].filter((bound) => bound !== undefined).length !== 1) return null;
  if (moreThan !== undefined) return { atMost: moreThan };
  if (atLeast !== undefined) return { lessThan: atLeast };
  if (lessThan !== undefined) return { atLeast: lessThan };
  return { moreThan: atMost };
}
