import { createECDH, createHash, randomBytes, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { emit } from '../../src/delivery/events/emit.ts';
import { sealBrowser } from '../../src/delivery/notifications/channels/push-request.ts';
import { Notifier } from '../../src/delivery/notifications/delivery/notifier.ts';
import { makeMessages } from '../../src/delivery/notifications/messages/make-messages.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { type Context, createContext } from '../../src/platform/context.ts';
import { migrate, startOwnCluster } from '../support/database.ts';
import { closeServer, listen } from '../support/loopback.ts';
import { measuringCommand } from '../support/measuring-command.ts';
import { count } from '../support/options.ts';
import { withTemporaryFolder } from '../support/temporary-folder.ts';
import { progress, table } from '../support/terminal.ts';
import { until } from '../support/until.ts';
import { makeCertificate } from '../webhook-receiver/certificate.ts';

const KINDS = ['email', 'push'] as const;
type Kind = (typeof KINDS)[number];

export const notifications = measuringCommand({
  name: 'notifications',
  description:
    'How fast one process turns events into messages, and how many e-mails and push messages it sends a second. Each event is ' +
    'told over one channel. A mail server and a push service on loopback take everything at once, over TLS.',
  options: {
    events: ['events for e-mail channels, and as many for push channels', 1_000, count(1)],
    users: ['users with one channel of each kind', 50, count(1)],
  },
  measure: ({ events, users }) =>
    withTemporaryFolder('analytics-notifications', async (folder) => {
      const bar = progress('bench', KINDS.length * 2, 'steps');
      const database = await startOwnCluster({ dataDir: join(folder, 'postgres') });
      const receivers = await startReceivers(folder);
      const environment = { ...receivers.environment, DATABASE_URL: database.url, DATA_DIR: folder };
      const context = createContext(loadConfig({ ...environment, LOG_LEVEL: 'warn' }), 'bench');
      const notifier = new Notifier(context);
      try {
        await migrate(database.url);
        const results: Partial<
          Record<Kind, { readonly toldPerSecond: number; readonly sentPerSecond: number }>
        > = {};
        for (const kind of KINDS) {
          const userIds = await addUsers(context, users, kind, receivers.pushUrl);
          for (let n = 0; n < events; n++) await somethingHappens(context, userIds[n % users]!);
          const toldPerSecond = await perSecond(events, async () => {
            while ((await makeMessages(context)) > 0);
          });
          bar.step();
          const sent = () =>
            context.db.notification.count({ where: { channelKind: kind, status: 'success' } });
          const sentPerSecond = await perSecond(events, () =>
            until(`every ${kind} message`, async () => {
              await notifier.turn();
              return (await sent()) === events;
            }),
          );
          bar.step();
          results[kind] = { toldPerSecond, sentPerSecond };
        }
        return { events, users, ...(results as Required<typeof results>) };
      } finally {
        bar.stop();
        await notifier.stop();
        await context.db.$disconnect();
        await receivers.stop();
        await database.stop();
      }
    }),
  report: (result) =>
    table([
      ['channel', 'events told a second', 'messages sent a second'],
      ...KINDS.map((kind) => {
        const { toldPerSecond, sentPerSecond } = result[kind];
        return [kind, toldPerSecond.toFixed(0), sentPerSecond.toFixed(0)];
      }),
    ]),
});

async function perSecond(things: number, work: () => Promise<unknown>): Promise<number> {
  const sinceMs = performance.now();
  await work();
  return (things * 1000) / (performance.now() - sinceMs);
}

async function addUsers({ db, sealer }: Context, users: number, kind: Kind, pushUrl: string) {
  const ids: string[] = [];
  for (let n = 0; n < users; n++) {
    const { id: userId } = await db.user.create({ data: { email: `${randomUUID()}@example.com` } });
    const endpoint = `${pushUrl}/${randomUUID()}`;
    const address = kind === 'email' ? `${randomUUID()}@example.com` : new URL(endpoint).host;
    const addressHash = new Uint8Array(createHash('sha256').update(endpoint).digest());
    const p256dh = createECDH('prime256v1').generateKeys().toString('base64url');
    const browser = { endpoint, p256dh, auth: randomBytes(16).toString('base64url') };
    const subscriptionEncrypted = kind === 'push' ? sealBrowser(sealer, userId, browser) : null;
    const channel = { userId, kind, address, addressHash, subscriptionEncrypted };
    const { id: channelId } = await db.notificationChannel.create({
      data: { ...channel, status: 'enabled', confirmedAt: new Date() },
    });
    // Without a minimum distance each event has a message of its own.
    await db.notificationSubscription.create({
      data: { userId, channelId, kinds: ['device_online'], minDistanceSeconds: 0 },
    });
    ids.push(userId);
  }
  return ids;
}

function somethingHappens({ db }: Context, userId: string): Promise<string | null> {
  const device = {
    deviceId: randomUUID(),
    deviceName: 'Camera till 3',
    lastFrameAt: new Date().toISOString(),
  };
  return db.$transaction((tx) =>
    emit(tx, {
      ...{ userId, type: 'device_online', occurredAt: new Date(), dedupeKey: randomUUID() },
      data: { ...device, offlineForSeconds: 95.5 },
    }),
  );
}

/** @returns their addresses as configuration variables; both take everything at once */
async function startReceivers(folder: string) {
  const { key, certificate: cert } = await makeCertificate();
  const caFile = join(folder, 'certificate.pem');
  writeFileSync(caFile, cert);
  const push = createServer({ key, cert }, (request, response) => {
    request.resume().on('end', () => response.writeHead(201).end());
  });
  const pushUrl = `https://localhost:${await listen(push)}/push`;
  const mail = new SMTPServer({
    ...{ key, cert, authOptional: true, disableReverseLookup: true, closeTimeout: 1 },
    onData(stream, _session, done) {
      stream.resume().on('end', () => done());
    },
  });
  // A client that breaks off is no fault of the bench.
  mail.on('error', () => undefined);
  const mailPort = await listen(mail.server);
  return {
    pushUrl,
    environment: {
      ...{ SMTP_URL: `smtp://localhost:${mailPort}`, SMTP_CA_FILE: caFile, MAIL_FROM: 'video@example.com' },
      ...{
        WEBHOOK_ALLOW_HOSTS: 'localhost',
        WEBHOOK_CA_FILE: caFile,
        PUBLIC_URL: 'https://video.example.com',
      },
    },
    async stop() {
      await new Promise<void>((resolve) => mail.close(resolve));
      await closeServer(push);
    },
  };
}
