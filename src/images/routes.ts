import { z } from 'zod';
import { notFound } from '../http/errors.ts';
import { Binary, route } from '../http/route.ts';
import { isImageKey } from '../platform/images/image-store.ts';
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
    handler: async ({ context, params, query }) => {
      const key = `${params.day}/${params.name}`;
      const maxAgeSeconds = isImageKey(key) ? remainingSeconds(context, { key, ...query }) : null;
      const bytes = maxAgeSeconds === null ? null : await context.images.get(key);
      if (maxAgeSeconds === null || !bytes) throw notFound('Image');
      return new Binary(bytes, { maxAgeSeconds });
    },
  }),
];
