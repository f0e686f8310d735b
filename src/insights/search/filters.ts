import type { RiskLevel, Severity } from '../../platform/prisma-client/client.ts';

/** The numbers of an alert that a query can compare. */
export type Measure = 'persons' | 'queueLength' | 'waitSeconds' | 'serviceSeconds';

/** A device or scene that a query may name. */
export interface NamedPlace {
  readonly kind: 'device' | 'scene';
  readonly id: string;
  readonly name: string;
  /** Zone of its clock; null where nobody has set one. */
  readonly timezone?: string | null;
}

/** A word to find in the texts of insights. */
export interface Keyword {
  /** As written, or in English where the lexicon translates it. */
  readonly word: string;
  /** Beginnings of words, one of which must occur. A blank joins words that follow one another. */
  readonly forms: readonly string[];
}

/** Bounds of a number; all given bounds must hold. */
export interface Bounds {
  readonly moreThan?: number | undefined;
  readonly atLeast?: number | undefined;
  readonly lessThan?: number | undefined;
  readonly atMost?: number | undefined;
}

/** `[start, end)`; a missing bound is open. */
export interface DateBounds {
  readonly start?: Date | undefined;
  readonly end?: Date | undefined;
}

/** The filter of one phrase of a query. */
export type Filter =
  | { readonly kind: 'severity'; readonly severity: Severity }
  | { readonly kind: 'risk'; readonly levels: readonly RiskLevel[] }
  | { readonly kind: 'quantity'; readonly measure: Measure; readonly bounds: Bounds }
  | { readonly kind: 'dates'; readonly dates: DateBounds }
  | { readonly kind: 'place'; readonly places: readonly NamedPlace[] }
  | { readonly kind: 'words'; readonly keywords: readonly Keyword[] };

/** Conditions that must hold together; empty lists and absent fields set no condition. */
export interface Conditions {
  readonly severity?: Severity | undefined;
  /** One of these must hold; an empty list sets no condition. */
  readonly riskLevel: readonly RiskLevel[];
  readonly startDate?: Date | undefined;
  readonly endDate?: Date | undefined;
  /** Each mention of a place, with the devices and scenes that it may mean. */
  readonly places: readonly (readonly NamedPlace[])[];
  readonly keywords: readonly Keyword[];
}

/** A filter and the words of the query that it comes from; `text` is null where a model understood the query. */
export interface Understood {
  readonly text: string | null;
  readonly filter: string;
}

/** An understood query. */
export interface ParsedQuery extends Conditions {
  readonly quantities: Readonly<Partial<Record<Measure, Bounds>>>;
  /** Insights that fulfil all conditions of one entry are left out. */
  readonly excluded: readonly Conditions[];
  readonly understood: readonly Understood[];
  /** Words that became no filter, as written. */
  readonly unusedWords: readonly string[];
}

/** The later of two times, or the only one given. */
export const later = (a?: Date, b?: Date) => (a && b ? (a > b ? a : b) : (a ?? b));
/** The earlier of two times, or the only one given. */
export const earlier = (a?: Date, b?: Date) => (a && b ? (a < b ? a : b) : (a ?? b));

/** The narrowest bounds that meet both. */
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

/** The opposite of a single bound; null for several bounds. */
export function opposite({ moreThan, atLeast, lessThan, atMost }: Bounds): Bounds | null {
  if ([moreThan, atLeast, lessThan, atMost].filter((bound) => bound !== undefined).length !== 1) return null;
  if (moreThan !== undefined) return { atMost: moreThan };
  if (atLeast !== undefined) return { lessThan: atLeast };
  if (lessThan !== undefined) return { atLeast: lessThan };
  return { moreThan: atMost };
}
