import { RefusedAddress } from './network-guard.ts';

/** Codes of Node → the words ffmpeg has for them, which `explainFault` explains to people. */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Connection refused',
  ECONNRESET: 'Connection reset',
  EPIPE: 'Broken pipe',
  ETIMEDOUT: 'Connection timed out',
  EHOSTUNREACH: 'No route to host',
  ENETUNREACH: 'Network is unreachable',
  ENOTFOUND: 'Name or service not known',
  EAI_AGAIN: 'Name resolution failed',
};

/** Why a connection could not be made, in words; never an address. */
export function faultWords(error: unknown): string {
  if (error instanceof RefusedAddress) return 'Address not on whitelist';
  const { code = '' } = error as NodeJS.ErrnoException;
  if (/^(EPROTO$|ERR_SSL_)/.test(code)) return 'TLS handshake failed';
  return WORDS[code] ?? 'Input/output error';
}
