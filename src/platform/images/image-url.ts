import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../config.ts';
import type { Clock } from '../clock.ts';

/** How long an address works that the API answers. */
const IN_ANSWERS_SECONDS = 3_600;
/** How long one works that a webhook carries: its receiver may look at it days later. */
export const IN_WEBHOOKS_SECONDS = 7 * 86_400;
/** An address stays the same for so long, so that a browser that asks again has the picture already. */
const STEP_SECONDS = 300;

export interface UrlContext {
  readonly config: Pick<Config, 'publicUrl' | 'host' | 'port'>;
  readonly clock: Clock;
  /** The same on the API and every worker. */
  readonly urlSigningKey: string;
}

/**
 * The full address of a picture: whoever has it can see the picture, without a key, until it expires.
 * @param key of the picture in the store
 * @param options.ttlSeconds how long it works at least; five minutes more at most
 */
export function imageUrl(
  context: UrlContext,
  key: string,
  { ttlSeconds = IN_ANSWERS_SECONDS }: { ttlSeconds?: number } = {},
): string {
  const { publicUrl, host, port } = context.config;
  const base = publicUrl?.replace(/\/+$/, '') ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const untilSeconds = context.clock.now().getTime() / 1000 + ttlSeconds;
  const expires = String(Math.ceil(untilSeconds / STEP_SECONDS) * STEP_SECONDS);
  const signature = sign(context.urlSigningKey, key, expires).toString('base64url');
  return `${base}/api/v1/images/${key}?expires=${expires}&signature=${signature}`;
}

/** @returns the seconds for which the address still works; null when it has expired or was not made by us */
export function remainingSeconds(
  { urlSigningKey, clock }: Pick<UrlContext, 'urlSigningKey' | 'clock'>,
  { key, expires, signature }: { key: string; expires: string; signature: string },
): number | null {
  const wanted = sign(urlSigningKey, key, expires);
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null;
  const seconds = Number(expires) - clock.now().getTime() / 1000;
  return seconds > 0 ? Math.floor(seconds) : null;
}

/** Over exactly what stands in the address; a key holds no line break. */
const sign = (signingKey: string, key: string, expires: string): Buffer =>
  createHmac('sha256', signingKey).update(`image\n${key}\n${expires}`).digest();
