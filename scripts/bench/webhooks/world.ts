import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../../../src/config.ts';
import { emit } from '../../../src/events/emit.ts';
import { type Context, createContext } from '../../../src/platform/context.ts';
import { createWebhook } from '../../../src/webhooks/configure-webhook.ts';
import { freePort } from '../../support/programs.ts';
import { makeCertificate } from '../../webhook-receiver/certificate.ts';
import { type CountingReceiver, countingReceiver } from './counting-receiver.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A database with users and events, a receiver, and processes that deliver. */
export interface World {
  readonly context: Context;
  readonly receiver: CountingReceiver;
  /** @returns ids of new users with a webhook each */
  addUsers(count: number, url: string, timeoutMs?: number): Promise<string[]>;
  /** Tells the user something. @returns the event's id */
  tell(userId: string): Promise<string>;
  startDeliverer(): ChildProcess;
  /** An API with or without background work. @returns its address once it is ready */
  startApi(options: { jobs: boolean }): Promise<{ url: string; process: ChildProcess }>;
  stop(): Promise<void>;
}

/** @param folder for certificate and secrets; the caller removes it */
export async function openWorld(databaseUrl: string, folder: string): Promise<World> {
  const tls = await makeCertificate();
  const caFile = join(folder, 'certificate.pem');
  writeFileSync(caFile, tls.certificate);
  const environment = {
    ...{ DATABASE_URL: databaseUrl, DATA_DIR: folder, LOG_LEVEL: 'warn' },
    ...{ WEBHOOK_ALLOW_HOSTS: 'localhost', WEBHOOK_CA_FILE: caFile },
  };
  const context = createContext(loadConfig(environment), 'bench');
  const receiver = await countingReceiver(tls);
  const children = new Set<ChildProcess>();
  const start = (file: string, more: NodeJS.ProcessEnv = {}) => {
    const child = spawn(process.execPath, ['--import', 'tsx', file], {
      ...{
        cwd: ROOT,
        env: { ...process.env, ...environment, ...more },
        stdio: ['ignore', process.stderr, process.stderr, 'ipc'],
      },
    });
    children.add(child);
    child.once('exit', () => children.delete(child));
    return child;
  };
  return {
    context,
    receiver,
    async addUsers(count, url, timeoutMs = 5_000) {
      const ids: string[] = [];
      for (let i = 0; i < count; i++) {
        const { id } = await context.db.user.create({ data: { email: `${randomUUID()}@example.com` } });
        await createWebhook(context, id, { url, timeoutMs, maxRetries: 3 });
        ids.push(id);
      }
      return ids;
    },
    async tell(userId) {
      const id = await context.db.$transaction((tx) =>
        emit(tx, {
          ...{ userId, type: 'system_announcement', occurredAt: new Date(), dedupeKey: randomUUID() },
          data: { title: 'Bench', message: 'Something happened at till 3 of the shop in the high street.' },
        }),
      );
      return id!;
    },
    startDeliverer: () => start('scripts/bench/webhooks/deliverer-process.ts'),
    async startApi({ jobs }) {
      const port = await freePort(0);
      const limits = { RATE_LIMIT_PER_MINUTE: '1000000000', USER_RATE_LIMIT_PER_MINUTE: '1000000000' };
      const process = start('src/api.ts', { PORT: String(port), API_JOBS: String(jobs), ...limits });
      const url = `http://127.0.0.1:${port}`;
      await until('the API is ready', () =>
        fetch(`${url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      );
      return { url, process };
    },
    async stop() {
      for (const child of children) child.kill('SIGKILL');
      await receiver.stop();
      await context.db.$disconnect();
    },
  };
}

/** Looks until it is so. @throws Error naming `what` after the deadline */
export async function until(
  what: string,
  isSo: () => Promise<boolean> | boolean,
  seconds = 120,
): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`Not within ${seconds} s: ${what}.`);
    await pause(20);
  }
}

/** Attempts that are still to be made. */
export const countPending = ({ db }: Context): Promise<number> =>
  db.webhookDelivery.count({ where: { status: 'pending' } });
