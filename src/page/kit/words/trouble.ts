import type { Texts } from '../../text/en/all.ts';

/** What is wrong, for the people of a shop: what it means, and what to do. */
export interface Trouble {
  readonly title: string;
  readonly advice: string;
  /** What the service says itself, for whoever repairs it. */
  readonly details: string | null;
}

/**
 * A fault, a warning, or a state in which nothing is measured (`offline`, `failed`, `old`), in the words of the page. Of what the
 * page does not know it says that counting has a problem; what the service says is in the details.
 */
export function troubleOf(known: Texts['faults'], reason: string, said: string | null | undefined): Trouble {
  const { title, advice } = known[reason] ?? known.unknown;
  return { title, advice, details: said || null };
}
