import { z } from 'zod';
import { id, nameText, text, timestamp } from '../../../http/fields.ts';
import { pageFields } from '../../../http/paging.ts';
import { mailAddress } from '../../../platform/mail/smtp-url.ts';
import { ChannelKind, ChannelStatus } from '../../../platform/prisma-client/enums.ts';

const kind = z.enum(ChannelKind).meta({ description: '`email`, or `push` for a browser (Web Push)' });
const status = z.enum(ChannelStatus).meta({
  description:
    '`unconfirmed`: the code of the e-mail address has not come back; `enabled`: messages are sent; `disabled`: the browser has ended its subscription, or every attempt failed for 120 hours',
});

const OF_KIND = { email: ['address'], push: ['endpoint', 'p256dh', 'auth'] } as const;

export const createChannelBody = z
  .strictObject({
    kind,
    name: nameText(1, 100)
      .optional()
      .meta({ description: 'Name for people, like `Phone`, 1-100 characters' }),
    address: mailAddress.optional().meta({ description: 'E-mail address; only for `email`' }),
    endpoint: text(1, 2000).optional().meta({
      description: '`endpoint` of the browser’s PushSubscription, a public https address; only for `push`',
    }),
    p256dh: text(1, 200)
      .optional()
      .meta({ description: '`keys.p256dh` of the PushSubscription; only for `push`' }),
    auth: text(1, 100)
      .optional()
      .meta({ description: '`keys.auth` of the PushSubscription; only for `push`' }),
  })
  .superRefine((body, context) => {
    for (const [of, fields] of Object.entries(OF_KIND)) {
      for (const path of fields) {
        if ((body[path] !== undefined) === (of === body.kind)) continue;
        const message =
          of === body.kind ? `belongs to every channel of kind ${of}` : `is only for kind ${of}`;
        context.addIssue({ code: 'custom', path: [path], message });
      }
    }
  })
  .transform((body): CreateChannel => body as CreateChannel);

export type CreateChannel = { readonly name?: string | undefined } & (
  | { readonly kind: 'email'; readonly address: string }
  | { readonly kind: 'push'; readonly endpoint: string; readonly p256dh: string; readonly auth: string }
);

export const confirmBody = z.strictObject({
  code: text(1, 50).meta({ description: 'The code of the e-mail; spaces and dashes do not count' }),
});

export const listChannelsQuery = z.object({
  ...pageFields(),
  kind: kind.optional().meta({ description: 'Only channels of this kind' }),
  status: status.optional().meta({ description: 'Only channels in this state' }),
});

export const channel = z
  .strictObject({
    id: id(),
    kind,
    name: z.string().nullable(),
    status,
    address: z.string().meta({ description: 'E-mail address, or host of the push service' }),
    codeExpiresAt: timestamp().nullable().meta({
      description: 'Until when the code that was sent last is valid; null if none is awaited',
    }),
    confirmedAt: timestamp()
      .nullable()
      .meta({ description: 'When the channel was confirmed; null before that' }),
    failingSince: timestamp()
      .nullable()
      .meta({ description: 'Since when every attempt fails; null if the last one succeeded' }),
    disabledAt: timestamp()
      .nullable()
      .meta({ description: 'When the channel was disabled; null while it is not' }),
    disabledReason: z.string().nullable().meta({ description: 'Reason in one sentence' }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'NotificationChannel', description: 'Where messages are sent' });

export const pushKey = z
  .strictObject({
    publicKey: z.string().meta({
      description: 'The `applicationServerKey` of `PushManager.subscribe()`, in base64url; it never changes',
    }),
  })
  .meta({ id: 'PushKey' });
