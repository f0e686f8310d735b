import { createHash } from 'node:crypto';
import { z } from 'zod';
import { received } from '../../platform/explain/received.ts';
import { ApiError } from '../errors.ts';

export const HEADER = 'Idempotency-Key';
/** Header of a stored answer. */
export const REPLAYED = 'Idempotency-Replayed';

/** The example of the documentation. All who copy it would use the same key. */
export const EXAMPLE_KEY = '8e03978e-40d5-43dd-bc93-6894a57f9324';

const VISIBLE = /^[\x21-\x7e]{1,255}$/;

/** The header in the OpenAPI document. */
export const IDEMPOTENCY_HEADER = z.object({
  [HEADER]: z.string().regex(VISIBLE).optional().meta({
    description:
      'Makes it safe to repeat this call. Within 24 hours a request with the same key is executed once; repetitions get the first answer again. 1-255 visible ASCII characters; use a new random value, for example a UUID, for each resource',
    example: EXAMPLE_KEY,
  }),
});

/** The key as it was sent; null if there is none. @throws ApiError VALIDATION_ERROR */
export function readKey(sent: string | undefined): string | null {
  if (sent === undefined) return null;
  if (VISIBLE.test(sent)) return sent;
  const message = `must be 1-255 visible ASCII characters, without spaces, sent once; received ${received(sent, [HEADER])}`;
  throw new ApiError('VALIDATION_ERROR', `${HEADER}: ${message}`, [{ path: HEADER, message }]);
}

/** The stored form of a key; it has a fixed length. */
export const hashOf = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(text).digest());

/** Equal for equal requests; the order of fields does not matter. */
export const digestOf = (request: unknown): string =>
  createHash('sha256').update(sorted(request)).digest('hex');

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_name, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
