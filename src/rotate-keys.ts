import { SEALED_ANALYSIS_STREAM_URL, SEALED_STREAM_URL } from './cameras/devices/stream-url.ts';
import { resealPushKeys } from './delivery/notifications/channels/push-keys.ts';
import { SEALED_BROWSER } from './delivery/notifications/channels/push-request.ts';
import { SEALED_CONTENT } from './delivery/notifications/delivery/content.ts';
import { SEALED_SECRETS } from './delivery/webhooks/secret.ts';
import type { Context } from './platform/context.ts';
import { type Resealed, resealColumn, type SealedColumn } from './platform/database/reseal.store.ts';

/** All columns of sealed text that stay longer than a day. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  SEALED_STREAM_URL,
  SEALED_ANALYSIS_STREAM_URL,
  ...SEALED_SECRETS,
  SEALED_BROWSER,
  SEALED_CONTENT,
];

/** Columns of sealed text that are gone within a day, so that nobody seals them again. */
export const SHORT_LIVED: readonly string[] = [
  'IdempotentCall.requestSealed',
  'IdempotentCall.answerSealed',
  'DiscoveryRequest.loginEncrypted',
  'DiscoveryRequest.camerasEncrypted',
];

export interface RotatedColumn extends Resealed {
  readonly name: string;
}

/**
 * Seals everything again with the first of ENCRYPTION_KEYS, beside running programs, whose ENCRYPTION_KEYS must have that key too.
 * A second call continues after an interruption.
 * @param onColumn called after each column
 */
export async function rotateKeys(
  { db, sealer }: Pick<Context, 'db' | 'sealer'>,
  onColumn: (done: number, total: number) => void = () => {},
): Promise<RotatedColumn[]> {
  const total = SEALED_COLUMNS.length + 1;
  const rotated: RotatedColumn[] = [];
  for (const sealed of SEALED_COLUMNS) {
    rotated.push({
      name: `${sealed.table}.${sealed.column}`,
      ...(await resealColumn(db, sealer, sealed)),
    });
    onColumn(rotated.length, total);
  }
  rotated.push({ name: 'Setting.pushKeys', ...(await resealPushKeys({ db, sealer })) });
  onColumn(total, total);
  return rotated;
}
