import { execFile } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

export interface CliResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  /** The project's folder by default. */
  readonly cwd?: string;
  /** Makes it believe that somebody sits there, as `migrate dev` wants; nobody answers a question. */
  readonly asTerminal?: boolean;
}

/** Runs `prisma …` as a person would, against one database. */
export function prisma(
  args: readonly string[],
  databaseUrl: string,
  { cwd = ROOT, asTerminal = false }: CliOptions = {},
): Promise<CliResult> {
  const cli = join(ROOT, 'node_modules/prisma/build/index.js');
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    DIRECT_DATABASE_URL: '',
    CHECKPOINT_DISABLE: '1',
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
  };
  if (asTerminal) delete env.CI;
  const preload = asTerminal ? ['--import', 'data:text/javascript,process.stdin.isTTY=true'] : [];
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [...preload, cli, ...args],
      { cwd, env },
      (error, stdout, stderr) => {
        resolve({ exitCode: error ? Number(error.code ?? 1) : 0, stdout, stderr });
      },
    );
    child.stdin?.end();
  });
}
