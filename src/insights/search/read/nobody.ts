import { itemAt } from '../../../catalogue/items/items.ts';
import type { Concept } from '../lexicon/concepts.ts';
import { type Sentence, span } from './sentence.ts';

const REACH = 7;
const NO_QUEUE = { kind: 'quantity', measure: 'queueLength', bounds: { atMost: 0 } } as const;
const NO_PEOPLE = { kind: 'quantity', measure: 'persons', bounds: { atMost: 0 } } as const;

/** Claims "nobody is waiting", "no queue", "an empty queue" and "nobody". */
export function readNobody(sentence: Sentence): void {
  for (let at = 0; at < sentence.tokens.length; at += 1) {
    const nobody = sentence.free('nobody', at);
    if (nobody) readAfterNobody(sentence, at, nobody.length);
    else readNoQueue(sentence, at);
  }
}

function readAfterNobody(sentence: Sentence, at: number, length: number): void {
  const last = sentence.tokens.length - 1;
  // "Gestern stand niemand an."
  if (at + length === last && itemAt(sentence.tokens, last).plain === 'an') {
    sentence.claim(span(at, length + 1), NO_QUEUE);
    return;
  }
  for (let next = at + length; next < at + length + REACH; next += 1) {
    if (['place', 'dates'].includes(sentence.ownerOf(next)?.filter.kind ?? '')) continue;
    if (!sentence.isFree(next)) break;
    const subject = sentence.free<string>('subject', next);
    if (subject && subject.value !== 'service') {
      const tokens = span(at, next + subject.length - at).filter((token) => sentence.isFree(token));
      sentence.claim(tokens, NO_QUEUE);
      return;
    }
    if (/^(?:steht|stehen|stand|standen)$/.test(itemAt(sentence.tokens, next).plain)) {
      const particle = sentence.tokens.findIndex(({ plain }, token) => token > next && plain === 'an');
      if (particle === sentence.tokens.length - 1) {
        sentence.claim([...span(at, next + 1 - at), particle], NO_QUEUE);
        return;
      }
    }
    const concept = sentence.free<Concept>('concept', next)?.value;
    // "Nobody at the door" means no people; "nobody running" denies running, which `scopes.ts` reads.
    if (concept && concept.role !== 'place') return;
    const isLittle = sentence.isFiller(next) || sentence.senseAt('not', next) || sentence.senseAt('at', next);
    if (!isLittle) break;
  }
  const before = sentence.before<string>('subject', at);
  if (before && before.value !== 'service' && sentence.areFree(at - before.length, before.length))
    sentence.claim(span(at - before.length, before.length + length), NO_QUEUE);
  else sentence.claim(span(at, length), NO_PEOPLE);
}

function readNoQueue(sentence: Sentence, at: number): void {
  const none = sentence.free('noneOf', at);
  if (none) {
    let next = at + none.length;
    while (sentence.isFree(next) && (sentence.isFiller(next) || sentence.senseAt('people', next))) {
      if (sentence.senseAt('subject', next) || sentence.senseAt('alert', next)) break;
      next += 1;
    }
    const subject = sentence.free<string>('subject', next);
    if (!subject || subject.value === 'service' || sentence.senseAt('alert', next + subject.length)) return;
    sentence.claim(span(at, next + subject.length - at), NO_QUEUE);
    return;
  }
  if (sentence.free('empty', at)) readEmpty(sentence, at);
}

/** "An empty queue", "when was the queue empty". */
function readEmpty(sentence: Sentence, at: number): void {
  for (const step of [1, -1]) {
    for (let beside = at + step; Math.abs(beside - at) <= REACH; beside += step) {
      const token = sentence.tokens[beside];
      if (!token || token.kind === 'mark' || sentence.senseAt('and', beside)) break;
      const subject = sentence.free<string>('subject', beside);
      if (subject?.value !== 'queue') continue;
      sentence.claim([...new Set([...span(beside, subject.length), at])], NO_QUEUE);
      return;
    }
  }
}
