import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { every } from '../../src/platform/jobs/every.ts';
import { nodeArguments } from '../../src/platform/processes/program-file.ts';
import { PROJECT } from '../../src/platform/project.ts';
import { type Cluster, type ClusterOptions, startCluster } from '../postgres/embedded.ts';
import { query } from './sql.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const run = promisify(execFile);
/** Between two looks at how far the migrations are. */
const LOOK_MS = 1_000;

/** The database of DATABASE_URL if that is set, else a cluster of the demo's own in its folder. */
export async function openDatabase(folder: string): Promise<{ url: string; stop(): Promise<void> }> {
  if (process.env.DATABASE_URL) return { url: process.env.DATABASE_URL, async stop() {} };
  return startCluster({ dataDir: join(folder, 'postgres'), endsWithCaller: true });
}

/**
 * A PostgreSQL for this command alone. When the command is interrupted, it stops PostgreSQL first; the programs that the
 * command has started notice that it has ended.
 */
export async function startOwnCluster(options: ClusterOptions): Promise<Cluster> {
  const cluster = await startCluster({ ...options, endsWithCaller: true });
  const interrupted = () => void cluster.stop().finally(() => process.exit(130));
  for (const signal of SIGNALS) process.once(signal, interrupted);
  return {
    ...cluster,
    stop() {
      for (const signal of SIGNALS) process.off(signal, interrupted);
      return cluster.stop();
    },
  };
}

/**
 * Runs `prisma migrate deploy`, as an operator does.
 * @param onProgress gets, while there is something to do, how many migrations are applied
 */
export async function migrate(
  databaseUrl: string,
  onProgress?: (applied: number, of: number) => void,
): Promise<void> {
  const watch = onProgress && watchMigrations(databaseUrl, onProgress);
  try {
    await run(process.execPath, ['node_modules/prisma/build/index.js', 'migrate', 'deploy'], {
      cwd: PROJECT,
      env: { ...process.env, DATABASE_URL: databaseUrl },
    });
  } catch (error) {
    const { stderr, stdout } = error as { stderr?: string; stdout?: string };
    throw new Error(`The database could not be migrated:\n${stderr || stdout || String(error)}`);
  } finally {
    await watch?.stop();
  }
}

/** Prisma itself says nothing before its end. */
function watchMigrations(databaseUrl: string, onProgress: (applied: number, of: number) => void) {
  const folders = readdirSync(join(PROJECT, 'prisma/migrations'), { withFileTypes: true });
  const of = folders.filter((entry) => entry.isDirectory()).length;
  let shown = of;
  const look = async () => {
    const sql = 'SELECT count(finished_at)::int AS applied FROM "_prisma_migrations"';
    const [row] = await query<{ applied: number }>(databaseUrl, sql);
    const applied = row!.applied;
    if (applied !== shown && applied < of) onProgress(applied, of);
    shown = applied;
  };
  // Before the first migration there is no such table.
  return every(LOOK_MS, look, () => undefined);
}

const keyFile = (folder: string) => join(folder, 'api-key');

/** The key that `ensureKey` has stored. */
export const readKey = (folder: string): string => readFileSync(keyFile(folder), 'utf8').trim();

/** The demo user's API key: from the folder, or created and stored there, readable only by its owner. */
export async function ensureKey(databaseUrl: string, folder: string): Promise<string> {
  if (existsSync(keyFile(folder))) return readKey(folder);
  const admin = async (...args: string[]) => {
    const argv = [...nodeArguments('scripts/admin.ts'), ...args, '--json'];
    const env = { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: folder };
    const { stdout } = await run(process.execPath, argv, { cwd: PROJECT, env }).catch(
      (error: Error & { stderr?: string }) => {
        throw new Error(`No API key could be made: ${error.stderr?.trim() || error.message}`);
      },
    );
    return JSON.parse(stdout) as { key: string | null };
  };
  const key =
    (await admin('create-user', 'demo@localhost')).key ?? (await admin('create-key', 'demo@localhost')).key;
  if (!key) throw new Error('No API key could be made for the demo user.');
  writeFileSync(keyFile(folder), `${key}\n`, { mode: 0o600 });
  return key;
}
