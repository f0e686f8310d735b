import { type Bounds, type Measure, opposite } from '../filters.ts';
import type { Concept, Sense } from '../lexicon.ts';
import { type Match, pattern, type Reader, rulesOf, type Values, when } from './pattern.ts';
import { type Sentence, span } from './sentence.ts';

/** What a word beside a number says that it measures. */
type Subject = 'wait' | 'service' | 'queue' | 'queueSize';
type Operator = 'GT' | 'GTE' | 'LT' | 'LTE' | 'EQ';
type Unit = 'people' | 'duration' | null;

/** A number with its unit; durations are in seconds. */
interface Amount {
  readonly value: number;
  readonly unit: Unit;
  /** Seconds of the unit. */
  readonly factor: number;
}

/** Numbers and their comparison, before it is known what they measure. */
interface Compared {
  readonly bounds: Bounds;
  readonly unit: Unit;
  /** "Longer than": compares a queue length or a time, never a number of people. */
  readonly ofLength?: boolean;
}
type Read = (sentence: Sentence, at: number, match: Match) => Compared | null;

/** The greatest distance in tokens between a number, or nobody, and the thing that it counts. */
const REACH = 6;
const BOUND: Record<Operator, (value: number) => Bounds> = {
  GT: (value) => ({ moreThan: value }),
  GTE: (value) => ({ atLeast: value }),
  LT: (value) => ({ lessThan: value }),
  LTE: (value) => ({ atMost: value }),
  EQ: (value) => ({ atLeast: value, atMost: value }),
};
export const MEASURED: Readonly<Record<Subject, Measure>> = {
  wait: 'waitSeconds',
  service: 'serviceSeconds',
  queue: 'queueLength',
  queueSize: 'queueLength',
};

const unit: Reader = (sentence, at) => {
  const people = sentence.free('people', at) ?? sentence.free('waiters', at);
  if (people) return { value: { unit: 'people', factor: 1 }, length: people.length };
  const seconds = sentence.free<number>('seconds', at);
  return seconds && { value: { unit: 'duration', factor: seconds.value }, length: seconds.length };
};
const filler = when((sentence, at) => sentence.isFiller(at));
/** "An hour": a unit alone that is no single letter. */
const unitAlone: Reader = (sentence, at) =>
  sentence.plainAt(at).length >= 3 ? sentence.free('seconds', at) : undefined;

const AMOUNTS = [
  'duration:whole',
  'number unit more:number smaller:seconds',
  'number unit',
  // In "5 waiting customers" the word in between is a keyword.
  'number concept|filler people',
  'number',
  'article? duration:unitAlone',
].map((source) => pattern(source, { unit, filler, unitAlone }));

const amount: Reader = (sentence, at): Sense<Amount> | undefined => {
  for (const read of AMOUNTS) {
    const match = read(sentence, at);
    if (!match) continue;
    const { duration, number, unit: said, people, more, smaller } = match.values;
    if (more !== undefined && smaller >= said.factor) continue;
    const of = said ?? { unit: duration ? 'duration' : people ? 'people' : null, factor: 1 };
    const value = duration ?? number * of.factor + (more ?? 0) * (smaller ?? 0);
    return { value: { ...of, value }, length: match.end - at };
  }
  return undefined;
};

const compared: Read = (sentence, at, { values, end }) => {
  const [operator, of] = (values.compare as string).split(' ') as [Operator, string?];
  const { value, unit: said, factor } = values.amount as Amount;
  const isHour = of === 'time' && (said === null || factor === 3600);
  if (isHour || isTime(sentence, at + (values.not ? 1 : 0), end)) return null;
  const bounds = values.not ? opposite(BOUND[operator](value)) : BOUND[operator](value);
  return bounds && { bounds, unit: said, ofLength: of === 'length' };
};

const between: Read = (sentence, at, { values }) => {
  const { number, unit: said, amount: high } = values as Values & { amount: Amount };
  // Hours may be a time of day, which the reader of dates claims.
  if (high.factor === 3600) return null;
  // Without a unit only a queue or people before it make it a number of people.
  const isQueue = values.between && /^queue/.test(sentence.before<string>('subject', at)?.value ?? '');
  if (high.unit === null && !isQueue && !isAfterPeople(sentence, at)) return null;
  const factor = high.unit === 'duration' ? (said?.factor ?? high.factor) : 1;
  return { bounds: { atLeast: number * factor, atMost: high.value }, unit: high.unit };
};

/** "More than 2 and fewer than 6 people": the unit stands once. */
const double: Read = (sentence, at, match) => {
  const second = compared(sentence, at, match);
  const operator = (match.values.first as string).split(' ')[0] as Operator;
  const low = match.values.number * (match.values.amount as Amount).factor;
  return second && { ...second, bounds: { ...BOUND[operator](low), ...second.bounds } };
};

const orMore: Read = (sentence, at, { values: { orMore: operator, number, amount: said, unit: of } }) => {
  if (isTime(sentence, at, at + 1)) return null;
  const value = said?.value ?? number * (of?.factor ?? 1);
  return { bounds: BOUND[operator as Operator](value), unit: (said ?? of)?.unit ?? null };
};

/** "3 people", "a group of six", "a wait of 10 minutes" mean at least so many. */
const bare: Read = (sentence, at, { values, end }) => {
  const { group, amount: said } = values as Values & { amount: Amount };
  const start = at + ((group && sentence.senseAt('group', at)?.length) ?? 0);
  // The "one" of "no one" is no number.
  if ((sentence.senseAt('nobody', at - 1)?.length ?? 1) > 1) return null;
  if (!sentence.numberAt(start) || isTime(sentence, start, end)) return null;
  if (said.unit === 'duration' && !group && !subjectBeside(sentence, at, end)) return null;
  const isPeople = group || (said.unit === null && isCounted(sentence, at, end));
  return { bounds: { atLeast: said.value }, unit: isPeople ? 'people' : said.unit };
};

const each = rulesOf<Read>({ unit, filler, amount });
const COMPARED = [
  ...each(between, 'between? number unit? to amount'),
  ...each(double, 'first:compare number and|but compare amount'),
  ...each(compared, 'not? compare filler? amount'),
  ...each(orMore, 'number orMore unit?', 'amount orMore'),
];
const WITH_BARE = [...COMPARED, ...each(bare, 'group? amount')];

/**
 * Claims numbers with their units, before dates, which contain numbers too; then those without, such as "longer than 5",
 * where only the words beside it tell what is measured. What cannot be read is left unused.
 */
export function readQuantities(sentence: Sentence, { withUnits }: { withUnits: boolean }): void {
  for (const at of sentence.tokens.keys()) {
    for (const [read, meaning] of withUnits ? WITH_BARE : COMPARED) {
      const match = read(sentence, at);
      const found = match && meaning(sentence, at, match);
      if (!found) continue;
      if (found.unit || !withUnits) claimQuantity(sentence, found, at, match.end);
      break;
    }
  }
}

const IN_QUEUE = pattern("'in|'the|'a|'der|'einer 'in|'the|'a|'der|'einer? subject");
/** "A queue of 6", "six in the queue": a number without a unit directly beside a queue. */
function isCounted(sentence: Sentence, at: number, end: number): boolean {
  if (sentence.before('compare', at) || sentence.free('orMore', end)) return false;
  const before = sentence.is(at - 1, 'countOf') && sentence.before<Subject>('subject', at - 1)?.value;
  return (before || IN_QUEUE(sentence, end)?.values.subject) === 'queue';
}

/** "Last 30 minutes" and "2 hours ago" are dates. */
const isTime = (sentence: Sentence, from: number, end: number): boolean =>
  sentence.before('past', from) !== undefined ||
  sentence.before('agoBefore', from) !== undefined ||
  sentence.is(end - 1, 'past') ||
  sentence.is(end, 'ago');

/** The word beside a number that tells what it measures: "queue", "waiting". */
function subjectBeside(
  sentence: Sentence,
  from: number,
  end: number,
): { subject: Subject; tokens: number[] } | null {
  for (const step of [-1, 1]) {
    let steps = 0;
    for (let at = step < 0 ? from - 1 : end; sentence.tokens[at] && steps < REACH; at += step) {
      if (isPassed(sentence, at)) continue;
      // What follows these words is another condition.
      const isEnd = sentence.tokens[at]?.kind === 'mark' || sentence.is(at, 'and', 'but', 'not', 'except');
      if (!sentence.isFree(at) || isEnd) break;
      const found =
        step < 0 ? sentence.before<Subject>('subject', at + 1) : sentence.free<Subject>('subject', at);
      const tokens = found ? span(step < 0 ? at + 1 - found.length : at, found.length) : [];
      if (found && tokens.every(sentence.isFree)) return { subject: found.value, tokens };
      if (step > 0 && sentence.is(at, 'compare')) break;
      steps += 1;
    }
  }
  return null;
}

/** Places and times stand between a number and its queue: "5 people at till 3 today in the queue"; also "queue: 5", "am 5. März". */
const isPassed = (sentence: Sentence, at: number): boolean =>
  sentence.isIn(at, 'place', 'dates') ||
  sentence.plainAt(at) === ':' ||
  (sentence.plainAt(at) === '.' && sentence.tokens[at - 1]?.kind === 'number');

/** "People at the door: 10 to 20". */
function isAfterPeople(sentence: Sentence, from: number): boolean {
  let at = from - 1;
  while (at > 0 && (isPassed(sentence, at) || sentence.isFiller(at))) at -= 1;
  return (
    span(at, from - at).some((token) => sentence.plainAt(token) === ':') && !!sentence.free('people', at)
  );
}

function claimQuantity(sentence: Sentence, said: Compared, from: number, end: number): void {
  const own = span(from, end - from).filter(sentence.isFree);
  const inside = own.map((token) => sentence.senseAt<Subject>('subject', token)).find(Boolean);
  const beside = inside ? null : subjectBeside(sentence, from, end);
  const stands = !inside && !beside && standsAround(sentence, from, end);
  const subject = inside?.value ?? beside?.subject ?? (stands ? 'queue' : undefined);
  const of = !said.unit && isAfterPeople(sentence, from) ? 'people' : said.unit;
  const measured = measureOf(sentence, { ...said, unit: of }, subject, end);
  if (!measured) {
    sentence.take(own, 'unused');
    return;
  }
  const [measure, factor] = measured;
  const bounds = Object.entries(said.bounds).map(([name, value]) => [name, (value as number) * factor]);
  const tokens = [...(measure === 'persons' ? [] : (beside?.tokens ?? [])), ...own];
  sentence.claim(tokens, { kind: 'quantity', measure, bounds: Object.fromEntries(bounds) });
}

const STAND = /^(?:stehe?n|steht|standen|stand)$/;
/** "Standen mehr als 5 Leute an?": the two parts of the German verb stand around the number. */
function standsAround({ tokens, language, plainAt }: Sentence, from: number, end: number): boolean {
  const verb = tokens.findIndex(({ plain }, at) => at < from + REACH && STAND.test(plain));
  const isLast = (at: number) => (tokens[at + 1]?.kind ?? 'mark') === 'mark';
  const particle = [...tokens.keys()].find((at) => plainAt(at) === 'an' && at >= end && isLast(at));
  return language === 'de' && verb >= 0 && particle !== undefined && particle > verb;
}

/** People who stand in a queue or wait are its length: "more than 5 people waiting". */
function measureOf(
  sentence: Sentence,
  { unit: of, ofLength }: Compared,
  subject: Subject | undefined,
  end: number,
): [measure: Measure, factor: number] | null {
  if (of === 'duration') return [subject === 'service' ? 'serviceSeconds' : 'waitSeconds', 1];
  const isLength = ofLength || subject === 'queueSize';
  const isQueue = subject === 'queue' || subject === 'wait' || isLength;
  if (of === 'people') return [isQueue ? 'queueLength' : 'persons', 1];
  if (isLength && (subject === 'wait' || subject === 'service')) return [MEASURED[subject], 60];
  // "More than 5 trolleys in line" counts trolleys.
  const isFollowed = sentence.isFree(end) && sentence.tokens[end]?.kind !== 'mark';
  const isTold = sentence.isFiller(end) || sentence.is(end, 'subject');
  return isQueue && (!isFollowed || (isTold && !sentence.is(end, 'alert'))) ? ['queueLength', 1] : null;
}

/** Nobody, of which measure, and the words that say it. */
interface None {
  readonly measure: Measure;
  readonly tokens: readonly number[];
}
const none = (tokens: readonly number[], measure: Measure = 'queueLength'): None => ({ measure, tokens });

/** Claims "nobody is waiting", "no queue", "an empty queue" and "nobody". */
export function readNobody(sentence: Sentence): void {
  for (const at of sentence.tokens.keys()) {
    const found = afterNobody(sentence, at) ?? noQueue(sentence, at) ?? besideEmpty(sentence, at);
    if (!found) continue;
    const { measure, tokens } = found;
    sentence.claim(tokens.filter(sentence.isFree), { kind: 'quantity', measure, bounds: { atMost: 0 } });
  }
}

/** The length of a word for a queue or a wait. */
function queueAt(sentence: Sentence, at: number): number {
  const subject = sentence.free<Subject>('subject', at);
  return subject && subject.value !== 'service' ? subject.length : 0;
}

function afterNobody(sentence: Sentence, at: number): None | null {
  const nobody = sentence.free('nobody', at);
  if (!nobody) return null;
  const end = at + nobody.length;
  const last = sentence.tokens.length - 1;
  const isApart = sentence.plainAt(last) === 'an';
  // "Gestern stand niemand an."
  if (end === last && isApart) return none(span(at, last + 1 - at));
  for (let next = end; next <= end + REACH; next += 1) {
    if (sentence.isIn(next, 'place', 'dates')) continue;
    if (!sentence.isFree(next)) break;
    const queue = queueAt(sentence, next);
    if (queue) return none(span(at, next + queue - at));
    if (STAND.test(sentence.plainAt(next)) && isApart && next < last)
      return none([...span(at, next + 1 - at), last]);
    // "Nobody at the door" means no people; "nobody running" denies running.
    const concept = sentence.free<Concept>('concept', next)?.value;
    if (concept && concept.role !== 'place') return null;
    if (!sentence.isFiller(next) && !sentence.is(next, 'not', 'at')) break;
  }
  const before = at - (sentence.before('subject', at)?.length ?? 0);
  const isQueue = before < at && queueAt(sentence, before) > 0;
  return isQueue ? none(span(before, end - before)) : none(span(at, end - at), 'persons');
}

const NO_QUEUE = pattern('noneOf skipped* queue', {
  skipped: when(
    (sentence, at) =>
      (sentence.isFiller(at) || sentence.is(at, 'people')) && !sentence.is(at, 'subject', 'alert'),
  ),
  queue: (sentence, at) => (queueAt(sentence, at) ? sentence.free('subject', at) : undefined),
});
function noQueue(sentence: Sentence, at: number): None | null {
  const match = sentence.free('nobody', at) ? null : NO_QUEUE(sentence, at);
  return match && !sentence.is(match.end, 'alert') ? none(span(at, match.end - at)) : null;
}

/** "An empty queue", "when was the queue empty". */
function besideEmpty(sentence: Sentence, at: number): None | null {
  if (!sentence.free('empty', at)) return null;
  for (const step of [1, -1]) {
    for (let beside = at + step; Math.abs(beside - at) <= REACH + 1; beside += step) {
      const token = sentence.tokens[beside];
      if (!token || token.kind === 'mark' || sentence.is(beside, 'and')) break;
      const subject = sentence.free<Subject>('subject', beside);
      if (subject?.value === 'queue') return none([...span(beside, subject.length), at]);
    }
  }
  return null;
}
