import type { Concept } from '../lexicon.ts';
import { STAND } from './quantities.ts';
import { type Sentence, span } from './sentence.ts';

const REACH = 7;
const NO_QUEUE = { kind: 'quantity', measure: 'queueLength', bounds: { atMost: 0 } } as const;
const NO_PEOPLE = { kind: 'quantity', measure: 'persons', bounds: { atMost: 0 } } as const;

/** Claims "nobody is waiting", "no queue", "an empty queue" and "nobody". */
export function readNobody(sentence: Sentence): void {
  for (let at = 0; at < sentence.tokens.length; at += 1) {
    const nobody = sentence.free('nobody', at);
    if (nobody) readAfterNobody(sentence, at, nobody.length);
    else if (sentence.free('noneOf', at)) readNoQueue(sentence, at);
    else if (sentence.free('empty', at)) readEmpty(sentence, at);
  }
}

/** A word for a queue or a wait. */
function queueAt(sentence: Sentence, at: number): number {
  const subject = sentence.free<string>('subject', at);
  return subject && subject.value !== 'service' ? subject.length : 0;
}

function readAfterNobody(sentence: Sentence, at: number, length: number): void {
  const last = sentence.tokens.length - 1;
  const claim = (end: number, ...more: number[]) =>
    sentence.claim([...span(at, end - at).filter(sentence.isFree), ...more], NO_QUEUE);
  // "Gestern stand niemand an."
  if (at + length === last && sentence.tokens[last]!.plain === 'an') {
    claim(last + 1);
    return;
  }
  for (let next = at + length; next < at + length + REACH; next += 1) {
    if (['place', 'dates'].includes(sentence.ownerOf(next)?.filter.kind ?? '')) continue;
    if (!sentence.isFree(next)) break;
    const queue = queueAt(sentence, next);
    if (queue) {
      claim(next + queue);
      return;
    }
    if (STAND.test(sentence.tokens[next]!.plain) && sentence.tokens[last]!.plain === 'an' && next < last) {
      claim(next + 1, last);
      return;
    }
    const concept = sentence.free<Concept>('concept', next)?.value;
    // "Nobody at the door" means no people; "nobody running" denies running.
    if (concept && concept.role !== 'place') return;
    if (!sentence.isFiller(next) && !sentence.senseAt('not', next) && !sentence.senseAt('at', next)) break;
  }
  const before = sentence.before<string>('subject', at);
  if (before && queueAt(sentence, at - before.length))
    sentence.claim(span(at - before.length, before.length + length), NO_QUEUE);
  else sentence.claim(span(at, length), NO_PEOPLE);
}

function readNoQueue(sentence: Sentence, at: number): void {
  let next = at + sentence.free('noneOf', at)!.length;
  while (sentence.isFree(next) && (sentence.isFiller(next) || sentence.senseAt('people', next))) {
    if (sentence.senseAt('subject', next) || sentence.senseAt('alert', next)) break;
    next += 1;
  }
  const queue = queueAt(sentence, next);
  if (queue && !sentence.senseAt('alert', next + queue))
    sentence.claim(span(at, next + queue - at), NO_QUEUE);
}

/** "An empty queue", "when was the queue empty". */
function readEmpty(sentence: Sentence, at: number): void {
  for (const step of [1, -1]) {
    for (let beside = at + step; Math.abs(beside - at) <= REACH; beside += step) {
      const token = sentence.tokens[beside];
      if (!token || token.kind === 'mark' || sentence.senseAt('and', beside)) break;
      const subject = sentence.free<string>('subject', beside);
      if (subject?.value !== 'queue') continue;
      sentence.claim([...span(beside, subject.length), at], NO_QUEUE);
      return;
    }
  }
}
