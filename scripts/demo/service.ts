import { setTimeout as pause } from 'node:timers/promises';
import { ApiCallError, ApiClient } from '../support/api-client.ts';
import { ensureKey, migrate, openDatabase } from '../support/database.ts';
import { freePort } from '../support/loopback.ts';
import { lastLines, type Program, startProgram } from '../support/programs.ts';

/** The service that the demo has started. */
export interface Service {
  readonly client: ApiClient;
  readonly baseUrl: string;
  readonly key: string;
  readonly programs: readonly Program[];
  /** Is aborted when the demo ends. */
  readonly signal: AbortSignal;
}

/** Steps that end what the demo started, to be done in reverse order. */
export type Ends = (() => Promise<unknown>)[];

export const say = (text: string): void => void process.stderr.write(`${text}\n`);

export async function startService(
  { folder, port: preferredPort }: { readonly folder: string; readonly port: number },
  environment: Readonly<Record<string, string>>,
  { ends, signal }: { ends: Ends; signal: AbortSignal },
): Promise<Service> {
  say('Starting Postgres …');
  const database = await openDatabase(folder);
  ends.push(() => database.stop());
  signal.throwIfAborted();
  say('Migrating …');
  await migrate(database.url);
  const key = await ensureKey(database.url, folder);
  signal.throwIfAborted();

  say(
    'Starting the API and one worker (the first start converts and measures the detection models, about 20 s) …',
  );
  const port = await freePort(preferredPort);
  const baseUrl = `http://127.0.0.1:${port}`;
  const env = {
    ...{ DATABASE_URL: database.url, DATA_DIR: folder },
    ...{ HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL: baseUrl, ...environment },
  };
  const programs = ['api', 'worker'].map((name) => startProgram(`src/${name}.ts`, env, folder));
  ends.push(() => Promise.all(programs.map((program) => program.stop())));
  const service = { client: new ApiClient(baseUrl, key), baseUrl, key, programs, signal };
  await untilReady(service, async () => (await fetch(`${baseUrl}/readyz`)).ok);
  return service;
}

export function failIfEnded(programs: readonly Program[]): void {
  const ended = programs.find((program) => !program.running);
  if (!ended) return;
  throw new Error(`The ${ended.name} ended. Its last lines (${ended.logFile}):\n${lastLines(ended)}`);
}

/** Tries every half second, for at most two minutes. A connection error means that the service is not ready yet. */
export async function untilReady(
  { signal, programs }: Pick<Service, 'signal' | 'programs'>,
  isReady: () => Promise<boolean>,
): Promise<void> {
  const deadline = performance.now() + 120_000;
  let lastError = '';
  while (performance.now() < deadline) {
    signal.throwIfAborted();
    failIfEnded(programs);
    try {
      if (await isReady()) return;
    } catch (error) {
      if (error instanceof ApiCallError) throw error;
      lastError = ` (${String(error)})`;
    }
    await pause(500, undefined, { signal });
  }
  const worker = programs.at(-1)!;
  throw new Error(
    `The service was not ready within two minutes${lastError}. Its last lines (${worker.logFile}):\n${lastLines(worker)}`,
  );
}
