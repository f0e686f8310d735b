import { InvalidArgumentError } from 'commander';

// Parsers of command line values, for commander. Each throws InvalidArgumentError with the values it accepts.

/** A whole number from `least` to `most`. */
export function count(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== '' && Number.isSafeInteger(value) && value >= least && value <= most) return value;
    const upTo = most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`;
    throw new InvalidArgumentError(`It must be a whole number from ${least}${upTo}.`);
  };
}

/** A sha256, also as `sha256:…`, in lower case. */
export function digest(text: string): string {
  const found = /^(?:sha256:)?([0-9a-f]{64})$/.exec(text.trim().toLowerCase())?.[1];
  if (found) return found;
  throw new InvalidArgumentError('It must be a sha256: 64 hexadecimal digits.');
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
  if (!(value >= 0 && value <= 1)) throw new InvalidArgumentError('It must be a number from 0 to 1.');
  return value;
}

/** Parses several of these words, separated by commas. */
export function someOf<T extends string>(words: readonly T[]): (text: string) => T[] {
  return (text) => {
    const given = text.split(',');
    const unknown = given.find((word) => !words.some((known) => known === word));
    if (unknown === undefined) return given as T[];
    throw new InvalidArgumentError(`"${unknown}" is none of ${words.join(', ')}.`);
  };
}
