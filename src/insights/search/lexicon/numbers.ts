import { existing } from '../../../catalogue/items/items.ts';
import type { Language } from './lexicon.ts';

const WORDS: Readonly<Record<'en' | 'de', string>> = {
  en: 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
  de: 'eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig',
};
const MORE: Readonly<Record<'en' | 'de', Readonly<Record<string, number>>>> = {
  en: {
    thirty: 30,
    forty: 40,
    fifty: 50,
    sixty: 60,
    ninety: 90,
    dozen: 12,
    'half a dozen': 6,
    'two dozen': 24,
  },
  de: {
    ...{ ein: 1, eine: 1, einer: 1, einem: 1, einen: 1, zwo: 2 },
    ...{ dreißig: 30, vierzig: 40, fünfzig: 50, sechzig: 60, neunzig: 90, dutzend: 12 },
    ...{ anderthalb: 1.5, 'ein dutzend': 12, 'einem dutzend': 12, 'zwei dutzend': 24 },
    ...{ 'halbes dutzend': 6, 'ein halbes dutzend': 6, 'einem halben dutzend': 6 },
  },
};

const fold = (word: string) =>
  word
    .replace(/ß/g, 'ss')
    .replace(/[äöü]/g, (letter) => existing({ ä: 'a', ö: 'o', ü: 'u' }[letter], 'letter'));

/** The number of each word or phrase of a language, also without umlauts. */
export const numberWords = (language: Language): ReadonlyMap<string, number> => NUMBERS[language];

const valuesOf = (language: 'en' | 'de'): ReadonlyMap<string, number> => {
  const counted = WORDS[language].split(' ').map((word, at) => [word, at + 1] as const);
  const halves = counted.flatMap(([word, value]) =>
    (language === 'en' ? [`${word} and a half`] : [`${word.replace('eins', 'ein')}einhalb`]).map(
      (half) => [half, value + 0.5] as const,
    ),
  );
  const all = [...counted, ...halves, ...Object.entries(MORE[language])];
  const typed = (word: string) => word.replace(/ä/g, 'ae').replace(/ö/g, 'oe').replace(/ü/g, 'ue');
  return new Map(
    all.flatMap(([word, value]) => [word, fold(word), typed(word)].map((one) => [one, value] as const)),
  );
};

const NUMBERS: Readonly<Record<Language, ReadonlyMap<string, number>>> = {
  en: valuesOf('en'),
  de: valuesOf('de'),
  other: new Map(),
};

/** Pattern source of a number in digits or words; longer words come first. */
export const numberPattern = (language: Language): string =>
  [...['\\d{1,4}'], ...[...NUMBERS[language].keys()].sort((a, b) => b.length - a.length)].join('|');

/** @param text as matched by `numberPattern` */
export const numberOf = (text: string, language: Language): number =>
  NUMBERS[language].get(text) ?? Number(text);
