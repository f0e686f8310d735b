import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emit } from '../../../src/delivery/events/emit.ts';
import { createWebhook } from '../../../src/delivery/webhooks/configure-webhook.ts';
import { loadConfig } from '../../../src/platform/config.ts';
import { type Context, createContext } from '../../../src/platform/context.ts';
import { type Program, type ServerProgram, startProgram, startServer } from '../../support/programs.ts';
import { makeCertificate } from '../../webhook-receiver/certificate.ts';
import { type CountingReceiver, countingReceiver } from './counting-receiver.ts';

/** A database with users and events, a receiver, and programs that deliver. */
export interface WebhookInstallation {
  readonly context: Context;
  readonly receiver: CountingReceiver;
  /** Adds users with a webhook each. @returns their ids */
  addUsers(count: number, url: string): Promise<string[]>;
  /** Emits an event for the user. @returns its id */
  emit(userId: string): Promise<string>;
  startDeliverer(): Program;
  /** Starts an API, with or without background work, and waits until it is ready. */
  startApi(options: { jobs: boolean }): Promise<ServerProgram>;
  stop(): Promise<void>;
}

/** @param folder for certificate, secrets and logs; the caller removes it */
export async function openWebhookInstallation(
  databaseUrl: string,
  folder: string,
): Promise<WebhookInstallation> {
  const tls = await makeCertificate();
  const caFile = join(folder, 'certificate.pem');
  writeFileSync(caFile, tls.certificate);
  const environment = {
    ...{ DATABASE_URL: databaseUrl, DATA_DIR: folder, LOG_LEVEL: 'warn' },
    ...{ WEBHOOK_ALLOW_HOSTS: 'localhost', WEBHOOK_CA_FILE: caFile },
  };
  const context = createContext(loadConfig(environment), 'bench');
  const receiver = await countingReceiver(tls);
  const programs: Program[] = [];
  return {
    context,
    receiver,
    async addUsers(count, url) {
      const ids: string[] = [];
      for (let i = 0; i < count; i++) {
        const { id } = await context.db.user.create({ data: { email: `${randomUUID()}@example.com` } });
        await createWebhook(context, id, { url, timeoutMs: 5_000, maxRetries: 3 });
        ids.push(id);
      }
      return ids;
    },
    async emit(userId) {
      const id = await context.db.$transaction((tx) =>
        emit(tx, {
          ...{ userId, type: 'system_announcement', occurredAt: new Date(), dedupeKey: randomUUID() },
          data: { title: 'Bench', message: 'Something happened at till 3 of the shop in the high street.' },
        }),
      );
      return id!;
    },
    startDeliverer() {
      const deliverer = startProgram('scripts/bench/webhooks/deliverer-process.ts', environment, folder);
      programs.push(deliverer);
      return deliverer;
    },
    async startApi({ jobs }) {
      const env = { ...environment, API_JOBS: String(jobs) };
      const api = await startServer('src/api.ts', { env, logFolder: folder, readyPath: '/readyz' });
      programs.push(api);
      return api;
    },
    async stop() {
      await Promise.all(programs.map((program) => program.kill()));
      await receiver.stop();
      await context.db.$disconnect();
    },
  };
}
