import { itemAt } from '../../../catalogue/items/items.ts';
import { type Bounds, opposite } from '../filters.ts';
import type { Comparison, Measure, Operator, Subject } from '../lexicon/quantity-words.ts';
import { type Sentence, span } from './sentence.ts';

/** Numbers and their comparison, before it is known what they measure. */
interface Compared {
  readonly from: number;
  /** The next token after the number. */
  readonly end: number;
  readonly bounds: Bounds;
  readonly comparison: Comparison | null;
  /** What a unit says that the numbers measure; with `duration` they are seconds. */
  readonly unit: 'people' | 'duration' | null;
}

const BOUND: Record<Operator, (value: number) => Bounds> = {
  GT: (value) => ({ moreThan: value }),
  GTE: (value) => ({ atLeast: value }),
  LT: (value) => ({ lessThan: value }),
  LTE: (value) => ({ atMost: value }),
  EQ: (value) => ({ atLeast: value, atMost: value }),
};
/** A larger number is no count. */
const MOST = 100_000;
/** The greatest distance in tokens between a number and the thing that it counts. */
const REACH = 6;

/** Claims numbers of people and durations with their units. It runs before dates, which contain numbers too. */
export function readQuantitiesWithUnits(sentence: Sentence): void {
  for (let at = 0; at < sentence.tokens.length; at += 1) {
    const compared =
      readBetween(sentence, at) ??
      readDouble(sentence, at) ??
      readCompared(sentence, at) ??
      readBare(sentence, at);
    if (compared?.unit) claimQuantity(sentence, compared);
  }
}

/** Claims "longer than 5", where only the words beside it tell what is measured. What cannot be read is left unused. */
export function readQuantitiesWithoutUnits(sentence: Sentence): void {
  for (let at = 0; at < sentence.tokens.length; at += 1) {
    const compared = readBetween(sentence, at) ?? readDouble(sentence, at) ?? readCompared(sentence, at);
    if (compared) claimQuantity(sentence, compared);
  }
}

function readNumber(sentence: Sentence, at: number): { value: number; end: number } | null {
  if (!sentence.isFree(at)) return null;
  const { kind, plain } = itemAt(sentence.tokens, at);
  if (kind === 'number') return { value: Math.min(MOST, Number(plain.replace(',', '.'))), end: at + 1 };
  const word = sentence.free<number>('number', at);
  return word ? { value: word.value, end: at + word.length } : null;
}

type Unit = { kind: 'people' | 'duration'; factor: number; end: number };

function readUnit(sentence: Sentence, at: number): Unit | null {
  const people = sentence.free('people', at) ?? sentence.free('waiters', at);
  if (people) return { kind: 'people', factor: 1, end: at + people.length };
  const duration = sentence.free<number>('duration', at);
  return duration ? { kind: 'duration', factor: duration.value, end: at + duration.length } : null;
}

/** A number with its unit: "5 customers", "2 min 30 s", "half an hour", "(more than) an hour". */
function readAmount(
  sentence: Sentence,
  at: number,
): { value: number; unit: 'people' | 'duration' | null; isHours: boolean; end: number } | null {
  const whole = sentence.free<number>('wholeDuration', at);
  if (whole) return { value: whole.value, unit: 'duration', isHours: false, end: at + whole.length };
  const number = readNumber(sentence, at);
  if (!number) {
    const start = sentence.free('article', at) ? at + 1 : at;
    const alone = sentence.free<number>('duration', start);
    if (!alone || itemAt(sentence.tokens, start).plain.length < 3) return null;
    return { value: alone.value, unit: 'duration', isHours: false, end: start + alone.length };
  }
  // In "5 waiting customers" the word in between is a keyword.
  const described =
    (sentence.free('concept', number.end) || sentence.isFiller(number.end)) &&
    sentence.free('people', number.end + 1);
  const unit = readUnit(sentence, described ? number.end + 1 : number.end);
  if (!unit) return { value: number.value, unit: null, isHours: false, end: number.end };
  let { value, end } = { value: number.value * unit.factor, end: unit.end };
  if (unit.kind === 'duration') {
    const more = readNumber(sentence, end);
    const smaller = more && sentence.free<number>('duration', more.end);
    if (more && smaller && smaller.value < unit.factor) {
      value += more.value * smaller.value;
      end = more.end + smaller.length;
    }
  }
  return { value, unit: unit.kind, isHours: unit.factor === 3600, end };
}

function readBetween(sentence: Sentence, at: number): Compared | null {
  const between = sentence.free('between', at);
  const low = readNumber(sentence, at + (between?.length ?? 0));
  if (!low) return null;
  const lowUnit = readUnit(sentence, low.end);
  const to = sentence.free('to', lowUnit?.end ?? low.end);
  const high = to && readAmount(sentence, (lowUnit?.end ?? low.end) + to.length);
  // Hours may be a time of day, which the reader of dates claims.
  if (!high || high.isHours) return null;
  // Without a unit only a queue or people before it make it a number of people.
  const countsPeople = (between && isQueueBefore(sentence, at)) || isAfterPeople(sentence, at);
  if (high.unit === null && !countsPeople) return null;
  const factor = high.unit === 'duration' ? (lowUnit?.factor ?? unitFactor(sentence, high.end)) : 1;
  const bounds = { atLeast: low.value * factor, atMost: high.value };
  return { from: at, end: high.end, bounds, comparison: null, unit: high.unit };
}

/** "Queue between 4 and 6", "Schlange von 4 bis 6". */
const isQueueBefore = (sentence: Sentence, at: number): boolean =>
  ['queue', 'queueSize'].includes(sentence.before<Subject>('subject', at)?.value ?? '');

const unitFactor = (sentence: Sentence, end: number): number =>
  sentence.before<number>('duration', end)?.value ?? 1;

function readCompared(sentence: Sentence, at: number): Compared | null {
  const comparison = sentence.free<Comparison>('comparison', at);
  const isDenied = !comparison && sentence.free('not', at);
  const denied = isDenied ? sentence.free<Comparison>('comparison', at + isDenied.length) : undefined;
  const start = comparison
    ? at + comparison.length
    : denied && isDenied
      ? at + isDenied.length + denied.length
      : null;
  const compare = comparison?.value ?? denied?.value;
  if (start === null || !compare) return readAfter(sentence, at);
  const amount =
    readAmount(sentence, start) ?? (sentence.isFiller(start) ? readAmount(sentence, start + 1) : null);
  if (!amount || isTime(sentence, at, amount.end)) return null;
  if (compare.alsoOfTime && (amount.isHours || amount.unit === null)) return null;
  const given = BOUND[compare.operator](amount.value);
  const bounds = denied ? opposite(given) : given;
  return bounds && { from: at, end: amount.end, bounds, comparison: compare, unit: amount.unit };
}

/** "More than 2 and fewer than 6 people": the unit stands once. */
function readDouble(sentence: Sentence, at: number): Compared | null {
  const first = sentence.free<Comparison>('comparison', at);
  const low = first && readNumber(sentence, at + first.length);
  const joined = low && (sentence.free('and', low.end) ?? sentence.free('but', low.end));
  if (!first || !low || !joined) return null;
  const next = low.end + joined.length;
  const second = sentence.free('comparison', next) && readCompared(sentence, next);
  if (!second) return null;
  const factor = second.unit === 'duration' ? unitFactor(sentence, second.end) : 1;
  const bounds = { ...BOUND[first.value.operator](low.value * factor), ...second.bounds };
  return { ...second, from: at, bounds };
}

/** "5 or more", "5 minutes at least", "5+". */
function readAfter(sentence: Sentence, at: number): Compared | null {
  const whole = sentence.free('wholeDuration', at);
  const number = whole ? { value: 0, end: at + whole.length } : readNumber(sentence, at);
  if (!number || isTime(sentence, at, number.end)) return null;
  const early = whole ? undefined : sentence.free<Operator>('orMore', number.end);
  if (early) {
    const unit = readUnit(sentence, number.end + early.length);
    const bounds = BOUND[early.value](number.value * (unit?.factor ?? 1));
    const end = unit?.end ?? number.end + early.length;
    return { from: at, end, bounds, comparison: null, unit: unit?.kind ?? null };
  }
  const amount = readAmount(sentence, at);
  const late = amount && sentence.free<Operator>('orMore', amount.end);
  if (!amount || !late) return null;
  const bounds = BOUND[late.value](amount.value);
  return { from: at, end: amount.end + late.length, bounds, comparison: null, unit: amount.unit };
}

/** "3 people", "a group of six", "a wait of 10 minutes" mean at least so many. */
function readBare(sentence: Sentence, at: number): Compared | null {
  const group = sentence.free('group', at);
  const start = at + (group?.length ?? 0);
  const amount = sentence.isFree(start) && readNumber(sentence, start) ? readAmount(sentence, start) : null;
  if (!amount || isTime(sentence, start, amount.end)) return null;
  const unit = group || isCounted(sentence, at, amount) ? 'people' : amount.unit;
  const found = { from: at, end: amount.end, bounds: { atLeast: amount.value }, comparison: null, unit };
  if (unit === 'duration' && !subjectBeside(sentence, found)) return null;
  return found;
}

/** "A queue of 6", "six in the queue": a number without a unit directly beside a queue. */
function isCounted(sentence: Sentence, at: number, { unit, end }: { unit: unknown; end: number }): boolean {
  if (unit !== null || sentence.before('comparison', at) || sentence.free('orMore', end)) return false;
  const isQueue = (sense: { value: Subject } | undefined) => sense?.value === 'queue';
  const of = sentence.tokens[at - 1]?.plain ?? '';
  if (/^(?:of|mit|von)$/.test(of) && isQueue(sentence.before<Subject>('subject', at - 1))) return true;
  let next = end;
  while (
    next < end + 2 &&
    sentence.isFree(next) &&
    /^(?:in|the|a|der|in|einer)$/.test(itemAt(sentence.tokens, next).plain)
  )
    next += 1;
  return next > end && isQueue(sentence.free<Subject>('subject', next));
}

/** "Last 30 minutes" and "2 hours ago" are dates. */
function isTime(sentence: Sentence, from: number, end: number): boolean {
  return (
    !!sentence.before('rolling', from) ||
    !!sentence.before('agoBefore', from) ||
    !!sentence.senseAt('rolling', end - 1) ||
    !!sentence.senseAt('agoAfter', end)
  );
}

/** The word beside a number that tells what it measures: "queue", "waiting". */
function subjectBeside(
  sentence: Sentence,
  { from, end }: { from: number; end: number },
): { subject: Subject; tokens: number[] } | null {
  let steps = 0;
  for (let at = from - 1; at >= 0 && steps < REACH; at -= 1) {
    if (isPassed(sentence, at)) continue;
    if (!sentence.isFree(at) || endsReach(sentence, at)) break;
    for (let start = at - 3; start <= at; start += 1) {
      const found = sentence.free<Subject>('subject', start);
      if (found && start + found.length === at + 1)
        return { subject: found.value, tokens: span(start, found.length) };
    }
    steps += 1;
  }
  steps = 0;
  for (let at = end; at < sentence.tokens.length && steps < REACH; at += 1) {
    if (isPassed(sentence, at)) continue;
    if (!sentence.isFree(at) || endsReach(sentence, at)) break;
    const found = sentence.free<Subject>('subject', at);
    if (found) return { subject: found.value, tokens: span(at, found.length) };
    if (sentence.senseAt('comparison', at)) break;
    steps += 1;
  }
  return null;
}

/** Places and times stand between a number and its queue: "5 people at till 3 today in the queue"; also "queue: 5". */
const isPassed = (sentence: Sentence, at: number): boolean =>
  ['place', 'dates'].includes(sentence.ownerOf(at)?.filter.kind ?? '') || sentence.tokens[at]?.plain === ':';

/** "People at the door: 10 to 20". */
function isAfterPeople(sentence: Sentence, from: number): boolean {
  let at = from - 1;
  while (at > 0 && (isPassed(sentence, at) || sentence.isFiller(at))) at -= 1;
  return sentence.tokens.slice(at, from).some(({ plain }) => plain === ':') && !!sentence.free('people', at);
}

/** What follows these words is another condition. */
const endsReach = (sentence: Sentence, at: number): boolean =>
  itemAt(sentence.tokens, at).kind === 'mark' ||
  ['and', 'but', 'not', 'except'].some((kind) => sentence.senseAt(kind, at) !== undefined);

function claimQuantity(sentence: Sentence, said: Compared): void {
  const compared =
    !said.unit && isAfterPeople(sentence, said.from) ? { ...said, unit: 'people' as const } : said;
  const own = span(compared.from, compared.end - compared.from).filter((token) => sentence.isFree(token));
  const inside = own
    .map((token) => sentence.senseAt<Subject>('subject', token))
    .find((sense) => sense !== undefined);
  const beside = inside
    ? { subject: inside.value, tokens: [] }
    : (subjectBeside(sentence, compared) ?? standing(sentence, compared));
  const measured = measureOf(sentence, compared, beside?.subject ?? null);
  if (!measured) {
    sentence.leave(own);
    return;
  }
  const { measure, factor } = measured;
  const subject = measure === 'persons' ? [] : (beside?.tokens ?? []);
  const bounds = Object.fromEntries(
    Object.entries(compared.bounds).map(([name, value]) => [name, (value as number) * factor]),
  );
  sentence.claim([...subject, ...own], { kind: 'quantity', measure, bounds });
}

/** "Standen mehr als 5 Leute an?": the two parts of the German verb stand around the number. */
function standing(
  sentence: Sentence,
  { from, end }: Compared,
): { subject: Subject; tokens: number[] } | null {
  const { tokens, language } = sentence;
  if (language !== 'de') return null;
  const verb = tokens.findIndex(
    ({ plain }, at) => /^(?:stehe?n|steht|standen|stand)$/.test(plain) && at < from + REACH,
  );
  const particle = tokens.findIndex(
    ({ plain }, at) =>
      plain === 'an' && at >= end && (!tokens[at + 1] || itemAt(tokens, at + 1).kind === 'mark'),
  );
  return verb >= 0 && particle > verb ? { subject: 'queue', tokens: [] } : null;
}

/** People who stand in a queue or wait are its length: "more than 5 people waiting". */
function measureOf(
  sentence: Sentence,
  { unit, comparison, end }: Compared,
  subject: Subject | null,
): { measure: Measure; factor: number } | null {
  if (unit === 'duration')
    return { measure: subject === 'service' ? 'serviceSeconds' : 'waitSeconds', factor: 1 };
  const isLength = comparison?.ofLength === true || subject === 'queueSize';
  const isQueue = subject === 'queue' || subject === 'wait' || isLength;
  if (unit === 'people') return { measure: isQueue ? 'queueLength' : 'persons', factor: 1 };
  if (subject === 'wait' && isLength) return { measure: 'waitSeconds', factor: 60 };
  if (subject === 'service' && isLength) return { measure: 'serviceSeconds', factor: 60 };
  return isQueue && isAboutPeople(sentence, end) ? { measure: 'queueLength', factor: 1 } : null;
}

/** "More than 5 trolleys in line" counts trolleys. */
function isAboutPeople(sentence: Sentence, end: number): boolean {
  const next = sentence.tokens[end];
  if (!next || next.kind === 'mark' || !sentence.isFree(end)) return true;
  return !sentence.senseAt('alert', end) && (sentence.isFiller(end) || !!sentence.senseAt('subject', end));
}
