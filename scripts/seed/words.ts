/** A thing that summaries name, and the share of all insights that name it. */
export interface Term {
  readonly word: string;
  /** As it stands in a sentence. */
  readonly phrase: string;
  readonly share: number;
}

const THINGS = [
  'accordion',
  'aquarium',
  'balloon',
  'bicycle',
  'bouquet',
  'broom',
  'bucket',
  'cane',
  'carton',
  'clipboard',
  'cooler',
  'crutches',
  'drone',
  'easel',
  'envelope',
  'fan',
  'guitar',
  'hammer',
  'handcart',
  'helmet',
  'ladder',
  'lantern',
  'megaphone',
  'newspaper',
  'parcel',
  'pillow',
  'puddle',
  'rollator',
  'scooter',
  'skateboard',
  'sled',
  'stroller',
  'suitcase',
  'tablet',
  'tripod',
  'trolley',
  'tuba',
  'umbrella',
  'wheelchair',
  'wreath',
]; // prettier-ignore

const RAREST = 0.0001;
const COMMONEST = 0.05;

const phraseOf = (word: string) =>
  word.endsWith('s') ? word : `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`;

/** Forty things, from one insight in ten thousand to one in twenty. */
export const TERMS: readonly Term[] = THINGS.map((word, at) => ({
  word,
  phrase: phraseOf(word),
  share: RAREST * (COMMONEST / RAREST) ** (at / (THINGS.length - 1)),
}));

/** Half of all insights have this word. */
export const COMMON_WORD = 'queue';

// prettier-ignore
export const PLACES = [
  'the till',
  'the entrance',
  'the counter',
  'the ticket machine',
  'the pharmacy desk',
  'the bakery',
];
export const ENVIRONMENTS = ['indoor shop', 'bright hall', 'crowded foyer', 'dim corridor', 'bank branch'];
export const ACTIVITIES = ['waiting', 'paying', 'talking', 'reading a phone', 'packing', 'looking around'];
export const SUGGESTIONS = ['Open another till', 'Send somebody to help', 'Keep watching', 'Clear the way'];
