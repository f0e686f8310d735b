import { plainOf } from '../read/query-text.ts';
import { DATE_WORDS } from './date-words.ts';
import { fold } from './lexicon.ts';
import { isStopWord } from './stop-words.ts';
import { type Language, WORDS } from './words.ts';

/** Function words of other languages that are no words of English or German. */
const OTHERS = new Set(
  [
    'le les une dans avec sont pour sur qui que est pas plus moins hier aujourd avant apres aux cette ces nous vous chez sans jour semaine derniere dernier',
    'el los las una con por para del ayer hoy esta este esa ese que mas menos entre desde hasta donde cuando sin ultima ultimo pasada pasado',
    'il lo gli una con per del della dello dei nel nella alla allo ieri oggi che piu meno senza sono dove quando scorsa scorso negli',
    'het een van niet dat deze gisteren vandaag meer minder zonder bij voor naar zijn wat wie',
    'o os uma com da do dos em na nas nos ontem hoje mais menos sem para pela pelo',
    'nie jest przy bez oraz wczoraj dzisiaj ktory och att inte igar idag ikke og til fra ve bir icin dun bugun',
  ].flatMap((words) => words.split(' ')),
);
const KINDS = [
  'comparison',
  'people',
  'not',
  'except',
  'nobody',
  'at',
  'alert',
  'severity',
  'concept',
  'subject',
  'level',
  'risk',
  'duration',
  'number',
  'grave',
] as const;

/** How surely a word belongs to a language. */
function weightOf(word: string, language: 'en' | 'de'): number {
  if (isStopWord(word, language) || DATE_WORDS[language].known.has(word)) return 1;
  return KINDS.some((kind) => WORDS[language].at(kind, [word], 0)) ? 1 : 0;
}

/**
 * The language of a query, decided before any of its words is read; null where its words do not tell.
 * @param names words of the caller's places, which tell nothing
 */
export function languageOf(query: string, names: ReadonlySet<string> = new Set()): Language | null {
  const words = plainOf(query.normalize('NFKC')).match(/[\p{L}\p{M}]+/gu) ?? [];
  const foreign = words.filter((word) => /[^\p{sc=Latin}\p{M}]/u.test(word)).length;
  if (foreign * 2 > words.length) return 'other';
  const telling = words.filter((word) => !names.has(fold(word)));
  const sum = (language: 'en' | 'de') =>
    telling.reduce((total, word) => total + weightOf(fold(word), language), 0);
  const [english, german] = [sum('en'), sum('de')];
  const other = telling.filter((word) => OTHERS.has(fold(word))).length;
  if (other > Math.max(english, german)) return 'other';
  // A word of two languages that is all there is of another one: "situaciones peligrosas sin menores".
  if (english === german) return /[äöüß]/i.test(query) && english > 0 ? 'de' : null;
  return english > german ? 'en' : 'de';
}
