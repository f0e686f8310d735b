import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import { isRunning, processStartTime, startedProcess } from '../../src/platform/processes/processes.ts';
import { freePort } from '../support/loopback.ts';
import { type Answer, clearLeftover, initialise, launch, serverFolder, terminate } from './server.ts';
import { type Keeper, startKeeper } from './start-keeper.ts';

/** What is kept about a cluster, in `<dataDir>/cluster.json`, 0600. */
const clusterFile = z.object({
  url: z.string(),
  password: z.string(),
  port: z.number().int(),
  /** Null while stopped. */
  server: startedProcess.nullable(),
});
type ClusterFile = z.infer<typeof clusterFile>;

/** A running PostgreSQL on loopback. */
export interface Cluster {
  /** `postgresql://postgres:…@127.0.0.1:<port>/<database>` */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** It ran already when it was asked for. */
  readonly adopted: boolean;
  /** Ends it and waits until it has ended. Rows are kept. */
  stop(): Promise<void>;
}

export interface ClusterOptions {
  /** Folder of this cluster alone; it is made. Holds the rows, the log and `cluster.json`. */
  readonly dataDir: string;
  /** The database to make and to name in the URL. */
  readonly database?: string;
  /** A fixed port; by default the one of the last time if free, else any free one. */
  readonly port?: number;
  /** Forgets rows in a crash and is fast: for tests. */
  readonly disposable?: boolean;
  /** It ends with this process, even by SIGKILL; otherwise it goes on unless `stop()` is called. */
  readonly endsWithCaller?: boolean;
}

/**
 * Starts the PostgreSQL that npm brought, or adopts it when this folder's runs already. It has its own process group,
 * so that the terminal's Ctrl-C does not reach it.
 * @throws Error one sentence: no binaries for this machine, no space, no permission, port taken
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { dataDir } = options;
  const folder = await serverFolder(dataDir);
  const unlock = await lock(dataDir);
  const keeper = options.endsWithCaller ? startKeeper() : null;
  try {
    const known = await readClusterFile(dataDir);
    const adopted = known && present(dataDir, known, { adopted: true, keeper });
    if (adopted) {
      keeper?.keep(known.server!);
      return adopted;
    }
    const password = known?.password ?? randomBytes(18).toString('base64url');
    const port = options.port ?? (await freePort(known?.port));
    const address = (database: string) => `postgresql://postgres:${password}@127.0.0.1:${port}/${database}`;
    const database = options.database ?? 'analytics';
    const file: ClusterFile = { url: address(database), password, port, server: null };
    // The password is kept before the cluster has it: a start that is cut short can be taken up again.
    await writeClusterFile(dataDir, file);
    await initialise(folder, password);
    await clearLeftover(folder);
    const server = await launch(folder, {
      port,
      disposable: options.disposable ?? false,
      answers: () => answers(address('postgres')),
      onStarted: (started) => keeper?.keep(started),
    });
    await writeClusterFile(dataDir, { ...file, server });
    await ensureDatabase(address('postgres'), database);
    return present(dataDir, { ...file, server }, { adopted: false, keeper })!;
  } catch (error) {
    keeper?.end();
    throw error;
  } finally {
    await unlock();
  }
}

/** @returns the folder's cluster when it runs, else null */
export async function findCluster(dataDir: string): Promise<Cluster | null> {
  const file = await readClusterFile(dataDir);
  return file && present(dataDir, file, { adopted: true, keeper: null });
}

function present(
  dataDir: string,
  file: ClusterFile,
  { adopted, keeper }: { adopted: boolean; keeper: Keeper | null },
): Cluster | null {
  const { server, url, port } = file;
  if (!server || !isRunning(server)) return null;
  return {
    url,
    port,
    pid: server.pid,
    adopted,
    async stop() {
      await terminate(server);
      keeper?.end();
      await writeClusterFile(dataDir, { ...file, server: null }).catch(() => undefined);
    },
  };
}

const pathOf = (dataDir: string) => join(dataDir, 'cluster.json');

async function readClusterFile(dataDir: string): Promise<ClusterFile | null> {
  try {
    return clusterFile.parse(JSON.parse(await readFile(pathOf(dataDir), 'utf8')));
  } catch {
    return null;
  }
}

async function writeClusterFile(dataDir: string, file: ClusterFile): Promise<void> {
  const draft = `${pathOf(dataDir)}.new`;
  await writeFile(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, pathOf(dataDir));
}

/** How long a file may be one that somebody is just writing. */
const UNREADABLE_MS = 30_000;

/** One start at a time in a folder; who comes second waits and then finds it running. */
async function lock(dataDir: string): Promise<() => Promise<void>> {
  const path = join(dataDir, 'starting.json');
  const mine = JSON.stringify({ pid: process.pid, startTime: processStartTime(process.pid) });
  for (let sinceMs = Date.now(); ; await pause(50)) {
    try {
      await writeFile(path, mine, { flag: 'wx', mode: 0o600 });
      return () => rm(path, { force: true });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'EEXIST')
        throw new Error(`The folder ${dataDir} for PostgreSQL cannot be written: ${message}.`);
    }
    const holder = await readFile(path, 'utf8').then(
      (text) => startedProcess.safeParse(JSON.parse(text || 'null')),
      () => null,
    );
    // A program that lives comes to an end of its start, with or without a server.
    if (holder?.success && isRunning(holder.data)) sinceMs = Date.now();
    else if (holder?.success) await rm(path, { force: true });
    if (Date.now() - sinceMs > UNREADABLE_MS)
      throw new Error(
        `The file ${path} is damaged: remove it when no other program starts PostgreSQL there.`,
      );
  }
}

/** PostgreSQL's own code for a server that starts, or recovers from a crash. */
const CANNOT_CONNECT_NOW = '57P03';

async function answers(url: string): Promise<Answer> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return 'yes';
  } catch (error) {
    return (error as { code?: string }).code === CANNOT_CONNECT_NOW ? 'not yet' : 'no';
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function ensureDatabase(serverUrl: string, database: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (!rowCount) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(database)}`);
  } finally {
    await client.end();
  }
}
