import { randomBytes } from 'node:crypto';
import type { Sealer } from '../../platform/crypto.ts';
import type { SealedColumn } from '../../platform/database/reseal.store.ts';

const BINDING = 'webhook.secret';

export const SEALED_SECRETS: readonly SealedColumn[] = ['secretEncrypted', 'previousSecretEncrypted'].map(
  (column) => ({
    ...{ table: 'Webhook', column, boundTo: 'id' },
    bindingOf: () => BINDING,
  }),
);

/** Time after a replacement in which deliveries are signed with the old secret too. */
export const OVERLAP_HOURS = 24;

/** A secret as Standard Webhooks defines it: 32 random bytes. */
export const makeSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** The encrypted form of a secret that is stored. */
export const sealSecret = (sealer: Sealer, secret: string) => ({
  secretEncrypted: sealer.seal(secret, BINDING),
  secretLast4: secret.slice(-4),
});

/** @throws Error when ENCRYPTION_KEYS lacks the key that sealed it */
export const openSecret = (sealer: Sealer, sealed: string): string => sealer.open(sealed, BINDING);
