import type { Keyword } from '../filters.ts';
import type { Concept, Language } from '../lexicon.ts';
import { languageOf } from './language.ts';
import { MEASURED } from './quantities.ts';
import { Sentence, span } from './sentence.ts';

export const MOST_KEYWORDS = 10;
/** Kinds of words that are no keywords. */
const MARKERS = 'notDenied not except excluded but only nobody people alert present and or'.split(' ');
/** Words that are not searched when they stand alone. */
const ALONE = ['severityWord', 'compare', 'seconds', 'group', 'past'];

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
      const tokens = run.flatMap((one) => one.tokens);
      sentence.claim(tokens, { kind: 'words', keywords: run.map(({ keyword }) => keyword) });
      run = [];
    }
    if (word && seen.size >= MOST_KEYWORDS && !seen.has(word.keyword.word))
      sentence.take(word.tokens, 'unused');
    else if (word) run.push(word);
    if (word && seen.size < MOST_KEYWORDS) seen.add(word.keyword.word);
    // All of "apart from" is skipped.
    const skipped = [...MARKERS, 'at'].map((kind) => sentence.free(kind, at)?.length ?? 0);
    at += word?.tokens.length ?? Math.max(1, ...skipped);
  }
}

function wordAt(sentence: Sentence, at: number, followsWord: boolean): Word | null {
  const token = sentence.tokens[at];
  if (!token || !sentence.isFree(at)) return null;
  const { plain, kind, text } = token;
  const wordOf = (word: string, length: number, forms: readonly string[]): Word => ({
    ...{ tokens: span(at, length), keyword: { word, forms: [...new Set(forms)] } },
  });
  if (kind === 'mark' || kind === 'digits') return null;
  // "Till 33" where no place has this name.
  if (kind === 'number') return followsWord && /^\d\d+$/.test(plain) ? wordOf(plain, 1, [plain]) : null;
  const left = (kinds: readonly string[]) => {
    const length = kinds.map((one) => sentence.free(one, at)?.length ?? 0).find(Boolean) ?? 0;
    sentence.take(span(at, length), 'unused');
    return length > 0;
  };
  if (left(['unanswerable']) || isTold(sentence, at)) return null;
  const concept = sentence.free<Concept>('concept', at);
  const isMarker = MARKERS.some((marker) => sentence.free(marker, at));
  if (concept && (concept.length > 1 || !isMarker)) {
    const { word, also } = concept.value;
    const said = sentence.tokens.slice(at, at + concept.length);
    const written = said.map((token) => token.text.toLowerCase()).join(' ');
    const forms = [said.map((token) => token.plain).join(' '), word, ...also];
    return wordOf(sentence.language === 'en' ? written : word, concept.length, forms);
  }
  if (isMarker || sentence.isFiller(at) || isBeforePlace(sentence, at) || plain.length < 2) return null;
  return left(ALONE) ? null : wordOf(text.toLowerCase(), 1, [plain]);
}

/** "Waited too long, over 20 minutes": the number says it, and the word joins its phrase. */
function isTold(sentence: Sentence, at: number): boolean {
  const subject = sentence.free<keyof typeof MEASURED>('subject', at);
  const told =
    subject &&
    sentence.phrases.find(
      ({ filter }) => filter.kind === 'quantity' && filter.measure === MEASURED[subject.value],
    );
  if (told) sentence.claim([...told.tokens, ...span(at, subject.length)], told.filter);
  return told !== undefined;
}

/** "Outside the main entrance". */
function isBeforePlace(sentence: Sentence, at: number): boolean {
  const preposition = sentence.free('at', at);
  const next = at + (preposition?.length ?? 0);
  const place = next + (sentence.free('article', next)?.length ?? 0);
  return preposition !== undefined && sentence.isIn(place, 'place');
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
