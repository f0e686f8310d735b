import { afterEach, expect, test } from '@jest/globals';
import { Command } from 'commander';
import { prepares } from '../../../scripts/support/prepares.ts';

const { npm_lifecycle_event: before } = process.env;
afterEach(() => {
  if (before === undefined) delete process.env.npm_lifecycle_event;
  else process.env.npm_lifecycle_event = before;
});

async function prepared(args: readonly string[], event: string): Promise<string[]> {
  const steps: string[] = [];
  const program = new Command('shop').exitOverride().configureOutput({ writeErr() {} });
  program
    .command('part')
    .option('--much')
    .action(() => void steps.push('ran'));
  prepares(program, { page: true }, (script) => void steps.push(script));
  process.env.npm_lifecycle_event = event;
  await program.parseAsync(args, { from: 'user' }).catch(() => undefined);
  return steps;
}

test('what a command needs is made before it runs, under npm alone, and not for a wrong option', async () => {
  expect(await prepared(['part', '--much'], 'shop')).toEqual([
    ...['scripts/page/build-page.mjs', 'models/first-start.mjs'],
    'ran',
  ]);
  expect(await prepared(['part'], 'test')).toEqual(['ran']);
  expect(await prepared(['part', '--bogus'], 'shop')).toEqual([]);
});
