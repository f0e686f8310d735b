// One to twenty in the languages of the parser, without accents.
const WORDS: readonly (readonly string[])[] = [
  [
    'one',
    'ein',
    'eine',
    'einer',
    'einem',
    'einen',
    'une',
    'uno',
    'una',
    'um',
    'uma',
    'een',
    'один',
    'одного',
    '一',
  ],
  ['two', 'zwei', 'deux', 'dos', 'due', 'dois', 'duas', 'twee', 'два', 'двух', '二', '两', '两个'],
  ['three', 'drei', 'trois', 'tres', 'tre', 'drie', 'три', 'трех', 'трёх', '三'],
  ['four', 'vier', 'quatre', 'cuatro', 'quattro', 'quatro', 'четыре', 'четырех', 'четырёх', '四'],
  ['five', 'funf', 'cinq', 'cinco', 'cinque', 'vijf', 'пять', 'пяти', '五'],
  ['six', 'sechs', 'seis', 'sei', 'zes', 'шесть', 'шести', '六'],
  ['seven', 'sieben', 'sept', 'siete', 'sette', 'sete', 'zeven', 'семь', 'семи', '七'],
  ['eight', 'acht', 'huit', 'ocho', 'otto', 'oito', 'восемь', 'восьми', '八'],
  ['nine', 'neun', 'neuf', 'nueve', 'nove', 'negen', 'девять', 'девяти', '九'],
  ['ten', 'zehn', 'dix', 'diez', 'dieci', 'dez', 'tien', 'десять', 'десяти', '十'],
  ['eleven', 'elf', 'onze', 'once', 'undici', 'одиннадцать', 'одиннадцати'],
  ['twelve', 'zwolf', 'douze', 'doce', 'dodici', 'doze', 'twaalf', 'двенадцать', 'двенадцати'],
  ['thirteen', 'dreizehn', 'treize', 'trece', 'tredici', 'treze', 'dertien'],
  ['fourteen', 'vierzehn', 'quatorze', 'catorce', 'quattordici', 'veertien'],
  ['fifteen', 'funfzehn', 'quinze', 'quince', 'quindici', 'vijftien', 'пятнадцать', 'пятнадцати'],
  ['sixteen', 'sechzehn', 'seize', 'dieciseis', 'sedici', 'dezesseis', 'zestien'],
  ['seventeen', 'siebzehn', 'dix-sept', 'diecisiete', 'diciassette', 'dezessete', 'zeventien'],
  ['eighteen', 'achtzehn', 'dix-huit', 'dieciocho', 'diciotto', 'dezoito', 'achttien'],
  ['nineteen', 'neunzehn', 'dix-neuf', 'diecinueve', 'diciannove', 'dezenove', 'negentien'],
  ['twenty', 'zwanzig', 'vingt', 'veinte', 'venti', 'vinte', 'twintig', 'двадцать', 'двадцати', '二十'],
];

const TENS: readonly (readonly [string, number])[] = [
  [30, 'thirty dreissig dreißig trente treinta trenta тридцать тридцати'],
  [40, 'forty vierzig quarante cuarenta quaranta сорок сорока'],
  [50, 'fifty funfzig cinquante cincuenta cinquanta пятьдесят пятидесяти'],
  [60, 'sixty sechzig soixante sesenta sessanta шестьдесят шестидесяти'],
].flatMap(([value, words]) =>
  String(words)
    .split(' ')
    .map((word): [string, number] => [word, Number(value)]),
);

const VALUES = new Map<string, number>([
  ...WORDS.flatMap((words, at) => words.map((word): [string, number] => [word, at + 1])),
  ...TENS,
  ['dozen', 12],
  ['dutzend', 12],
  ['douzaine', 12],
]);

/** The number of each word. */
export const NUMBER_WORDS: readonly (readonly [word: string, value: number])[] = [...VALUES];

/** Pattern source of a number in digits or words; longer words come first. */
export const NUMBER = `\\d{1,4}|${[...VALUES.keys()].toSorted((a, b) => b.length - a.length).join('|')}`;

/** @param text as matched by NUMBER */
export const numberOf = (text: string): number => VALUES.get(text) ?? Number(text);
