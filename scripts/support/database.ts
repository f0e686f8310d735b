import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startCluster } from '../postgres/embedded.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** The database of DATABASE_URL where one is given, else a cluster of the demo's own in its folder. */
export async function openDatabase(folder: string): Promise<{ url: string; stop(): Promise<void> }> {
  if (process.env.DATABASE_URL) return { url: process.env.DATABASE_URL, async stop() {} };
  return startCluster({ dataDir: join(folder, 'postgres') });
}

/** `prisma migrate deploy`, as an operator would run it. */
export async function migrate(databaseUrl: string): Promise<void> {
  try {
    await run(process.execPath, ['node_modules/prisma/build/index.js', 'migrate', 'deploy'], {
      cwd: ROOT,
      env: { ...process.env, DATABASE_URL: databaseUrl },
    });
  } catch (error) {
    const { stderr, stdout } = error as { stderr?: string; stdout?: string };
    throw new Error(`The database could not be migrated:\n${stderr || stdout || String(error)}`);
  }
}

/** The demo user's key: from the demo's folder, or made and kept there, readable by its owner only. */
export async function ensureKey(databaseUrl: string, folder: string): Promise<string> {
  const file = join(folder, 'api-key');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const admin = async (...args: string[]) => {
    const { stdout } = await run(
      process.execPath,
      ['--import', 'tsx', 'scripts/admin.ts', ...args, '--json'],
      {
        cwd: ROOT,
        env: { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: folder },
      },
    );
    return JSON.parse(stdout) as { key: string | null };
  };
  const key =
    (await admin('create-user', 'demo@localhost')).key ?? (await admin('create-key', 'demo@localhost')).key;
  if (!key) throw new Error('No API key could be made for the demo user.');
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  return key;
}
