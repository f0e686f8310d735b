import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type { Context } from '../../../platform/context.ts';

/** A code is valid for so long. */
export const CODE_MINUTES = 30;
/** A code ends with so many wrong ones. */
export const CODE_TRIES = 5;
const DIGITS = 8;

export const makeCode = (): string => String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');

/** The digits of a code as a person has typed it, with spaces or dashes. */
export const readCode = (typed: string): string => typed.replaceAll(/[\s-]/g, '');

/** Codes are short, so the hash has a key: who reads the database cannot try them all. */
export const hashCode = (
  { urlSigningKey }: Pick<Context, 'urlSigningKey'>,
  channelId: string,
  code: string,
): Buffer => createHmac('sha256', urlSigningKey).update(`channel ${channelId}\n${code}`).digest();

export const isSameHash = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && timingSafeEqual(one, other);
