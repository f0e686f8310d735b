import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiClient } from '../support/api-client.ts';
import { ensureKey, migrate, openDatabase } from '../support/database.ts';
import { freePort } from '../support/loopback.ts';
import { startProgram } from '../support/programs.ts';
import { complaintOf, stepsOf, untilReady, type Waiting } from './until-ready.ts';

/** The service that the demo has started. */
export interface Service extends Waiting {
  readonly client: ApiClient;
  readonly baseUrl: string;
  readonly key: string;
}

/** Steps that end what the demo started, to be done in reverse order. */
export type Ends = (() => Promise<unknown>)[];

export const say = (text: string): void => void process.stderr.write(`${text}\n`);

export async function startService(
  { folder, port: preferredPort }: { readonly folder: string; readonly port: number },
  environment: Readonly<Record<string, string>>,
  { ends, signal }: { ends: Ends; signal: AbortSignal },
): Promise<Service> {
  say('Starting PostgreSQL …');
  const database = await openDatabase(folder);
  ends.push(() => database.stop());
  signal.throwIfAborted();
  say('Migrating the database …');
  await migrate(database.url, (applied, of) => say(`Migration ${applied} of ${of} is applied`)).catch(
    (error: Error) => {
      const logFile = join(folder, 'migrations.log');
      writeFileSync(logFile, `${error.message}\n`);
      throw new Error(complaintOf({ written: () => error.message, logFile }, 'The database is not ready'));
    },
  );
  const key = await ensureKey(database.url, folder);
  signal.throwIfAborted();

  say('Starting the API and one worker …');
  const port = await freePort(preferredPort);
  const baseUrl = `http://127.0.0.1:${port}`;
  const env = {
    ...{ DATABASE_URL: database.url, DATA_DIR: folder },
    ...{ HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL: baseUrl, ...environment },
    // A slow answer is better than none on a machine that is busy with other work.
    REQUEST_TIMEOUT_SECONDS: process.env.REQUEST_TIMEOUT_SECONDS ?? '100',
  };
  const programs = ['api', 'worker'].map((name) => startProgram(`src/${name}.ts`, env, folder));
  ends.push(() => Promise.all(programs.map((program) => program.stop())));
  const showSteps = stepsOf(programs[1]!, say);
  const service = { client: new ApiClient(baseUrl, key), baseUrl, key, programs, signal, showSteps };
  await untilReady(service, () => answersReady(baseUrl));
  return service;
}

const answersReady = async (baseUrl: string): Promise<boolean> =>
  (await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(30_000) })).ok;
