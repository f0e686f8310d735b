import type { DateTime } from 'luxon';
import { itemAt } from '../../../catalogue/items/items.ts';
import type { DateBounds } from '../filters.ts';
import { type DateContext, type ReadDates, readDates } from './dates.ts';
import type { QueryText } from './query-text.ts';
import type { Sentence } from './sentence.ts';

/**
 * Claims the time range of the query; denied days are claimed first, one by one.
 */
export function readWhen(sentence: Sentence, dates: DateContext): void {
  for (let at = 0; at < sentence.tokens.length; at += 1) {
    const marker = sentence.free('except', at) ?? sentence.free('not', at);
    if (marker) readDenied(sentence, at + marker.length, dates);
  }
  claimDates(sentence, sentence.text, dates);
}

/** "Not yesterday": reads the clause after a denial if it begins with a day. */
function readDenied(sentence: Sentence, from: number, dates: DateContext): void {
  let first = from;
  while (sentence.isFree(first) && sentence.isFiller(first)) first += 1;
  if (!sentence.isFree(first)) return;
  let end = first;
  while (sentence.isFree(end) && !endsClause(sentence, end)) end += 1;
  if (end === first) return;
  const { tokens } = sentence;
  const part = sentence.text.within(itemAt(tokens, from).at, tokens[end]?.at ?? sentence.text.plain.length);
  const trial = part.within(0, part.plain.length);
  if (!boundsOf(readDates(trial, dates)) || trial.plain[itemAt(tokens, first).at] !== ' ') return;
  claimDates(sentence, part, dates);
}

const endsClause = (sentence: Sentence, at: number): boolean =>
  itemAt(sentence.tokens, at).kind === 'mark' ||
  ['but', 'only', 'except', 'not'].some((kind) => sentence.senseAt(kind, at) !== undefined);

function claimDates(sentence: Sentence, text: QueryText, context: DateContext): void {
  const before = text.within(0, text.plain.length);
  const dates = readDates(text, context);
  const taken = sentence.tokens.flatMap(({ at }, token) =>
    sentence.isFree(token) && before.plain[at] !== ' ' && text.plain[at] === ' ' ? [token] : [],
  );
  const isUnused = (token: number): boolean =>
    (dates.unusedClock?.plain[itemAt(sentence.tokens, token).at] ?? ' ') !== ' ';
  const bounds = boundsOf(dates);
  if (!bounds) {
    sentence.leave(taken.filter((token) => !sentence.isFiller(token)));
    return;
  }
  sentence.leave(taken.filter((token) => isUnused(token) && !sentence.isFiller(token)));
  const said = taken.filter((token) => !isUnused(token));
  if (said.length > 0) sentence.claim(said, { kind: 'dates', dates: bounds });
}

/** "9999 years ago" is before every insight and outside the range of API times: it becomes no filter. */
function boundsOf({ start, end }: ReadDates): DateBounds | null {
  const [from, to] = [dateOf(start), dateOf(end)];
  return from || to ? { start: from, end: to } : null;
}

const dateOf = (time: DateTime | undefined): Date | undefined =>
  time?.isValid && time.year >= 1 && time.year <= 9999 ? time.toJSDate() : undefined;
