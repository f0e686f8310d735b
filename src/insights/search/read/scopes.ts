import { firstOf, itemAt, lastOf } from '../../../catalogue/items/items.ts';
import type { Phrase, Sentence } from './sentence.ts';
import { span } from './sentence.ts';

/** Phrases that are denied together: insights that fulfil all of them are left out. */
export interface Denied {
  readonly phrases: readonly Phrase[];
  /** The words that deny. */
  readonly marker: readonly number[];
}

interface Marker {
  readonly kind: 'not' | 'except';
  readonly tokens: readonly number[];
}

/**
 * Finds the denied phrases of a query. "Not" denies the next phrase, "except" that phrase together with its place. Both
 * continue over "and", "or" and commas while phrases of the same kind follow. Denials without a phrase are left unused.
 */
export function readScopes(sentence: Sentence): Denied[] {
  const denied: Denied[] = [];
  const done = new Set<Phrase>();
  for (let at = 0; at < sentence.tokens.length; at += 1) {
    const notDenied = sentence.free('notDenied', at);
    if (notDenied) {
      sentence.claimMarker(span(at, notDenied.length));
      continue;
    }
    const marker = markerAt(sentence, at);
    if (!marker) continue;
    const groups = [...deniedAfter(sentence, marker, done)];
    const found = groups.length > 0 ? groups : deniedBefore(sentence, at, done);
    // In "neither … nor" the second phrase is denied already.
    const next = phraseAfter(sentence, lastOf(marker.tokens) + 1);
    if (found.length > 0 || (next && done.has(next))) sentence.claimMarker(marker.tokens);
    else sentence.leave(marker.tokens);
    for (const [n, phrases] of found.entries()) {
      for (const phrase of phrases) done.add(phrase);
      denied.push({ phrases, marker: n === 0 ? marker.tokens : [] });
    }
  }
  return denied;
}

function markerAt(sentence: Sentence, at: number): Marker | null {
  const except = sentence.free('except', at);
  const not = sentence.free('not', at) ?? sentence.free('nobody', at);
  if (except && except.length >= (not?.length ?? 0))
    return { kind: 'except', tokens: span(at, except.length) };
  if (not) return { kind: 'not', tokens: span(at, not.length) };
  const excluded = sentence.free('excluded', at);
  return excluded ? { kind: 'not', tokens: span(at, excluded.length) } : null;
}

function* deniedAfter(sentence: Sentence, marker: Marker, done: ReadonlySet<Phrase>): Generator<Phrase[]> {
  const first = phraseAfter(sentence, lastOf(marker.tokens) + 1);
  if (!first || done.has(first)) return;
  let group = [first];
  if (marker.kind === 'except') group = withPlace(sentence, first);
  yield group;
  for (;;) {
    const last = lastOf(group);
    const joined = joinedAfter(sentence, endOf(sentence, last));
    if (!joined || done.has(joined.phrase) || group.includes(joined.phrase)) return;
    const isSameKind = joined.phrase.filter.kind === firstOf(group).filter.kind;
    if (!isSameKind && joined.by !== 'or' && marker.kind !== 'except') return;
    if (!isSameKind && joined.by === 'comma') return;
    if (sentence.senseAt('only', endOf(sentence, joined.phrase))) return;
    group = marker.kind === 'except' ? withPlace(sentence, joined.phrase) : [joined.phrase];
    yield group;
  }
}

/** "Critical alerts at till 3": the filter and its place. */
function withPlace(sentence: Sentence, first: Phrase): Phrase[] {
  const group = [first];
  while (lastOf(group).filter.kind !== 'place') {
    const next = phraseAfter(sentence, endOf(sentence, lastOf(group)));
    if (!next || group.includes(next) || next.filter.kind === 'dates' || next.filter.kind === 'quantity')
      break;
    group.push(next);
  }
  return group;
}

/** The token after the first run of a phrase. */
function endOf(sentence: Sentence, phrase: Phrase): number {
  let end = firstOf(phrase.tokens);
  while (sentence.ownerOf(end) === phrase) end += 1;
  return end;
}

/** The phrase that begins at a token or after function words. */
function phraseAfter(sentence: Sentence, from: number): Phrase | null {
  let at = from;
  while (sentence.isFree(at) && isSkipped(sentence, at)) at += 1;
  return sentence.ownerOf(at) ?? null;
}

const isSkipped = (sentence: Sentence, at: number): boolean =>
  (sentence.isFiller(at) && !isJoin(sentence, at)) ||
  sentence.senseAt('people', at) !== undefined ||
  sentence.senseAt('at', at) !== undefined ||
  sentence.senseAt('article', at) !== undefined ||
  /^["“”„«»(:]$/.test(itemAt(sentence.tokens, at).plain);

const isJoin = (sentence: Sentence, at: number): boolean =>
  itemAt(sentence.tokens, at).plain.length > 1 &&
  (sentence.senseAt('and', at) ?? sentence.senseAt('or', at)) !== undefined;

function joinedAfter(
  sentence: Sentence,
  from: number,
): { phrase: Phrase; by: 'and' | 'or' | 'comma' } | null {
  let at = from;
  while (
    sentence.isFree(at) &&
    sentence.isFiller(at) &&
    !sentence.senseAt('and', at) &&
    !sentence.senseAt('or', at)
  )
    at += 1;
  let by: 'and' | 'or' | 'comma' | null = null;
  for (;;) {
    const isComma = sentence.tokens[at]?.plain === ',';
    const and = isComma ? undefined : sentence.free('and', at);
    const or = sentence.free('or', at);
    const joined = and ?? or;
    if (!isComma && !joined) break;
    by = or ? 'or' : and ? 'and' : (by ?? 'comma');
    at += joined?.length ?? 1;
  }
  const phrase = by && phraseAfter(sentence, at);
  return by && phrase ? { phrase, by } : null;
}

/** "Till 3 excluded". */
function deniedBefore(sentence: Sentence, at: number, done: ReadonlySet<Phrase>): Phrase[][] {
  if (!sentence.senseAt('excluded', at)) return [];
  let last = at - 1;
  while (sentence.isFree(last) && sentence.isFiller(last)) last -= 1;
  const phrase = sentence.ownerOf(last);
  return phrase && !done.has(phrase) ? [[phrase]] : [];
}
