import type { Sense } from '../lexicon.ts';
import type { Sentence } from './sentence.ts';

/** A larger number is no count. */
const MOST = 100_000;

/** A number in digits or words. */
export function numberAt(sentence: Sentence, at: number): Sense<number> | undefined {
  if (!sentence.isFree(at)) return undefined;
  const { kind, plain } = sentence.tokens[at]!;
  if (kind === 'number') return { value: Math.min(MOST, Number(plain.replace(',', '.'))), length: 1 };
  return sentence.free<number>('number', at);
}
