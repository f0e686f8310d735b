import { pattern, when } from './pattern.ts';
import { type Phrase, type Sentence, span } from './sentence.ts';

/** Phrases that are denied together: insights that fulfil all of them are left out. */
export interface Denied {
  readonly phrases: readonly Phrase[];
  /** The words that deny. */
  readonly marker: readonly number[];
}

/** A function word that joins nothing. */
const filler = when(
  (sentence, at) =>
    sentence.isFiller(at) && (sentence.plainAt(at).length === 1 || !sentence.is(at, 'and', 'or')),
);
const quote = when(({ plainAt }, at) => /^["“”„«»(:]$/.test(plainAt(at)));
const skipped = when((sentence, at) => sentence.is(at, 'people', 'at', 'article'));
/** What may stand before a denied phrase. */
const BEFORE = pattern('filler|skipped|quote*', { filler, quote, skipped });
const JOINED = pattern("filler* by:or|',|and then:or|and?", { filler });

/**
 * Finds the denied phrases of a query. "Not" denies the next phrase, "except" that phrase together with its place. Both
 * continue over "and", "or" and commas while phrases of the same kind follow. Denials without a phrase are left unused.
 */
export function readDenials(sentence: Sentence): Denied[] {
  const denied: Denied[] = [];
  const done = new Set<Phrase>();
  for (const at of sentence.tokens.keys()) {
    const nothing = sentence.free('notDenied', at);
    if (nothing) sentence.take(span(at, nothing.length), 'marker');
    const except = sentence.free('except', at);
    const marker =
      ['not', 'nobody', 'excluded'].map((kind) => sentence.free(kind, at)).find(Boolean) ?? except;
    if (!marker) continue;
    const length = Math.max(marker.length, except?.length ?? 0);
    const isExcept = except?.length === length;
    const tokens = span(at, length);
    const end = at + length;
    const after = deniedAfter(sentence, { end, isExcept, done });
    const found = after.length > 0 ? after : deniedBefore(sentence, at, done);
    // In "neither … nor" the second phrase is denied already.
    const next = phraseAfter(sentence, end);
    const isHeard = found.length > 0 || (next !== undefined && done.has(next));
    sentence.take(tokens, isHeard ? 'marker' : 'unused');
    for (const [n, phrases] of found.entries()) denied.push({ phrases, marker: n === 0 ? tokens : [] });
    for (const phrase of found.flat()) done.add(phrase);
  }
  return denied;
}

function deniedAfter(
  sentence: Sentence,
  { end, isExcept, done }: { end: number; isExcept: boolean; done: ReadonlySet<Phrase> },
): Phrase[][] {
  const groups: Phrase[][] = [];
  let next = phraseAfter(sentence, end);
  while (next && !done.has(next)) {
    const { group, last } = isExcept ? withPlace(sentence, next) : { group: [next], last: next };
    groups.push(group);
    const joined = JOINED(sentence, endOf(sentence, last));
    const phrase = joined && phraseAfter(sentence, joined.end);
    if (!phrase || groups.flat().includes(phrase)) break;
    const isOr = [joined.end - 1, joined.end - 2].some((at) => sentence.free('or', at));
    const isComma = !isOr && sentence.plainAt(joined.end - 1) === ',';
    const isSameKind = phrase.filter.kind === next.filter.kind;
    if (!isSameKind && (isComma || !(isOr || isExcept))) break;
    next = sentence.is(endOf(sentence, phrase), 'only') ? undefined : phrase;
  }
  return groups;
}

/** "Critical alerts at till 3": the filter and its place. */
function withPlace(sentence: Sentence, first: Phrase): { group: Phrase[]; last: Phrase } {
  const group = [first];
  let last = first;
  while (last.filter.kind !== 'place') {
    const next = phraseAfter(sentence, endOf(sentence, last));
    if (!next || group.includes(next) || ['dates', 'quantity'].includes(next.filter.kind)) break;
    group.push(next);
    last = next;
  }
  return { group, last };
}

/** The token after the first run of a phrase. */
function endOf(sentence: Sentence, phrase: Phrase): number {
  let end = phrase.from;
  while (sentence.ownerOf(end) === phrase) end += 1;
  return end;
}

/** The phrase that begins at a token or after function words. */
const phraseAfter = (sentence: Sentence, from: number): Phrase | undefined =>
  sentence.ownerOf(BEFORE(sentence, from)?.end ?? from);

/** "Till 3 excluded". */
function deniedBefore(sentence: Sentence, at: number, done: ReadonlySet<Phrase>): Phrase[][] {
  let last = at - 1;
  while (sentence.isFree(last) && sentence.isFiller(last)) last -= 1;
  const phrase = sentence.is(at, 'excluded') && sentence.ownerOf(last);
  return phrase && !done.has(phrase) ? [[phrase]] : [];
}
