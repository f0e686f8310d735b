import { plainOf } from '../read/query-text.ts';
import { DATE_WORDS } from './date-words.ts';
import type { Language } from './lexicon.ts';
import { fold } from './lexicon.ts';
import { isStopWord } from './stop-words.ts';
import { WORDS } from './words.ts';

/** Function words of other languages that are no words of English or German. */
const OTHERS = new Set(
  [
    'de la le les du une dans avec sont sur qui que est pas moins soir matin apres aux cette ces nous vous chez sans jour jours semaine mois derniere dernier dernieres derniers combien personne personnes gens alerte alertes critique critiques attente risque samedi dimanche lundi mardi mercredi jeudi vendredi tout toutes aucune aucun',
    'el los las una con por ayer hoy esta este esa ese mas menos entre desde hasta donde cuando sin ultima ultimo pasada pasado personas gente clientes alertas criticas riesgo espera cuantas cuantos hay nadie todo todas ninguna lunes martes miercoles jueves viernes sabado domingo excepto en',
    'il lo gli della del dello dei nel nella alla allo di ieri oggi piu meno senza dove quando scorsa scorso negli persone clienti allarmi allarme avvisi critico critici rischio attesa quante quanti tutto tutti nessun nessuno tre giorni fa tranne sera lunedi martedi mercoledi giovedi venerdi sabato domenica',
    'het een van niet dat deze gisteren vandaag meer zonder bij voor naar zijn wat wie mensen klanten rij',
    'os uma das dos em nas nos ontem hoje mais pela pelo pessoas fila',
    'nie jest przy bez oraz wczoraj dzisiaj ktory och att inte igar idag ikke og til fra bir icin dun bugun',
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
  if (english !== german) return english > german ? 'en' : 'de';
  // People who write German use English words, "alerts gestern"; the other way round is rare.
  const isGerman = telling.some((word) => weightOf(fold(word), 'de') > 0 && weightOf(fold(word), 'en') === 0);
  return isGerman ? 'de' : null;
}
