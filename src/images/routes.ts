import { z } from 'zod';
import { notFound } from '../http/errors.ts';
import { Binary, route } from '../http/route.ts';
import { isImageKey } from '../platform/images/image-store.ts';
import { remainingSeconds } from '../platform/images/image-url.ts';

const imageParams = z.object({
  day: z.string().meta({ description: 'First part of the image’s key, as the address has it' }),
  name: z.string().meta({ description: 'Second part of the image’s key, as the address has it' }),
});

/** Every fault in an address leads to NOT_FOUND. */
const imageQuery = z.object({
  expires: z.string().catch('').meta({ description: 'Until when the address works, seconds since 1970' }),
  signature: z.string().catch('').meta({ description: 'Proof that the service made this address' }),
});

export const imageRoutes = [
  route({
    method: 'get',
    path: '/images/{day}/{name}',
    scope: null,
    summary: 'See an image at its signed address',
    description:
      'Addresses like this stand in `snapshotUrls` and `thumbnailUrl`: use them as they are. They need no key and ' +
      'expire: after an hour those of API answers, after seven days those of webhooks. An address that has expired ' +
      'or was changed, and an image past its retention, is 404.',
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
