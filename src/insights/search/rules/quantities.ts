import { type Bounds, type Measure, opposite } from '../filters.ts';
import type { Sense } from '../lexicon.ts';
import { numberAt } from './numbers.ts';
import { type Match, Pattern, type Reader, type Values } from './pattern.ts';
import { type Sentence, span } from './sentence.ts';

/** What a word beside a number says that it measures. */
export type Subject = 'wait' | 'service' | 'queue' | 'queueSize';
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
  readonly from: number;
  /** The next token after the number. */
  readonly end: number;
  readonly bounds: Bounds;
  readonly unit: Unit;
  /** "Longer than": compares a queue length or a time, never a number of people. */
  readonly ofLength?: boolean;
}

const BOUND: Record<Operator, (value: number) => Bounds> = {
  GT: (value) => ({ moreThan: value }),
  GTE: (value) => ({ atLeast: value }),
  LT: (value) => ({ lessThan: value }),
  LTE: (value) => ({ atMost: value }),
  EQ: (value) => ({ atLeast: value, atMost: value }),
};
/** The greatest distance in tokens between a number and the thing that it counts. */
const REACH = 6;

const unit = (sentence: Sentence, at: number): Sense<Amount> | undefined => {
  const people = sentence.free('people', at) ?? sentence.free('waiters', at);
  if (people) return { value: { value: 1, unit: 'people', factor: 1 }, length: people.length };
  const seconds = sentence.free<number>('seconds', at);
  return seconds && { value: { value: 1, unit: 'duration', factor: seconds.value }, length: seconds.length };
};
const filler: Reader = (sentence, at) => (sentence.isFiller(at) ? { value: true, length: 1 } : undefined);
/** "An hour": a unit alone that is no single letter. */
const unitAlone: Reader = (sentence, at) =>
  (sentence.tokens[at]?.plain.length ?? 0) >= 3 ? sentence.free('seconds', at) : undefined;

const AMOUNTS = [
  'whole',
  'number unit more:number smaller:seconds',
  'number unit',
  // In "5 waiting customers" the word in between is a keyword.
  'number concept|filler unit:people',
  'number',
  'article? alone:unitAlone',
].map((source) => new Pattern(source, { number: numberAt, unit, filler, unitAlone }));

function amount(sentence: Sentence, at: number): Sense<Amount> | undefined {
  for (const pattern of AMOUNTS) {
    const match = pattern.at(sentence, at);
    if (!match) continue;
    const { whole, number, unit: said, more, smaller, alone } = match.values;
    const found = (value: number, of: Unit, factor = 1) => ({
      value: { value, unit: of, factor },
      length: match.end - at,
    });
    if (whole) return found(whole, 'duration');
    if (alone) return found(alone, 'duration');
    if (said === undefined) return found(number, null);
    if (said === true) return found(number, 'people');
    if (more === undefined) return found(number * said.factor, said.unit, said.factor);
    if (smaller < said.factor) return found(number * said.factor + more * smaller, said.unit, said.factor);
  }
  return undefined;
}

type Read = (sentence: Sentence, at: number, match: Match) => Omit<Compared, 'from' | 'end'> | null;
const rule = (source: string, read: Read) =>
  [new Pattern(source, { number: numberAt, unit, filler, amount }), read] as const;

const compared: Read = (sentence, at, { values, end }) => {
  const [operator, of] = (values.compare as string).split(' ') as [Operator, string?];
  const { value, unit: said, factor } = values.amount as Amount;
  const first = at + (values.not ? 1 : 0);
  if (isTime(sentence, first, end) || (of === 'time' && (said === null || factor === 3600))) return null;
  const bounds = values.not ? opposite(BOUND[operator](value)) : BOUND[operator](value);
  return bounds && { bounds, unit: said, ofLength: of === 'length' };
};

const between: Read = (sentence, at, { values }) => {
  const { number, unit: said, amount: high } = values as Values & { amount: Amount };
  // Hours may be a time of day, which the reader of dates claims.
  if (high.factor === 3600) return null;
  // Without a unit only a queue or people before it make it a number of people.
  const isQueue = /^queue/.test(sentence.before<string>('subject', at)?.value ?? '');
  if (high.unit === null && !(values.between && isQueue) && !isAfterPeople(sentence, at)) return null;
  const factor = high.unit === 'duration' ? (said?.factor ?? high.factor) : 1;
  return { bounds: { atLeast: number * factor, atMost: high.value }, unit: high.unit };
};

/** "More than 2 and fewer than 6 people": the unit stands once. */
const double: Read = (sentence, at, match) => {
  const second = compared(sentence, at, match);
  const [operator] = (match.values.first as string).split(' ') as [Operator];
  const low = match.values.number * (match.values.amount as Amount).factor;
  return second && { ...second, bounds: { ...BOUND[operator](low), ...second.bounds } };
};

const orMore: Read = (sentence, at, { values: { orMore: operator, number, amount: said, unit: of } }) => {
  if (isTime(sentence, at, at + 1)) return null;
  const value = said?.value ?? number * (of?.factor ?? 1);
  return { bounds: BOUND[operator as Operator](value), unit: said ? said.unit : (of?.unit ?? null) };
};

/** "3 people", "a group of six", "a wait of 10 minutes" mean at least so many. */
const bare: Read = (sentence, at, { values, end }) => {
  const { group, amount: said } = values as Values & { amount: Amount };
  const start = group ? at + sentence.senseAt('group', at)!.length : at;
  // The "one" of "no one" is no number.
  if ((sentence.senseAt('nobody', at - 1)?.length ?? 1) > 1) return null;
  if (!numberAt(sentence, start) || isTime(sentence, start, end)) return null;
  const isPeople = group || (said.unit === null && isCounted(sentence, at, end));
  const found = { bounds: { atLeast: said.value }, unit: isPeople ? ('people' as const) : said.unit };
  return found.unit === 'duration' && !subjectBeside(sentence, at, end) ? null : found;
};

const COMPARED = [
  rule('between? number unit? to amount', between),
  rule('first:compare number and|but compare amount', double),
  rule('not? compare filler? amount', compared),
  rule('number orMore unit?', orMore),
  rule('amount orMore', orMore),
];
const BARE = rule('group? amount', bare);

/** Claims numbers of people and durations with their units. It runs before dates, which contain numbers too. */
export const readQuantitiesWithUnits = (sentence: Sentence): void =>
  readQuantities(sentence, [...COMPARED, BARE], true);

/** Claims "longer than 5", where only the words beside it tell what is measured. What cannot be read is left unused. */
export const readQuantitiesWithoutUnits = (sentence: Sentence): void =>
  readQuantities(sentence, COMPARED, false);

function readQuantities(sentence: Sentence, rules: readonly (typeof BARE)[], isUnitNeeded: boolean): void {
  for (let at = 0; at < sentence.tokens.length; at += 1) {
    for (const [pattern, read] of rules) {
      const match = sentence.isFree(at) ? pattern.at(sentence, at) : null;
      const found = match && read(sentence, at, match);
      if (!found) continue;
      if (found.unit || !isUnitNeeded) claimQuantity(sentence, { ...found, from: at, end: match.end });
      break;
    }
  }
}

/** "A queue of 6", "six in the queue": a number without a unit directly beside a queue. */
function isCounted(sentence: Sentence, at: number, end: number): boolean {
  if (sentence.before('compare', at) || sentence.free('orMore', end)) return false;
  const isQueue = (sense: Sense | undefined) => sense?.value === 'queue';
  if (sentence.senseAt('countOf', at - 1) && isQueue(sentence.before('subject', at - 1))) return true;
  let next = end;
  while (
    next < end + 2 &&
    sentence.isFree(next) &&
    /^(?:in|the|a|der|einer)$/.test(sentence.tokens[next]!.plain)
  )
    next += 1;
  return next > end && isQueue(sentence.free('subject', next));
}

/** "Last 30 minutes" and "2 hours ago" are dates. */
const isTime = (sentence: Sentence, from: number, end: number): boolean =>
  !!(
    sentence.before('past', from) ??
    sentence.before('agoBefore', from) ??
    sentence.senseAt('past', end - 1) ??
    sentence.senseAt('ago', end)
  );

interface Beside {
  readonly subject: Subject;
  readonly tokens: readonly number[];
}

/** The word beside a number that tells what it measures: "queue", "waiting". */
function subjectBeside(sentence: Sentence, from: number, end: number): Beside | null {
  for (const step of [-1, 1]) {
    let steps = 0;
    for (let at = step < 0 ? from - 1 : end; sentence.tokens[at] && steps < REACH; at += step) {
      if (isPassed(sentence, at)) continue;
      if (!sentence.isFree(at) || endsReach(sentence, at)) break;
      const found =
        step < 0 ? sentence.before<Subject>('subject', at + 1) : sentence.free<Subject>('subject', at);
      const tokens = found ? span(step < 0 ? at + 1 - found.length : at, found.length) : [];
      if (found && tokens.every(sentence.isFree)) return { subject: found.value, tokens };
      if (step > 0 && sentence.senseAt('compare', at)) break;
      steps += 1;
    }
  }
  return null;
}

/** Places and times stand between a number and its queue: "5 people at till 3 today in the queue"; also "queue: 5", "am 5. März". */
const isPassed = (sentence: Sentence, at: number): boolean =>
  ['place', 'dates'].includes(sentence.ownerOf(at)?.filter.kind ?? '') ||
  sentence.tokens[at]?.plain === ':' ||
  (sentence.tokens[at]?.plain === '.' && sentence.tokens[at - 1]?.kind === 'number');

/** "People at the door: 10 to 20". */
function isAfterPeople(sentence: Sentence, from: number): boolean {
  let at = from - 1;
  while (at > 0 && (isPassed(sentence, at) || sentence.isFiller(at))) at -= 1;
  return sentence.tokens.slice(at, from).some(({ plain }) => plain === ':') && !!sentence.free('people', at);
}

/** What follows these words is another condition. */
const endsReach = (sentence: Sentence, at: number): boolean =>
  sentence.tokens[at]!.kind === 'mark' ||
  ['and', 'but', 'not', 'except'].some((kind) => sentence.senseAt(kind, at) !== undefined);

function claimQuantity(sentence: Sentence, said: Compared): void {
  const { from, end } = said;
  const of = !said.unit && isAfterPeople(sentence, from) ? 'people' : said.unit;
  const own = span(from, end - from).filter(sentence.isFree);
  const inside = own.map((token) => sentence.senseAt<Subject>('subject', token)).find(Boolean);
  const beside = inside
    ? { subject: inside.value, tokens: [] }
    : (subjectBeside(sentence, from, end) ?? standing(sentence, from, end));
  const measured = measureOf(sentence, { ...said, unit: of }, beside?.subject);
  if (!measured) {
    sentence.take(own, 'unused');
    return;
  }
  const [measure, factor] = measured;
  const bounds = Object.entries(said.bounds).map(([name, value]) => [name, (value as number) * factor]);
  const subject = measure === 'persons' ? [] : (beside?.tokens ?? []);
  sentence.claim([...subject, ...own], { kind: 'quantity', measure, bounds: Object.fromEntries(bounds) });
}

/** "Standen mehr als 5 Leute an?": the two parts of the German verb stand around the number. */
function standing({ tokens, language }: Sentence, from: number, end: number): Beside | null {
  const verb = tokens.findIndex(({ plain }, at) => at < from + REACH && STAND.test(plain));
  const particle = tokens.findIndex(
    ({ plain }, at) => plain === 'an' && at >= end && (!tokens[at + 1] || tokens[at + 1]!.kind === 'mark'),
  );
  return language === 'de' && verb >= 0 && particle > verb ? { subject: 'queue', tokens: [] } : null;
}
export const STAND = /^(?:stehe?n|steht|standen|stand)$/;

/** People who stand in a queue or wait are its length: "more than 5 people waiting". */
function measureOf(
  sentence: Sentence,
  { unit: of, ofLength, end }: Compared,
  subject?: Subject,
): [measure: Measure, factor: number] | null {
  if (of === 'duration') return [subject === 'service' ? 'serviceSeconds' : 'waitSeconds', 1];
  const isLength = ofLength || subject === 'queueSize';
  const isQueue = subject === 'queue' || subject === 'wait' || isLength;
  if (of === 'people') return [isQueue ? 'queueLength' : 'persons', 1];
  if (subject === 'wait' && isLength) return ['waitSeconds', 60];
  if (subject === 'service' && isLength) return ['serviceSeconds', 60];
  return isQueue && isAboutPeople(sentence, end) ? ['queueLength', 1] : null;
}

/** "More than 5 trolleys in line" counts trolleys. */
function isAboutPeople(sentence: Sentence, end: number): boolean {
  const next = sentence.tokens[end];
  if (!next || next.kind === 'mark' || !sentence.isFree(end)) return true;
  return !sentence.senseAt('alert', end) && (sentence.isFiller(end) || !!sentence.senseAt('subject', end));
}
