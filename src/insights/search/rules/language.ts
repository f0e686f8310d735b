import type { NamedPlace } from '../filters.ts';
import { fold, type Language, LEXICONS, plainOf } from '../lexicon.ts';
import { wordsIn } from './sentence.ts';

/** Function words of other languages that are no words of English or German. */
const OTHERS = new Set(
  `de la le les du une dans avec sont sur qui que est pas moins soir matin apres aux cette ces nous vous chez sans jour jours semaine mois derniere dernier dernieres derniers combien personne personnes gens alerte alertes critique critiques attente risque samedi dimanche lundi mardi mercredi jeudi vendredi tout toutes aucune aucun
el los las con por ayer hoy esta este esa ese mas menos entre desde hasta donde cuando sin ultima ultimo pasada pasado personas gente clientes alertas criticas riesgo espera cuantas cuantos hay nadie todo todas ninguna lunes martes miercoles jueves viernes sabado domingo excepto en
il lo gli della del dello dei nel nella alla allo di ieri oggi piu meno senza dove quando scorsa scorso negli persone clienti allarmi allarme avvisi critico critici rischio attesa quante quanti tutto tutti nessun nessuno tre giorni fa tranne sera lunedi martedi mercoledi giovedi venerdi sabato domenica
het een van niet dat deze gisteren vandaag meer zonder bij voor naar zijn wat wie mensen klanten rij
os uma das dos em nas nos ontem hoje mais pela pelo pessoas fila
nie jest przy bez oraz wczoraj dzisiaj ktory och att inte igar idag ikke og til fra bir icin dun bugun`.split(
    /\s/,
  ),
);

/**
 * The language of a query, decided before any of its words is read; null where its words do not tell.
 * @param names words of the caller's places, which tell nothing
 */
export function languageOf(query: string, names: ReadonlySet<string> = new Set()): Language | null {
  const words = plainOf(query.normalize('NFKC')).match(/[\p{L}\p{M}]+/gu) ?? [];
  const foreign = words.filter((word) => /[^\p{sc=Latin}\p{M}]/u.test(word)).length;
  if (foreign * 2 > words.length) return 'other';
  const telling = words.map(fold).filter((word) => !names.has(word));
  const of = (language: Language): string[] =>
    telling.filter((word) =>
      wordsIn(word, LEXICONS[language]).some((part) => LEXICONS[language].sensesOf(part).size > 0),
    );
  const [english, german, others] = [of('en'), of('de'), telling.filter((word) => OTHERS.has(word))];
  if (others.length > Math.max(english.length, german.length)) return 'other';
  if (english.length !== german.length) return english.length > german.length ? 'en' : 'de';
  // People who write German use English words, "alerts gestern"; the other way round is rare.
  return german.some((word) => !english.includes(word)) ? 'de' : null;
}

/** The language of a query: of its words, else of the user, else English. @param locale BCP 47 */
export function queryLanguage(
  query: string,
  { places, locale }: { readonly places: readonly NamedPlace[]; readonly locale?: string | null },
): Language {
  const names = new Set(places.flatMap(({ name }) => fold(name).match(/[\p{L}\p{M}]+/gu) ?? []));
  const own = locale?.split('-')[0]?.toLowerCase() ?? 'en';
  return languageOf(query, names) ?? languageOf(query) ?? (own === 'de' || own === 'en' ? own : 'other');
}
