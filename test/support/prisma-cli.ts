import { execFile } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

export interface CliResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `prisma …` as a person would, against one database. @param cwd the project's folder by default */
export function prisma(args: readonly string[], databaseUrl: string, cwd = ROOT): Promise<CliResult> {
  const cli = join(ROOT, 'node_modules/prisma/build/index.js');
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    DIRECT_DATABASE_URL: '',
    CHECKPOINT_DISABLE: '1',
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
  };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [cli, ...args], { cwd, env }, (error, stdout, stderr) => {
      resolve({ exitCode: error ? Number(error.code ?? 1) : 0, stdout, stderr });
    });
    child.stdin?.end();
  });
}
