import { createHmac, timingSafeEqual } from 'node:crypto';

/** A receiver should refuse timestamps that are further off than this, in seconds. */
export const TOLERANCE_SECONDS = 300;

const STANDARD_SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

export interface Signed {
  /** The exact bytes of the body. */
  readonly body: Uint8Array;
  readonly eventId: string;
  readonly eventType: string;
  /** The id of the delivery record. */
  readonly deliveryId: string;
  readonly at: Date;
  readonly secret: string;
  /** The previous secret, as long as it also signs. */
  readonly previousSecret?: string | null;
}

/** The headers of a delivery: our own and those of Standard Webhooks. */
export function signedHeaders(delivery: Signed): Record<string, string> {
  const { body, eventId, at, secret, previousSecret } = delivery;
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const secrets = previousSecret ? [secret, previousSecret] : [secret];
  return {
    'Content-Type': 'application/json',
    'X-SaaS-Signature': `sha256=${hmac(secret, `${timestamp}.`, body).toString('hex')}`,
    'X-SaaS-Timestamp': timestamp,
    'X-SaaS-Event': delivery.eventType,
    'X-SaaS-Delivery-Id': delivery.deliveryId,
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets
      .map((each) => `v1,${hmac(standardKey(each), `${eventId}.${timestamp}.`, body).toString('base64')}`)
      .join(' '),
  };
}

export interface Received {
  /** The bytes as received: parsing and serialising again may change them. */
  readonly body: Uint8Array;
  /** Names in lower case, as in Node. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly secret: string;
  readonly now: Date;
}

/** Checks a delivery as a receiver should. @returns one sentence that says what is wrong; null when it is genuine */
export function faultInDelivery({ body, headers, secret, now }: Received): string | null {
  const timestamp = headers['x-saas-timestamp'];
  const signature = headers['x-saas-signature'];
  if (typeof timestamp !== 'string' || typeof signature !== 'string') return 'It is not signed.';
  if (!/^\d{1,12}$/.test(timestamp)) return 'Its timestamp is no number.';
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) {
    return `Its timestamp is more than ${TOLERANCE_SECONDS} seconds off.`;
  }
  const expected = Buffer.from(`sha256=${hmac(secret, `${timestamp}.`, body).toString('hex')}`);
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected)
    ? null
    : 'Its signature does not belong to this body and this secret.';
}

const hmac = (key: string | Buffer, prefix: string, body: Uint8Array): Buffer =>
  createHmac('sha256', key).update(prefix).update(body).digest();

/** The decoded bytes after `whsec_`; for any other secret its own bytes. */
function standardKey(secret: string): string | Buffer {
  const encoded = STANDARD_SECRET.exec(secret)?.[1];
  return encoded && encoded.length % 4 === 0 ? Buffer.from(encoded, 'base64') : secret;
}
