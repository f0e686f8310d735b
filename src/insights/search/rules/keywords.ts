import type { Filter, Keyword, Measure } from '../filters.ts';
import type { Concept, Language } from '../lexicon.ts';
import { languageOf } from './language.ts';
import type { Subject } from './quantities.ts';
import { Sentence, span } from './sentence.ts';

export const MOST_KEYWORDS = 10;
/** Kinds of words that are no keywords. */
const MARKERS = 'notDenied not except excluded but only nobody people alert present and or'.split(' ');
/** Words that are not searched when they stand alone. */
const ALONE = ['severityWord', 'compare', 'seconds', 'group', 'past'];
const MEASURES: Readonly<Record<Subject, Measure>> = {
  wait: 'waitSeconds',
  service: 'serviceSeconds',
  queue: 'queueLength',
  queueSize: 'queueLength',
};

interface Word {
  readonly tokens: readonly number[];
  readonly keyword: Keyword;
}

/** Claims the remaining words as keywords. Adjacent words are one phrase. */
export function readWords(sentence: Sentence): void {
  const seen = new Set<string>();
  let run: Word[] = [];
  for (let at = 0; at <= sentence.tokens.length; ) {
    const word = wordAt(sentence, at, run.length > 0);
    if (!word && run.length > 0) {
      const keywords = run.map(({ keyword }) => keyword);
      sentence.claim(run.flatMap(({ tokens }) => tokens), { kind: 'words', keywords }); // biome-ignore format: one line
      run = [];
    }
    if (word && seen.size >= MOST_KEYWORDS && !seen.has(word.keyword.word))
      sentence.take(word.tokens, 'unused');
    else if (word) {
      seen.add(word.keyword.word);
      run.push(word);
    }
    // All of "apart from" is skipped.
    const skipped = [...MARKERS, 'at'].map((kind) => sentence.free(kind, at)?.length ?? 0);
    at += word?.tokens.length ?? Math.max(1, ...skipped);
  }
}

function wordAt(sentence: Sentence, at: number, followsWord: boolean): Word | null {
  if (!sentence.isFree(at)) return null;
  const { plain, kind, text } = sentence.tokens[at]!;
  const leave = (length: number) => {
    sentence.take(span(at, length), 'unused');
    return null;
  };
  if (kind === 'mark' || kind === 'digits') return null;
  const unanswerable = sentence.free('unanswerable', at);
  if (unanswerable) return leave(unanswerable.length);
  // "Till 33" where no place has this name.
  if (kind === 'number')
    return followsWord && /^\d\d+$/.test(plain)
      ? { tokens: [at], keyword: { word: plain, forms: [plain] } }
      : null;
  if (isTold(sentence, at)) return null;
  const concept = sentence.free<Concept>('concept', at);
  const isMarker = MARKERS.some((marker) => sentence.free(marker, at));
  if (concept && (concept.length > 1 || !isMarker)) return conceptAt(sentence, at, concept);
  if (isMarker || sentence.isFiller(at) || isBeforePlace(sentence, at) || plain.length < 2) return null;
  const alone = ALONE.map((name) => sentence.free(name, at)).find(Boolean);
  return alone
    ? leave(alone.length)
    : { tokens: [at], keyword: { word: text.toLowerCase(), forms: [plain] } };
}

function conceptAt(
  sentence: Sentence,
  at: number,
  { value, length }: { value: Concept; length: number },
): Word {
  const said = sentence.tokens.slice(at, at + length);
  const forms = [said.map(({ plain }) => plain).join(' '), value.word, ...value.also];
  const word = value.isEnglish ? said.map(({ text }) => text.toLowerCase()).join(' ') : value.word;
  return { tokens: span(at, length), keyword: { word, forms: [...new Set(forms)] } };
}

/** "Waited too long, over 20 minutes": the number says it, and the word joins its phrase. */
function isTold(sentence: Sentence, at: number): boolean {
  const subject = sentence.free<Subject>('subject', at);
  const isMeasured = (filter: Filter) =>
    filter.kind === 'quantity' && filter.measure === MEASURES[subject!.value];
  const told = subject && sentence.phrases.find(({ filter }) => isMeasured(filter));
  if (told) sentence.claim([...told.tokens, ...span(at, subject.length)], told.filter);
  return told !== undefined;
}

/** "Outside the main entrance". */
function isBeforePlace(sentence: Sentence, at: number): boolean {
  const preposition = sentence.free('at', at);
  const next = at + (preposition?.length ?? 0);
  const place = next + (sentence.free('article', next)?.length ?? 0);
  return preposition !== undefined && sentence.ownerOf(place)?.filter.kind === 'place';
}

/** The words to find of a text that has nothing else. */
export function keywordsIn(text: string, language: Language = languageOf(text) ?? 'en'): Keyword[] {
  const sentence = new Sentence(text, language);
  readWords(sentence);
  return keywordsOf(sentence);
}

/** The words to find of a sentence that was read. */
export const keywordsOf = ({ phrases }: Sentence): Keyword[] =>
  phrases.flatMap(({ filter }) => (filter.kind === 'words' ? filter.keywords : []));
