import { z } from 'zod';
import { strangerAt } from '../audit/record-audit.ts';
import { recordHourly } from '../audit/record-once.ts';
import { notFound } from '../http/errors.ts';
import { Binary, route } from '../http/route.ts';
import type { Context } from '../platform/context.ts';
import { isImageKey, ownerOf } from '../platform/images/image-store.ts';
import { remainingSeconds } from '../platform/images/image-url.ts';

const imageParams = z.object({
  day: z.string().meta({ description: 'First part of the image key, from a signed address' }),
  name: z.string().meta({ description: 'Second part of the image key, from a signed address' }),
});

/** Every fault in an address leads to NOT_FOUND. */
const imageQuery = z.object({
  expires: z.string().catch('').meta({ description: 'When the address expires, Unix seconds' }),
  signature: z.string().catch('').meta({ description: 'Signature of the address' }),
});

/** Entries of opened images of a user in an hour. */
const MOST_ENTRIES = 500;

/** Writes into the audit log that somebody at this network address has opened an image of a user. */
async function recordOpened(
  { db, clock }: Pick<Context, 'clock' | 'db'>,
  key: string,
  address: string | null,
): Promise<void> {
  const userId = ownerOf(key);
  if (userId === null) return;
  const actor = strangerAt(address);
  const about = { userId, actor, action: 'image_viewed', at: clock.now() } as const;
  await recordHourly(db, { ...about, key: actor.networkAddress ?? 'unknown', most: MOST_ENTRIES });
}

export const imageRoutes = [
  route({
    name: 'getImage',
    method: 'get',
    path: '/images/{day}/{name}',
    scope: null,
    summary: 'Read an image by its signed address',
    description:
      '`snapshotUrls` and `thumbnailUrl` contain such addresses; use them unchanged. They need no API key. Addresses in API answers expire after one hour, those in webhooks after seven days. The answer is 404 if the address has expired or was changed, or if the image was deleted after its retention time.',
    params: imageParams,
    query: imageQuery,
    produces: 'image/jpeg',
    errors: ['NOT_FOUND'],
  }).answers(async ({ context, client, params, query }) => {
    const key = `${params.day}/${params.name}`;
    const maxAgeSeconds = isImageKey(key) ? remainingSeconds(context, { key, ...query }) : null;
    const bytes = maxAgeSeconds === null ? null : await context.images.get(key);
    if (maxAgeSeconds === null || !bytes) throw notFound('Image');
    await recordOpened(context, key, client.address);
    return new Binary(bytes, { maxAgeSeconds });
  }),
];
