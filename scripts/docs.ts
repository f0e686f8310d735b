import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { PROJECT } from '../src/platform/project.ts';
import { generatedPages } from './docs/pages.ts';
import { main } from './support/terminal.ts';

function isCurrent(path: string, text: string): boolean {
  try {
    return readFileSync(join(PROJECT, path), 'utf8') === text;
  } catch {
    return false;
  }
}

const program = new Command('npm run -s docs --')
  .description('Writes the pages that are made from the code: configuration, calls and errors of the API.')
  .option('--check', 'write nothing; fail and name the pages that are out of date')
  .showHelpAfterError()
  .action(({ check }: { check?: boolean }) => {
    const stale = [...generatedPages()].filter(([path, text]) => !isCurrent(path, text));
    if (check && stale.length > 0)
      throw new Error(`Out of date: ${stale.map(([path]) => path).join(', ')}. Run \`npm run -s docs\`.`);
    for (const [path, text] of stale) {
      writeFileSync(join(PROJECT, path), text);
      process.stdout.write(`wrote ${path}\n`);
    }
    if (stale.length === 0) process.stdout.write('All pages are up to date.\n');
  });
await main(() => program.parseAsync());
