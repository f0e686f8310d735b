import { spawnSync } from 'node:child_process';
import type { Command } from 'commander';
import { PROJECT } from '../../src/platform/project.ts';

const PAGE = 'scripts/page/build-page.mjs';
const MODELS = 'models/first-start.mjs';

/**
 * Under `npm run` the command makes ready what it needs (the models, and with `page` the web page) after its options were read
 * and before it runs: as a pre-script of npm this would cost minutes before a wrong option is told.
 */
export function prepares(
  program: Command,
  needs: { readonly page?: boolean } = {},
  run: (script: string) => void = runScript,
): Command {
  return program.hook('preAction', () => {
    if (process.env.npm_lifecycle_event !== program.name()) return;
    if (needs.page) run(PAGE);
    run(MODELS);
  });
}

/** Standard output is for the result of the command. */
function runScript(script: string): void {
  const { status } = spawnSync(process.execPath, [script], { cwd: PROJECT, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`${script} failed.`);
}
