import { countMessage } from '../../../../delivery/notifications/channels/message-limit.ts';
import { requireEmail } from '../../../../delivery/notifications/channels/require-email.ts';
import { queueMessage } from '../../../../delivery/notifications/delivery/queue-message.ts';
import { mailOf } from '../../../../delivery/notifications/messages/mail-message.ts';
import { ApiError, notFound, orNotFound } from '../../../../http/errors.ts';
import type { Context } from '../../../../platform/context.ts';
import type { LastStep } from '../../../../platform/database/last-step.ts';
import { publicAddress } from '../../../../platform/public-address.ts';
import { storedZones } from '../../../../vision/stored-config.ts';
import { drawZones } from '../../../devices/images/draw-zones.ts';
import { findCheck, findView } from '../check.store.ts';
import { presentCheck } from '../present.ts';
import type { Own } from '../run-check.ts';
import type { ReportWish } from '../schema.ts';
import { mailChannels, placeOf } from './report.store.ts';
import { writeCheckReport } from './write-report.ts';

/**
 * Sends the result of a finished check to e-mail addresses of the user.
 * @param wish.channelIds by default all that are confirmed
 * @returns the ids of the channels @throws ApiError NOT_FOUND, EMAIL_NOT_CONFIGURED, CHANNEL_NOT_ENABLED, RATE_LIMITED
 */
export async function sendCheckReport(
  context: Context,
  { userId, id }: Own,
  { channelIds, withView }: ReportWish,
  lastStep: LastStep<readonly string[]>,
): Promise<readonly string[]> {
  const { db, config } = context;
  const row = orNotFound(await findCheck(db, userId, id), 'Check');
  if (row.status !== 'finished')
    throw new ApiError('NOT_FOUND', 'The check is not finished: it has no result yet');
  requireEmail(context);
  await countMessage(context, userId);
  const message = writeCheckReport(presentCheck(row), await placeOf(db, row.sceneId));
  const url = `${publicAddress(config)}/#/scenes/${row.sceneId}?tab=check`;
  const view = withView ? await findView(db, userId, id) : null;
  const picture = view && (await drawZones(view.jpeg, storedZones.parse(row.zones)));
  const { attachments: pictures = [], ...mail } = mailOf(message, { url, unsubscribeUrl: null, picture });
  const attachments = pictures.map((each) => ({
    ...each,
    content: Buffer.from(each.content).toString('base64'),
  }));
  const content = {
    mail: { ...mail, attachments, headers: { ...mail.headers } },
    push: { title: message.title, body: message.sentence, url },
  };
  return db.$transaction(async (tx) => {
    const channels = await mailChannels(tx, userId, channelIds);
    if (channelIds && channels.length < new Set(channelIds).size) throw notFound('Channel');
    if (channels.length === 0)
      throw new ApiError(
        'CHANNEL_NOT_ENABLED',
        'None of the channels can be used: confirm an e-mail channel first',
      );
    for (const channel of channels) await queueMessage(context, tx, channel, { kind: 'report', content });
    const ids = channels.map((channel) => channel.id);
    await lastStep(tx, ids);
    return ids;
  });
}
