import { z } from 'zod';
import type { Sealer } from '../../../platform/crypto.ts';
import type { SealedColumn } from '../../../platform/database/reseal.store.ts';

const attachment = z.object({
  filename: z.string(),
  contentType: z.string(),
  /** Base64. */
  content: z.string(),
  contentId: z.string().optional(),
});

const content = z.union([
  /** The code of an e-mail address. */
  z.object({ code: z.string() }),
  /** A message that another room has written. */
  z.object({
    mail: z.object({
      subject: z.string(),
      text: z.string(),
      html: z.string(),
      attachments: z.array(attachment),
      headers: z.record(z.string(), z.string()),
    }),
    /** The same for a browser. */
    push: z.object({ title: z.string(), body: z.string(), url: z.string() }),
  }),
]);

/** What a message says that is not about events. */
export type Content = z.output<typeof content>;

const bindingOf = (messageId: string): string => `notification:${messageId}`;

export const SEALED_CONTENT: SealedColumn = {
  ...{ table: 'Notification', column: 'contentEncrypted', boundTo: 'messageId' },
  bindingOf,
};

/** Codes and reports are not for everybody who can read the database. */
export const sealContent = (sealer: Sealer, messageId: string, value: Content): string =>
  sealer.seal(JSON.stringify(value), bindingOf(messageId));

/** @throws Error when ENCRYPTION_KEYS lacks the key that sealed it */
export const openContent = (sealer: Sealer, messageId: string, sealed: string): Content =>
  content.parse(JSON.parse(sealer.open(sealed, bindingOf(messageId))));
