import { InvalidArgumentError } from 'commander';

/** Parsers of command line values, for commander. */
export function share(text: string): number {
  const value = Number(text);
  if (!(value >= 0 && value <= 1)) throw new InvalidArgumentError('A number from 0 to 1 is expected.');
  return value;
}

export function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('A number above 0 is expected.');
  return value;
}
