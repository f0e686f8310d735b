import { randomUUID } from 'node:crypto';
import { sampleMetrics } from '../../scripts/seed/numbers.ts';
import { createKey } from '../../src/access/create-key.ts';
import { sealStreamUrl } from '../../src/cameras/devices/stream-url.ts';
import { emit } from '../../src/delivery/events/emit.ts';
import { createWebhook } from '../../src/delivery/webhooks/configure-webhook.ts';
import type { Context } from '../../src/platform/context.ts';
import type { Db } from '../../src/platform/database/db.ts';
import { newImageKey } from '../../src/platform/images/image-store.ts';
import { newObjectKey } from '../../src/platform/images/object-store.ts';
import { createRandom } from '../../src/simulator/random.ts';
import { SHOP_ZONES } from '../../src/simulator/shop-zones.ts';
import { parametersSchema } from '../../src/vision/scene-config.ts';
import { addAlert, addRule } from '../support/rows/alert-rows.ts';
import { addAttributeRecord } from '../support/rows/attribute-rows.ts';
import { addMailChannel, addPushChannel } from '../support/rows/channels.ts';
import { addCheck, addTimesCheck } from '../support/rows/checks.ts';
import { addRecording } from '../support/rows/recordings.ts';
import { addNode, queueScene, testSealer } from '../support/rows/runs.ts';
import { addSession } from '../support/rows/sessions.ts';
import { greyPicture } from './answer-frames.ts';

/** Everything of a user that an id can name. */
export interface Rows {
  readonly user: string;
  /** Nothing runs on it; its scene, rule, alert event, insight and attribute record follow. */
  readonly device: string;
  readonly scene: string;
  /** With the device. */
  readonly site: string;
  readonly rule: string;
  readonly alert: string;
  readonly insight: string;
  readonly attribute: string;
  /** A check that is open, with a still. */
  readonly check: string;
  readonly checkStill: string;
  /** A check of times that is open, with a piece of its film. */
  readonly timesCheck: string;
  readonly finishedCheck: string;
  /** A check of times of the recording, open. */
  readonly filmCheck: string;
  /** With a queued run. */
  readonly busyDevice: string;
  readonly busyScene: string;
  readonly queuedTask: string;
  readonly endedTask: string;
  readonly apiKey: string;
  readonly session: string;
  readonly delivery: string;
  /** Never analysed. */
  readonly recording: string;
  /** A browser, enabled; a subscription belongs to it. */
  readonly channel: string;
  /** An e-mail address that awaits its code. */
  readonly unconfirmedChannel: string;
  readonly subscription: string;
  /** A confirmed e-mail address; a subscription of reports belongs to it. */
  readonly mailChannel: string;
  readonly reportSubscription: string;
  /** A search for cameras that has ended. */
  readonly discovery: string;
  /** A completed export with its file, and a completed erasure. */
  readonly export: string;
  readonly erasure: string;
  /** A compute node and an announcement, which belong to nobody. */
  readonly node: string;
  readonly announcement: string;
  /** Key of a picture in the store. */
  readonly image: string;
}

export type Kind = keyof Rows;

const WHEN = new Date('2026-11-01T12:00:00.000Z');

/**
 * One of each, of a new user where none is given.
 * @param how.named the name of a row, by its kind; by default one of its own
 * @param how.at the time that the rows are about
 */
export async function addRows(
  context: Context,
  owner?: string,
  { named = (kind: string) => `${kind} ${randomUUID()}`, at = WHEN } = {},
): Promise<Rows> {
  const { db, clock, images } = context;
  const userId = owner ?? (await db.user.create({ data: { email: `${randomUUID()}@example.com` } })).id;
  const camera = () =>
    db.device.create({
      data: {
        userId,
        name: named('Camera'),
        streamUrlEncrypted: sealStreamUrl(testSealer, 'sim:shop?seed=1'),
        plan: 'LEVEL_02',
        onlineStatus: 'online',
      },
    });
  const [busy, device] = [await camera(), await camera()];
  const { scene: busyScene, task: queued } = await queueScene(db, busy);
  const config = { zones: structuredClone(SHOP_ZONES), parameters: parametersSchema.parse({}) };
  const scene = await db.scene.create({
    data: {
      userId,
      deviceId: device.id,
      name: named('Till'),
      config: JSON.parse(JSON.stringify(config)),
    },
  });
  const site = await db.site.create({
    data: {
      userId,
      name: named('Shop'),
      timezone: 'Europe/Berlin',
      devices: { create: { deviceId: device.id } },
    },
  });
  const place = { userId, deviceId: device.id, sceneId: scene.id };
  const ended = await db.analysisTask.create({
    data: { ...place, status: 'COMPLETED', runStatus: 'stopped', startedAt: at, completedAt: at },
  });
  await db.metricSnapshot.create({
    data: {
      sceneId: scene.id,
      deviceId: device.id,
      windowStart: new Date(at.getTime() - 10_000),
      windowEnd: at,
      durationSeconds: 10,
      currentMetrics: { ...sampleMetrics(createRandom(1)).current },
    },
  });
  const rule = await addRule(db, place, { name: named('Rule') });
  const { event, insight } = await addAlert(db, rule, {
    event: { triggeredAt: at },
    summary: named('People wait'),
    images: ['clean', 'thumbnail'],
  });
  const attribute = await addAttributeRecord(db, place, { capturedAt: at, counts: { female: 1 } });
  const { check, still } = await addCheck(db, scene, { at });
  const timesCheck = await addTimesCheck(db, scene, { at });
  const finishedCheck = await addTimesCheck(db, scene, { at });
  await db.sceneCheck.update({
    where: { id: finishedCheck.id },
    data: { status: 'finished', view: { create: { jpeg: await greyPicture() } } },
  });
  const image = newImageKey(clock.now(), userId);
  await images.put(image, Buffer.from('not a picture, but bytes'));
  const apiKey = await createKey(db, { userId, name: 'another', scopes: ['scene:read'] });
  const { session } = await addSession(db, userId, ['scene:read'], clock.now());
  if (!(await db.webhook.findFirst({ where: { userId, deletedAt: null } }))) {
    await createWebhook(context, userId, {
      url: 'https://93.184.216.34/hook',
      timeoutMs: 5000,
      maxRetries: 3,
    });
  }
  // Without it nothing would be delivered.
  await db.webhook.updateMany({ where: { userId }, data: { status: 'enabled', subscribedTypes: [] } });
  await emitAnnouncement(db, { ...place, at });
  const delivery = await db.webhookDelivery.findFirstOrThrow({ where: { userId }, orderBy: { id: 'desc' } });
  const discovery = await db.discoveryRequest.create({
    data: { userId, status: 'completed', finishedAt: clock.now() },
  });
  const recording = await addRecording(context, userId, { name: named('Recording'), recordedAt: at });
  const recordedScene = await db.scene.findUniqueOrThrow({ where: { id: recording.sceneId } });
  const filmCheck = await addTimesCheck(db, recordedScene, { at });
  const range = { userId, rangeFrom: at, rangeTo: new Date(at.getTime() + 1_000) };
  const objectKey = newObjectKey('exports', userId);
  const sizeBytes = await images.objects.putStream(objectKey, bytesOf('not a zip, but bytes'), {
    maxBytes: 99,
  });
  const expiresAt = new Date(clock.now().getTime() + 86_400_000);
  const exported = await db.dataJob.create({
    data: {
      ...range,
      kind: 'export',
      status: 'completed',
      objectKey,
      sizeBytes,
      expiresAt,
      completedAt: at,
    },
  });
  const erasure = await db.dataJob.create({ data: { ...range, kind: 'erasure', status: 'completed' } });
  const channel = await addPushChannel(context, userId);
  const unconfirmed = await addMailChannel(context, userId, { status: 'unconfirmed' });
  const subscription = await db.notificationSubscription.create({
    data: { userId, channelId: channel.id, kinds: ['alert_triggered'] },
  });
  const mailChannel = await addMailChannel(context, userId);
  const reportSubscription = await db.reportSubscription.create({
    data: {
      ...{ userId, siteId: site.id, period: 'day', localTime: '07:30', nextDueAt: new Date('2999-01-01') },
      channels: { create: { channelId: mailChannel.id } },
    },
  });
  const node = await addNode(db, 'spare');
  // It takes no runs, so that the nodes of a test are those it has added.
  await db.computeNode.update({ where: { id: node }, data: { lastHeartbeatAt: at } });
  const announcement = await db.announcement.create({
    data: { type: 'system_announcement', title: 'Hello', message: 'World', userIds: [userId] },
  });
  return {
    user: userId,
    node,
    announcement: announcement.id,
    export: exported.id,
    erasure: erasure.id,
    mailChannel: mailChannel.id,
    reportSubscription: reportSubscription.id,
    recording: recording.id,
    channel: channel.id,
    unconfirmedChannel: unconfirmed.id,
    subscription: subscription.id,
    discovery: discovery.id,
    device: device.id,
    scene: scene.id,
    site: site.id,
    rule: rule.id,
    alert: event.id,
    insight: insight.id,
    attribute: attribute.id,
    check: check.id,
    checkStill: still.id,
    timesCheck: timesCheck.id,
    finishedCheck: finishedCheck.id,
    filmCheck: filmCheck.id,
    busyDevice: busy.id,
    busyScene: busyScene.id,
    queuedTask: queued.id,
    endedTask: ended.id,
    apiKey: apiKey.id,
    session: session.id,
    delivery: delivery.id,
    image,
  };
}

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

const emitAnnouncement = (
  db: Db,
  { userId, deviceId, sceneId, at }: { userId: string; deviceId: string; sceneId: string; at: Date },
) =>
  db.$transaction((tx) =>
    emit(tx, {
      userId,
      deviceId,
      sceneId,
      type: 'system_announcement',
      data: { title: 'Hello', message: 'World' },
      occurredAt: at,
      dedupeKey: randomUUID(),
    }),
  );

/** How a row of each kind goes: most are only marked. */
export const REMOVE: { readonly [K in Kind]: (context: Context, id: string) => Promise<unknown> } = {
  user: ({ db }, id) => db.user.update({ where: { id }, data: { deletedAt: WHEN } }),
  device: ({ db }, id) => db.device.update({ where: { id }, data: { deletedAt: WHEN } }),
  busyDevice: ({ db }, id) => db.device.update({ where: { id }, data: { deletedAt: WHEN } }),
  busyScene: ({ db }, id) => db.scene.update({ where: { id }, data: { deletedAt: WHEN } }),
  scene: ({ db }, id) => db.scene.update({ where: { id }, data: { deletedAt: WHEN } }),
  site: ({ db }, id) => db.site.delete({ where: { id } }),
  rule: ({ db }, id) => db.alertRule.update({ where: { id }, data: { deletedAt: WHEN } }),
  alert: ({ db }, id) => db.alertEvent.update({ where: { id }, data: { deletedAt: WHEN } }),
  insight: ({ db }, id) => db.insight.update({ where: { id }, data: { deletedAt: WHEN } }),
  attribute: ({ db }, id) => db.attributeRecord.deleteMany({ where: { id } }),
  check: ({ db }, id) => db.sceneCheck.deleteMany({ where: { id } }),
  filmCheck: ({ db }, id) => db.sceneCheck.deleteMany({ where: { id } }),
  finishedCheck: ({ db }, id) => db.sceneCheck.deleteMany({ where: { id } }),
  timesCheck: ({ db }, id) => db.sceneCheck.deleteMany({ where: { id } }),
  checkStill: ({ db }, id) => db.checkStill.deleteMany({ where: { id } }),
  queuedTask: ({ db }, id) => db.analysisTask.update({ where: { id }, data: { deletedAt: WHEN } }),
  endedTask: ({ db }, id) => db.analysisTask.update({ where: { id }, data: { deletedAt: WHEN } }),
  apiKey: ({ db }, id) => db.apiKey.update({ where: { id }, data: { revokedAt: WHEN } }),
  session: ({ db }, id) => db.session.update({ where: { id }, data: { revokedAt: WHEN } }),
  delivery: ({ db }, id) => db.webhookDelivery.delete({ where: { id } }),
  subscription: ({ db }, id) => db.notificationSubscription.deleteMany({ where: { id } }),
  reportSubscription: ({ db }, id) => db.reportSubscription.deleteMany({ where: { id } }),
  mailChannel: ({ db }, id) => db.notificationChannel.delete({ where: { id } }),
  channel: ({ db }, id) => db.notificationChannel.delete({ where: { id } }),
  unconfirmedChannel: ({ db }, id) => db.notificationChannel.delete({ where: { id } }),
  recording: ({ db }, id) => db.recording.update({ where: { id }, data: { deletedAt: WHEN } }),
  discovery: ({ db }, id) => db.discoveryRequest.delete({ where: { id } }),
  export: ({ db }, id) => db.dataJob.delete({ where: { id } }),
  erasure: ({ db }, id) => db.dataJob.delete({ where: { id } }),
  node: ({ db }, id) => db.computeNode.delete({ where: { id } }),
  announcement: ({ db }, id) => db.announcement.delete({ where: { id } }),
  image: ({ images }, key) => images.remove([key]),
};

/** A fingerprint of every row of a user, to see that nobody touched one. */
export async function fingerprint(db: Db, userId: string): Promise<Record<string, string>> {
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name = 'userId' ORDER BY 1`;
  const prints: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await db.$queryRawUnsafe<{ print: string }[]>(
      `SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') AS print
       FROM "${name}" t WHERE "userId" = '${userId}'`,
    );
    prints[name] = row!.print;
  }
  return prints;
}
