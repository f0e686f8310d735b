import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { nodeArguments } from '../../src/platform/processes/program-file.ts';
import { PROJECT } from '../../src/platform/project.ts';
import { type Cluster, type ClusterOptions, startCluster } from '../postgres/embedded.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const run = promisify(execFile);

/** The database of DATABASE_URL if that is set, else a cluster of the demo's own in its folder. */
export async function openDatabase(folder: string): Promise<{ url: string; stop(): Promise<void> }> {
  if (process.env.DATABASE_URL) return { url: process.env.DATABASE_URL, async stop() {} };
  return startCluster({ dataDir: join(folder, 'postgres') });
}

/**
 * A PostgreSQL for this command alone. When the command is interrupted, it stops PostgreSQL first; the programs that the
 * command has started notice that it has ended.
 */
export async function startOwnCluster(options: ClusterOptions): Promise<Cluster> {
  const cluster = await startCluster(options);
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

/** Runs `prisma migrate deploy`, as an operator does. */
export async function migrate(databaseUrl: string): Promise<void> {
  try {
    await run(process.execPath, ['node_modules/prisma/build/index.js', 'migrate', 'deploy'], {
      cwd: PROJECT,
      env: { ...process.env, DATABASE_URL: databaseUrl },
    });
  } catch (error) {
    const { stderr, stdout } = error as { stderr?: string; stdout?: string };
    throw new Error(`The database could not be migrated:\n${stderr || stdout || String(error)}`);
  }
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
    const { stdout } = await run(process.execPath, argv, { cwd: PROJECT, env });
    return JSON.parse(stdout) as { key: string | null };
  };
  const key =
    (await admin('create-user', 'demo@localhost')).key ?? (await admin('create-key', 'demo@localhost')).key;
  if (!key) throw new Error('No API key could be made for the demo user.');
  writeFileSync(keyFile(folder), `${key}\n`, { mode: 0o600 });
  return key;
}
