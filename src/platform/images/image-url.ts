import { createHmac } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { publicAddress } from '../public-address.ts';
import { isSameSignature } from '../same-signature.ts';

/** Validity of an address in an answer of the API. */
const IN_ANSWERS_SECONDS = 3_600;
/** Validity of an address in a webhook, which people may open days later. */
export const IN_WEBHOOKS_SECONDS = 7 * 86_400;
/** An address stays the same for this time, so that a browser can use its cache. */
const STEP_SECONDS = 300;

export interface UrlContext {
  readonly config: Pick<Config, 'publicUrl' | 'host' | 'port'>;
  readonly clock: Clock;
  /** The API and every worker use the same key. */
  readonly urlSigningKey: string;
}

/**
 * The full address of an image. Everybody who has it can see the image, without an API key, until it expires.
 * @param key key of the image in the storage
 * @param options.ttlSeconds least validity; the address is valid for at most five minutes more
 */
export function imageUrl(
  context: UrlContext,
  key: string,
  { ttlSeconds = IN_ANSWERS_SECONDS }: { ttlSeconds?: number } = {},
): string {
  const untilSeconds = context.clock.now().getTime() / 1000 + ttlSeconds;
  const expires = String(Math.ceil(untilSeconds / STEP_SECONDS) * STEP_SECONDS);
  const signature = sign(context.urlSigningKey, key, expires).toString('base64url');
  return `${publicAddress(context.config)}/api/v1/images/${key}?expires=${expires}&signature=${signature}`;
}

/** @returns remaining validity in seconds; null for an expired address or a wrong signature */
export function remainingSeconds(
  { urlSigningKey, clock }: Pick<UrlContext, 'urlSigningKey' | 'clock'>,
  { key, expires, signature }: { key: string; expires: string; signature: string },
): number | null {
  const wanted = sign(urlSigningKey, key, expires);
  if (!isSameSignature(signature, wanted)) return null;
  const seconds = Number(expires) - clock.now().getTime() / 1000;
  return seconds > 0 ? Math.floor(seconds) : null;
}

/** Signs the parts of the address. A key contains no line break, so the parts cannot be confused. */
const sign = (signingKey: string, key: string, expires: string): Buffer =>
  createHmac('sha256', signingKey).update(`image\n${key}\n${expires}`).digest();
