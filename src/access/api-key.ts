import { hash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * An API key: `vas_<8 base62 id>_<32 base62 secret><6 base62 CRC32>`. The id finds the row, the secret (190 bits)
 * authenticates, and the checksum detects typing errors without a database query and helps scanners for leaked keys.
 */
export interface ParsedKey {
  readonly keyId: string;
  readonly secret: string;
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY = /^(vas_([0-9A-Za-z]{8})_([0-9A-Za-z]{32}))([0-9A-Za-z]{6})$/;

const random62 = (length: number) => Array.from({ length }, () => BASE62[randomInt(62)]).join('');

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let at = 0; at < 6; at++) {
    digits = `${BASE62[rest % 62]}${digits}`;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** @param body `vas_<id>_<secret>` */
export const withChecksum = (body: string): string => `${body}${checksum(body)}`;

/** @returns the key, which is shown once, and the values that are stored */
export function makeApiKey(): {
  key: string;
  keyId: string;
  secretHash: Uint8Array<ArrayBuffer>;
  last4: string;
} {
  const keyId = random62(8);
  const secret = random62(32);
  const body = `vas_${keyId}_${secret}`;
  const key = withChecksum(body);
  return { key, keyId, secretHash: hashSecret(secret), last4: key.slice(-4) };
}

/** @returns null for a text that `makeApiKey` cannot have created */
export function parseApiKey(text: string): ParsedKey | null {
  const [, body, keyId, secret, check] = KEY.exec(text) ?? [];
  if (!body || !keyId || !secret || checksum(body) !== check) return null;
  return { keyId, secret };
}

/** SHA-256; a long random secret needs no slow hash. */
export const hashSecret = (secret: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(hash('sha256', secret, 'buffer'));

/** Compares in constant time. */
export const isSecret = (secret: string, secretHash: Uint8Array): boolean =>
  timingSafeEqual(hashSecret(secret), secretHash);
