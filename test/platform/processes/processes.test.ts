import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { LOADER, programFile } from '../../../src/platform/processes/program-file.ts';

/** Serves until it is stopped. Then neither a handle of its own nor the IPC channel may keep it alive. */
const PROGRAM = `
  import { createServer } from 'node:net';
  import { onStopRequest } from '${programFile('src/platform/processes/processes.ts')}';
  const server = createServer().listen(0, '127.0.0.1', () => process.stdout.write('ready'));
  onStopRequest(() => server.close());
`;

async function started(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [...LOADER, '--input-type=module', '--eval', PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  await once(child.stdout!, 'data');
  return child;
}

test.each([
  ['its parent is gone', (child: ChildProcess) => child.disconnect()],
  ['SIGTERM', (child: ChildProcess) => void child.kill('SIGTERM')],
])('a program ends itself when this happens: %s', async (_, end) => {
  const child = await started();
  const exit = once(child, 'exit');
  end(child);
  expect(await exit).toEqual([0, null]);
});
