import { itemAt } from '../../../catalogue/items/items.ts';
import type { Filter, Keyword } from '../filters.ts';
import type { Concept } from '../lexicon/concepts.ts';
import type { Measure, Subject } from '../lexicon/quantity-words.ts';
import { type Sentence, span } from './sentence.ts';

export const MOST_KEYWORDS = 10;
/** Kinds of words that are no keywords. */
const MARKERS = [
  'notDenied',
  'not',
  'except',
  'excluded',
  'but',
  'only',
  'nobody',
  'people',
  'alert',
  'present',
  'and',
  'or',
] as const;
/** Words that are not searched when they stand alone. */
const ALONE = ['severityWord', 'comparison', 'duration', 'group', 'rolling'] as const;

const MEASURES: Readonly<Record<Subject, Measure>> = {
  wait: 'waitSeconds',
  service: 'serviceSeconds',
  queue: 'queueLength',
  queueSize: 'queueLength',
};

const measureOf = (filter: Filter): Measure | null => (filter.kind === 'quantity' ? filter.measure : null);

interface Word {
  readonly tokens: readonly number[];
  readonly keyword: Keyword;
}

/** Claims the remaining words as keywords. Adjacent words are one phrase. */
export function readWords(sentence: Sentence): void {
  const seen = new Set<string>();
  let run: Word[] = [];
  const flush = () => {
    if (run.length === 0) return;
    const tokens = run.flatMap((word) => word.tokens);
    sentence.claim(tokens, { kind: 'words', keywords: run.map(({ keyword }) => keyword) });
    run = [];
  };
  for (let at = 0; at < sentence.tokens.length; ) {
    const word = wordAt(sentence, at, run.length > 0);
    const next = at + (word?.tokens.length ?? otherAt(sentence, at));
    if (!word) flush();
    else if (seen.size >= MOST_KEYWORDS && !seen.has(word.keyword.word)) sentence.leave(word.tokens);
    else {
      seen.add(word.keyword.word);
      run.push(word);
    }
    at = next;
  }
  flush();
}

function wordAt(sentence: Sentence, at: number, followsWord: boolean): Word | null {
  if (!sentence.isFree(at)) return null;
  const { plain, kind, text } = itemAt(sentence.tokens, at);
  if (kind === 'mark') return null;
  const unanswerable = sentence.free('unanswerable', at);
  if (unanswerable) {
    sentence.leave(span(at, unanswerable.length));
    return null;
  }
  if (kind === 'number') {
    // "Till 33" where no place has this name.
    if (!followsWord || plain.length < 2 || !/^\d+$/.test(plain)) return null;
    return { tokens: [at], keyword: { word: plain, forms: [plain] } };
  }
  const subject = sentence.free<Subject>('subject', at);
  const told =
    subject && sentence.phrases.find(({ filter }) => measureOf(filter) === MEASURES[subject.value]);
  if (told) {
    // "Waited too long, over 20 minutes": the number says it.
    sentence.extend(told, span(at, subject.length));
    return null;
  }
  const concept = sentence.free<Concept>('concept', at);
  if (concept && (concept.length > 1 || !isMarker(sentence, at))) {
    const tokens = span(at, concept.length);
    return {
      tokens,
      keyword: keywordOf(
        concept.value,
        tokens.map((token) => itemAt(sentence.tokens, token)),
      ),
    };
  }
  if (isMarker(sentence, at) || sentence.isFiller(at) || isBeforePlace(sentence, at) || plain.length < 2)
    return null;
  const alone = ALONE.map((name) => sentence.free(name, at)).find((sense) => sense !== undefined);
  if (alone) {
    sentence.leave(span(at, alone.length));
    return null;
  }
  return { tokens: [at], keyword: { word: text.toLowerCase(), forms: [plain] } };
}

/** The number of tokens to skip: all of "apart from". */
const otherAt = (sentence: Sentence, at: number): number =>
  Math.max(1, ...[...MARKERS, 'at'].map((kind) => sentence.free(kind, at)?.length ?? 0));

/** "Outside the main entrance". */
function isBeforePlace(sentence: Sentence, at: number): boolean {
  const preposition = sentence.free('at', at);
  if (!preposition) return false;
  const next = at + preposition.length;
  const place = next + (sentence.free('article', next)?.length ?? 0);
  return sentence.ownerOf(place)?.filter.kind === 'place';
}

const isMarker = (sentence: Sentence, at: number): boolean =>
  MARKERS.some((kind) => sentence.free(kind, at) !== undefined);

function keywordOf(concept: Concept, tokens: readonly { text: string; plain: string }[]): Keyword {
  const written = tokens.map(({ text }) => text.toLowerCase()).join(' ');
  const forms = [tokens.map(({ plain }) => plain).join(' '), concept.word, ...concept.also];
  return { word: concept.isEnglish ? written : concept.word, forms: [...new Set(forms)] };
}
