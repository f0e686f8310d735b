import { expect, test } from '@jest/globals';
import { runCommand } from '../support/command.ts';

test.each([
  ['db', ['stopp'], 'start, status, url, stop, help'],
  ['db', ['--json', '--data-dir', 'folder', 'stopp'], 'start, status, url, stop, help'],
  ['vlm', ['chekc'], 'check, help'],
])('`npm run %s -- %j` names the commands that exist', async (name, words, commands) => {
  const word = words.at(-1);
  const { code, stdout, stderr } = await runCommand(name, words);
  expect(stderr).toContain(`error: unknown command '${word}'. The commands are: ${commands}.`);
  expect([code, stdout]).toEqual([1, '']);
});
