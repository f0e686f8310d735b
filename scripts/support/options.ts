import { InvalidArgumentError } from 'commander';

/** Parsers of command line values, for commander: each throws InvalidArgumentError, saying what it must be. */

/** A whole number from `least`. */
export function count(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isSafeInteger(value) && value >= least) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least}.`);
  };
}

/** A number above 0. */
export function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}

/** A number from 0 to 1. */
export function share(text: string): number {
  const value = Number(text);
  if (!(value >= 0 && value <= 1)) throw new InvalidArgumentError('A number from 0 to 1 is expected.');
  return value;
}
