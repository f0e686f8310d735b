import { invalidField } from '../../http/errors.ts';

/** Of the five scores of zxcvbn those from 3 on need 10⁸ guesses or more. */
const LEAST_SCORE = 3;
/** A pattern repeats, so that the beginning tells; the time for a long text of odd characters would grow to seconds. */
const LOOKED_AT = 32;
const MOST_OWN_WORDS = 20;

/** Read once somebody sets a password: the lists of common ones take 17 MB. */
const makeGuesser = async () => {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs: graphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs, maxLength: LOOKED_AT, l33tMaxSubstitutions: 4 });
};
let guesser: ReturnType<typeof makeGuesser> | null = null;

/**
 * Refuses a password that programs guess soon: common ones, patterns of the keyboard, repeats, dates, and the words of the
 * account.
 * @param own what others know of the user: e-mail address, name
 * @throws ApiError VALIDATION_ERROR
 */
export async function requireStrong(password: string, own: readonly (string | null)[]): Promise<void> {
  guesser ??= makeGuesser();
  const known = own.filter((text) => text !== null);
  const words = known.flatMap((text) => [text.slice(0, LOOKED_AT), ...text.split(/[^\p{L}\p{N}]+/u)]);
  const ownWords = words.filter((word) => word.length > 2).slice(0, MOST_OWN_WORDS);
  // Keyboards write the same letter in different ways.
  const text = password.normalize('NFKC').slice(0, LOOKED_AT);
  const { score } = (await guesser).check(text, ownWords);
  if (score >= LEAST_SCORE) return;
  throw invalidField(
    'password',
    'is easy to guess: take several words that do not belong together, and neither your name nor your e-mail address',
  );
}
