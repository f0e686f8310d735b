import { randomInt } from 'node:crypto';

/** Letters and digits that are hard to confuse. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const GROUPS = 5;
const GROUP = 5;

/** A code of 25 letters and digits (123 random bits) in groups, for a link or to be typed. */
export const makeCode = (): string =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  ).join('-');

/** The code as `makeCode` writes it, whatever case and separators a person has typed; null if it cannot be one. */
export function readCode(typed: string): string | null {
  const letters = typed.toLowerCase().replaceAll(/[\s-]/g, '');
  if (letters.length !== GROUPS * GROUP || [...letters].some((one) => !ALPHABET.includes(one))) return null;
  return letters.replaceAll(/.{5}(?=.)/g, '$&-');
}

/** Path of the page that takes a code. The code is in the fragment, which browsers send to nobody. */
export const codePath = (page: 'enter' | 'setup', code: string): string => `/#/${page}?code=${code}`;
