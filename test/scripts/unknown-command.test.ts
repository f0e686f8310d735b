import { expect, test } from '@jest/globals';
import { runCommand } from '../support/command.ts';

test.each([
  ['db', 'stopp', 'start, status, url, stop, help'],
  ['vlm', 'chekc', 'check, help'],
])('`npm run %s -- %s` names the commands that exist', async (name, word, commands) => {
  const { code, stdout, stderr } = await runCommand(name, [word]);
  expect(stderr).toContain(`error: unknown command '${word}'. The commands are: ${commands}.`);
  expect([code, stdout]).toEqual([1, '']);
});
