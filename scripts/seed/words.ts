/** A thing that summaries name. */
export interface Term {
  readonly word: string;
  /** The word with its article. */
  readonly phrase: string;
  /** The share of all insights that name it. */
  readonly share: number;
}

const THINGS = `
  accordion aquarium balloon bicycle bouquet broom bucket cane carton clipboard cooler crutches drone easel
  envelope fan guitar hammer handcart helmet ladder lantern megaphone newspaper parcel pillow puddle
  rollator scooter skateboard sled stroller suitcase tablet tripod trolley tuba umbrella wheelchair wreath
`
  .trim()
  .split(/\s+/);

const RAREST = 0.0001;
const COMMONEST = 0.05;

const phraseOf = (word: string) =>
  word.endsWith('s') ? word : `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`;

/** Forty things, named by one insight in ten thousand up to one in twenty. */
export const TERMS: readonly Term[] = THINGS.map((word, at) => ({
  word,
  phrase: phraseOf(word),
  share: RAREST * (COMMONEST / RAREST) ** (at / (THINGS.length - 1)),
}));

/** Half of all summaries have this word. */
export const COMMON_WORD = 'queue';

export const PLACES = ['till', 'entrance', 'counter', 'ticket machine', 'pharmacy desk', 'bakery'].map(
  (place) => `the ${place}`,
);
export const ENVIRONMENTS = ['indoor shop', 'bright hall', 'crowded foyer', 'dim corridor', 'bank branch'];
export const ACTIVITIES = ['waiting', 'paying', 'talking', 'reading a phone', 'packing', 'looking around'];
export const SUGGESTIONS = ['Open another till', 'Send somebody to help', 'Keep watching', 'Clear the way'];
