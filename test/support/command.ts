import { execFile } from 'node:child_process';
import { nodeArguments } from '../../src/platform/processes/program-file.ts';

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** It only ends what hangs, before Jest ends the test. */
const LIMIT_MS = 540_000;

/** Runs `scripts/<name>.ts` to its end, as `npm run <name>` does. @param env the whole environment of the command */
export function runCommand(
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<CommandResult> {
  const command = [...nodeArguments(`scripts/${name}.ts`), ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { env, timeout: LIMIT_MS }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });
}
