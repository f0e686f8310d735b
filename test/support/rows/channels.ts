import { createECDH, createHash, randomBytes, randomUUID } from 'node:crypto';
import { sealBrowser } from '../../../src/delivery/notifications/channels/push-request.ts';
import type { Context } from '../../../src/platform/context.ts';
import type { NotificationChannel, Prisma } from '../../../src/platform/prisma-client/client.ts';

/** A browser that has subscribed to Web Push, as its PushSubscription shows it, with what only the browser knows. */
export interface TestBrowser {
  readonly subscription: { readonly endpoint: string; readonly p256dh: string; readonly auth: string };
  readonly privateKey: Buffer;
}

export function testBrowser(endpoint = `https://93.184.216.34/push/${randomUUID()}`): TestBrowser {
  const curve = createECDH('prime256v1');
  const p256dh = curve.generateKeys().toString('base64url');
  return {
    subscription: { endpoint, p256dh, auth: randomBytes(16).toString('base64url') },
    privateKey: curve.getPrivateKey(),
  };
}

const hashOf = (text: string) => new Uint8Array(createHash('sha256').update(text).digest());

/** An enabled channel of a browser. */
export function addPushChannel(
  { db, sealer }: Pick<Context, 'db' | 'sealer'>,
  userId: string,
  { subscription }: TestBrowser = testBrowser(),
): Promise<NotificationChannel> {
  return db.notificationChannel.create({
    data: {
      userId,
      kind: 'push',
      status: 'enabled',
      address: new URL(subscription.endpoint).host,
      addressHash: hashOf(subscription.endpoint),
      subscriptionEncrypted: sealBrowser(sealer, userId, subscription),
      confirmedAt: new Date(),
    },
  });
}

/** An e-mail address, enabled where not told otherwise. */
export function addMailChannel(
  { db }: Pick<Context, 'db'>,
  userId: string,
  columns: Partial<Prisma.NotificationChannelUncheckedCreateInput> = {},
): Promise<NotificationChannel> {
  const address = columns.address ?? `${randomUUID()}@example.com`;
  const addressHash = hashOf(address.toLowerCase());
  return db.notificationChannel.create({
    data: { userId, kind: 'email', status: 'enabled', ...columns, address, addressHash },
  });
}
