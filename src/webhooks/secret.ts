import { randomBytes } from 'node:crypto';
import type { Sealer } from '../platform/crypto.ts';

const BINDING = 'webhook.secret';

/** The old secret signs along for this long after it was replaced. */
export const OVERLAP_HOURS = 24;

/** As Standard Webhooks has them: 32 random bytes. */
export const makeSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** What is stored of a secret. */
export const sealSecret = (sealer: Sealer, secret: string) => ({
  secretEncrypted: sealer.seal(secret, BINDING),
  secretLast4: secret.slice(-4),
});

/** @throws Error when ENCRYPTION_KEYS lacks the key that sealed it */
export const openSecret = (sealer: Sealer, sealed: string): string => sealer.open(sealed, BINDING);
