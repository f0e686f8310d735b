/** What a part promises of one of its figures. */
export type Promised = { readonly is: unknown } & (
  | { readonly atMost: number }
  | { readonly atLeast: number }
  | { readonly exactly: number | string }
);

export interface Verdict {
  /** One sentence for each promise that was broken, with the figure and its limit. */
  readonly failed: readonly string[];
  readonly passed: boolean;
}

/** Compares figures with what was promised of them, so that whoever reads the result knows which one failed. */
export function verdict(promised: Readonly<Record<string, Promised>>): Verdict {
  const failed = Object.entries(promised).flatMap(([name, one]) => {
    const [words, limit] =
      'atMost' in one
        ? ['at most', one.atMost]
        : 'atLeast' in one
          ? ['at least', one.atLeast]
          : ['exactly', one.exactly];
    return isKept(one) ? [] : [`${name} is ${String(one.is)}, and must be ${words} ${limit}`];
  });
  return { failed, passed: failed.length === 0 };
}

/** NaN keeps no promise, and what is missing does not either. */
function isKept(promised: Promised): boolean {
  if ('exactly' in promised && typeof promised.exactly === 'string') return promised.is === promised.exactly;
  const figure = promised.is === null ? Number.NaN : Number(promised.is);
  if ('atMost' in promised) return figure <= promised.atMost;
  return 'atLeast' in promised ? figure >= promised.atLeast : figure === promised.exactly;
}
