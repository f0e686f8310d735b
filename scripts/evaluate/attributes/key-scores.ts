import { ALL_ATTRIBUTE_KEYS, type AttributeKey } from '../../../src/vision/attributes/keys.ts';
import { mean, sum } from '../../support/numbers.ts';

/** The scores of one key. A share is null where it would be divided by 0. */
export interface KeyScore {
  readonly key: string;
  /** People with a known truth, and those of them who have the attribute. */
  readonly people: number;
  readonly holds: number;
  /** Share of the people for whom there was an answer. */
  readonly coverage: number | null;
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
}

const NOTHING = { people: 0, holds: 0, covered: 0, right: 0, invented: 0, missed: 0 };
type Counts = typeof NOTHING;

/** Compares answers about people with the truth. Precision and recall are over the people with an answer. */
export class KeyScores {
  readonly #counts = new Map<string, Counts>();

  /** @param said null where there was no answer */
  add(key: string, isTrue: boolean, said: boolean | null): void {
    const counts = this.#counts.get(key) ?? { ...NOTHING };
    this.#counts.set(key, counts);
    counts.people++;
    if (isTrue) counts.holds++;
    if (said === null) return;
    counts.covered++;
    if (said && isTrue) counts.right++;
    else if (said) counts.invented++;
    else if (isTrue) counts.missed++;
  }

  /** The number of right answers, and of all answers. */
  get agreement(): { right: number; of: number } {
    const all = [...this.#counts.values()];
    const of = sum(all.map(({ covered }) => covered));
    return { right: of - sum(all.map(({ invented, missed }) => invented + missed)), of };
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

/** The mean F1 of these keys, where they can be scored, and the lowest coverage among them. */
export function summarise(
  scores: readonly KeyScore[],
  keys: readonly string[],
): { f1: number | null; coverage: number | null } {
  const scored = scores.filter(({ key, f1 }) => keys.includes(key) && f1 !== null);
  if (scored.length === 0) return { f1: null, coverage: null };
  const f1 = mean(scored.map((score) => score.f1!));
  return {
    f1: Math.round(f1 * 1000) / 1000,
    coverage: Math.min(...scored.map(({ coverage }) => coverage ?? 0)),
  };
}
