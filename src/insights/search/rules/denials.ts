import { Pattern, type Reader } from './pattern.ts';
import { type Phrase, type Sentence, span } from './sentence.ts';

/** Phrases that are denied together: insights that fulfil all of them are left out. */
export interface Denied {
  readonly phrases: readonly Phrase[];
  /** The words that deny. */
  readonly marker: readonly number[];
}

const when =
  (holds: (sentence: Sentence, at: number) => boolean): Reader =>
  (sentence, at) =>
    holds(sentence, at) ? { value: true, length: 1 } : undefined;
const isWord = (sentence: Sentence, at: number, ...kinds: string[]): boolean =>
  kinds.some((kind) => sentence.senseAt(kind, at) !== undefined);
const comma = when(({ tokens }, at) => tokens[at]?.plain === ',');
/** A function word that joins nothing. */
const filler = when(
  (sentence, at) =>
    sentence.isFiller(at) && (sentence.tokens[at]!.plain.length === 1 || !isWord(sentence, at, 'and', 'or')),
);
const quote = when(({ tokens }, at) => /^["“”„«»(:]$/.test(tokens[at]?.plain ?? ''));
const skipped = when((sentence, at) => isWord(sentence, at, 'people', 'at', 'article'));
const READERS = { comma, filler, quote, skipped };

/** What may stand before a denied phrase. */
const BEFORE = new Pattern('filler|skipped|quote*', READERS);
const JOINED = new Pattern('filler* by:or|comma|and then:or|and?', READERS);

/**
 * Finds the denied phrases of a query. "Not" denies the next phrase, "except" that phrase together with its place. Both
 * continue over "and", "or" and commas while phrases of the same kind follow. Denials without a phrase are left unused.
 */
export function readDenials(sentence: Sentence): Denied[] {
  const denied: Denied[] = [];
  const done = new Set<Phrase>();
  for (let at = 0; at < sentence.tokens.length; at += 1) {
    const nothing = sentence.free('notDenied', at);
    if (nothing) sentence.take(span(at, nothing.length), 'marker');
    const marker = nothing ? null : markerAt(sentence, at);
    if (!marker) continue;
    const end = at + marker.length;
    const after = [...deniedAfter(sentence, { end, isExcept: marker.isExcept, done })];
    const found = after.length > 0 ? after : deniedBefore(sentence, at, done);
    // In "neither … nor" the second phrase is denied already.
    const isHeard = found.length > 0 || done.has(phraseAfter(sentence, end)!);
    const tokens = span(at, marker.length);
    sentence.take(tokens, isHeard ? 'marker' : 'unused');
    for (const [n, phrases] of found.entries()) {
      for (const phrase of phrases) done.add(phrase);
      denied.push({ phrases, marker: n === 0 ? tokens : [] });
    }
  }
  return denied;
}

function markerAt(sentence: Sentence, at: number): { length: number; isExcept: boolean } | null {
  const [except, ...others] = ['except', 'not', 'nobody', 'excluded'].map((kind) => sentence.free(kind, at));
  const other = others.find(Boolean);
  const isExcept = except !== undefined && except.length >= (other?.length ?? 0);
  const marker = isExcept ? except : other;
  return marker ? { length: marker.length, isExcept } : null;
}

interface Denial {
  readonly end: number;
  readonly isExcept: boolean;
  readonly done: ReadonlySet<Phrase>;
}

function* deniedAfter(sentence: Sentence, { end, isExcept, done }: Denial): Generator<Phrase[]> {
  const first = phraseAfter(sentence, end);
  if (!first || done.has(first)) return;
  let group = isExcept ? withPlace(sentence, first) : [first];
  yield group;
  for (;;) {
    const joined = JOINED.at(sentence, endOf(sentence, group.at(-1)!));
    const phrase = joined && phraseAfter(sentence, joined.end);
    if (!joined || !phrase || done.has(phrase) || group.includes(phrase)) return;
    const isOr = [joined.end - 1, joined.end - 2].some((at) => sentence.free('or', at));
    const isComma = !isOr && sentence.tokens[joined.end - 1]!.plain === ',';
    const isSameKind = phrase.filter.kind === group[0]!.filter.kind;
    if (!isSameKind && (isComma || !(isOr || isExcept))) return;
    if (sentence.senseAt('only', endOf(sentence, phrase))) return;
    group = isExcept ? withPlace(sentence, phrase) : [phrase];
    yield group;
  }
}

/** "Critical alerts at till 3": the filter and its place. */
function withPlace(sentence: Sentence, first: Phrase): Phrase[] {
  const group = [first];
  while (group.at(-1)!.filter.kind !== 'place') {
    const next = phraseAfter(sentence, endOf(sentence, group.at(-1)!));
    if (!next || group.includes(next) || ['dates', 'quantity'].includes(next.filter.kind)) break;
    group.push(next);
  }
  return group;
}

/** The token after the first run of a phrase. */
function endOf(sentence: Sentence, phrase: Phrase): number {
  let end = phrase.tokens[0]!;
  while (sentence.ownerOf(end) === phrase) end += 1;
  return end;
}

/** The phrase that begins at a token or after function words. */
const phraseAfter = (sentence: Sentence, from: number): Phrase | undefined =>
  sentence.ownerOf(BEFORE.at(sentence, from)!.end);

/** "Till 3 excluded". */
function deniedBefore(sentence: Sentence, at: number, done: ReadonlySet<Phrase>): Phrase[][] {
  let last = at - 1;
  while (sentence.isFree(last) && sentence.isFiller(last)) last -= 1;
  const phrase = sentence.senseAt('excluded', at) && sentence.ownerOf(last);
  return phrase && !done.has(phrase) ? [[phrase]] : [];
}
