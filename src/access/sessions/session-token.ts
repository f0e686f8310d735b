import { hash, randomBytes } from 'node:crypto';

/** The value of a session cookie: 32 random bytes. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export const makeToken = (): string => randomBytes(32).toString('base64url');

export const isToken = (text: string): boolean => TOKEN.test(text);

/** The stored form of a token or code; a long random text needs no slow hash. */
export const hashOf = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(hash('sha256', text, 'buffer'));
