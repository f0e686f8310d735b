import { NUMBER, numberOf } from './numbers.ts';
import { phrase, type QueryText } from './query-text.ts';

const PEOPLE =
  'people|persons?|customers?|visitors?|guests?|shoppers?|individuals|personen|leuten?|kunden|menschen|personnes?|gens|clients?|personas?|clientes?|gente|persone|clienti|mensen|klanten|bezoekers|pessoas?|человека?|люд\\p{L}*|клиент\\p{L}*|посетител\\p{L}*|(?:个|名)?(?:人|顾客|客)';
const MORE_THAN =
  'more than|over|above|exceeding|mehr als|uber|plus de|mas de|piu di|oltre|meer dan|boven|mais de|более|больше|свыше|超过|多于';
const AT_LEAST =
  'at least|(?:a )?minimum(?: of)?|not? (?:less|fewer) than|mindestens|wenigstens|au moins|al menos|por lo menos|almeno|minstens|ten minste|pelo menos|ao menos|не менее|минимум|как минимум|至少|少なくとも';
const FEWER_THAN =
  'less than|fewer than|under|below|at most|up to|weniger als|unter|hochstens|moins de|menos de|meno di|minder dan|hoogstens|менее|меньше|少于|最多';
/** Before "more than": an upper bound again. */
const NOT = 'no|not|nicht|pas|non|niet|nao|не|不';
const OR_MORE = '\\+|or more|or above|oder mehr|ou plus|o mas|o piu|of meer|ou mais|и более|или больше|以上';
const N = `(?<n>${NUMBER})`;

// The first that fits counts. `extra`: what more than the number it takes; null: an upper bound, which is no filter.
const PATTERNS: readonly (readonly [pattern: RegExp, extra: number | null])[] = [
  [
    phrase(
      `(?:between|zwischen|entre|tra|fra|tussen) ${N} (?:and|und|et|y|e|en) (?:${NUMBER}) (?:${PEOPLE})`,
    ),
    0,
  ],
  [phrase(`(?:${FEWER_THAN}|(?:${NOT})\\s*(?:${MORE_THAN}))\\s*(?:${NUMBER})\\s*(?:${PEOPLE})`), null],
  [phrase(`(?:${MORE_THAN})\\s*${N}\\s*(?:${PEOPLE})`), 1],
  [phrase(`(?:${AT_LEAST})\\s*${N}\\s*(?:${PEOPLE})`), 0],
  [phrase(`${N}\\s*(?:${OR_MORE})\\s*(?:${PEOPLE})`), 0],
  [phrase(`${N}\\s*(?:${PEOPLE})\\s*(?:${OR_MORE})`), 0],
  [phrase(`${N}\\s*(?:${PEOPLE})を?(?:超|超え)`), 1],
  [
    phrase(`(?:groups?|crowds?|gruppen?|groupes?|grupos?|gruppi|gruppo|groepen?) (?:of|von|de|di|van) ${N}`),
    0,
  ],
  [phrase(`${N}\\s*(?:${PEOPLE})`), 0],
  [phrase(`(?:${MORE_THAN}) ${N}(?= (?:waiting|queueing|queuing|in (?:line|the (?:line|queue)))(?: |$))`), 1],
];

/** How many people the query wants in the picture at least; undefined where it does not say. */
export function readMinPersons(text: QueryText): number | undefined {
  for (const [pattern, extra] of PATTERNS) {
    const match = text.take(pattern);
    if (!match) continue;
    return extra === null ? undefined : numberOf(match.groups!.n!) + extra;
  }
  return undefined;
}
