import { askPage, donePage } from '../../../delivery/notifications/subscriptions/unsubscribe-page.ts';
import { type Language, languageOf } from '../../../delivery/notifications/texts/language.ts';
import { notFound } from '../../../http/errors.ts';
import { idParams } from '../../../http/fields.ts';
import { route } from '../../../http/route.ts';
import type { Context } from '../../../platform/context.ts';
import { unsubscribeReportQuery } from './schema.ts';
import { findLocale, removeChannel } from './subscription.store.ts';
import { isSigned, type Receiver } from './unsubscribe-link.ts';

const PATH = '/reports/unsubscribe/{id}';

interface Signed {
  readonly params: { readonly id: string };
  readonly query: { readonly channel: string; readonly signature: string };
}

/** @throws ApiError NOT_FOUND for a wrong signature or a subscription that was deleted */
async function requireSigned(context: Context, { params, query }: Signed): Promise<[Receiver, Language]> {
  const receiver = { subscriptionId: params.id, channelId: query.channel };
  const isGenuine = isSigned(context, receiver, query.signature);
  const locale = isGenuine ? await findLocale(context.db, params.id) : undefined;
  if (locale === undefined) throw notFound('Subscription');
  return [receiver, languageOf(locale)];
}

export const unsubscribeReportRoutes = [
  route({
    name: 'askToUnsubscribeReport',
    method: 'get',
    path: PATH,
    scope: null,
    summary: 'A page that asks whether to end reports to an address',
    description:
      'The page has one button, which sends `POST` to the same address. Reading it changes nothing.',
    params: idParams,
    query: unsubscribeReportQuery,
    produces: 'text/html',
  }).answers(async ({ context, ...signed }) => askPage((await requireSigned(context, signed))[1])),

  route({
    name: 'unsubscribeReport',
    method: 'post',
    path: PATH,
    scope: null,
    summary: 'End reports to an address by the signed address of a report',
    description:
      'Mail programs send it for the header `List-Unsubscribe` (RFC 8058). The body is not read. The channel leaves the subscription; a repeated call has the same result.',
    params: idParams,
    query: unsubscribeReportQuery,
    produces: 'text/html',
  }).answers(async ({ context, ...signed }) => {
    const [receiver, language] = await requireSigned(context, signed);
    await removeChannel(context.db, receiver);
    return donePage(language);
  }),
];
