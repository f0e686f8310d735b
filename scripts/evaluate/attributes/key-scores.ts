import { ALL_ATTRIBUTE_KEYS, type AttributeKey } from '../../../src/vision/attributes/keys.ts';

/** How well one key is told; shares are null where nothing can be divided. */
export interface KeyScore {
  readonly key: string;
  /** People for whom the truth is known, and those of them for whom it holds. */
  readonly people: number;
  readonly holds: number;
  /** Share of the people about whom anything was said. */
  readonly coverage: number | null;
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
}

interface Counts {
  people: number;
  holds: number;
  covered: number;
  right: number;
  invented: number;
  missed: number;
}

/** Counts what was said about people against what is true. Precision and recall are over those it was said about. */
export class KeyScores {
  readonly #counts = new Map<string, Counts>();

  /** @param said null: nothing was said about it */
  add(key: string, isTrue: boolean, said: boolean | null): void {
    const counts = this.#counts.get(key) ?? {
      people: 0,
      holds: 0,
      covered: 0,
      right: 0,
      invented: 0,
      missed: 0,
    };
    this.#counts.set(key, counts);
    counts.people++;
    if (isTrue) counts.holds++;
    if (said === null) return;
    counts.covered++;
    if (said && isTrue) counts.right++;
    else if (said) counts.invented++;
    else if (isTrue) counts.missed++;
  }

  /** Said and true, and all that was said. */
  get agreement(): { right: number; of: number } {
    const all = [...this.#counts.values()];
    const of = all.reduce((sum, { covered }) => sum + covered, 0);
    const wrong = all.reduce((sum, { invented, missed }) => sum + invented + missed, 0);
    return { right: of - wrong, of };
  }

  /** Our keys first, in their order. */
  scores(): KeyScore[] {
    const order = (key: string) =>
      (ALL_ATTRIBUTE_KEYS.indexOf(key as AttributeKey) + ALL_ATTRIBUTE_KEYS.length + 1) %
      (ALL_ATTRIBUTE_KEYS.length + 1);
    const keys = [...this.#counts.keys()].sort((a, b) => order(a) - order(b));
    return keys.map((key) => scoreOf(key, this.#counts.get(key)!));
  }
}

const ratio = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 1000) / 1000;

function scoreOf(key: string, { people, holds, covered, right, invented, missed }: Counts): KeyScore {
  return {
    key,
    people,
    holds,
    coverage: ratio(covered, people),
    precision: ratio(right, right + invented),
    recall: ratio(right, right + missed),
    f1: ratio(2 * right, 2 * right + invented + missed),
  };
}

/** The mean F1 of some keys that can be scored, and the least coverage among them. */
export function summarise(
  scores: readonly KeyScore[],
  keys: readonly string[],
): { f1: number | null; coverage: number | null } {
  const scored = scores.filter(({ key, f1 }) => keys.includes(key) && f1 !== null);
  if (scored.length === 0) return { f1: null, coverage: null };
  const f1 = scored.reduce((sum, score) => sum + score.f1!, 0) / scored.length;
  return {
    f1: Math.round(f1 * 1000) / 1000,
    coverage: Math.min(...scored.map(({ coverage }) => coverage ?? 0)),
  };
}
