import { spawn } from 'node:child_process';

/**
 * Ties a server to this process, however this process ends (Ctrl-C and SIGKILL too): a small shell waits for the end
 * of its standard input, which only this process holds open, then ends the server and removes its folder.
 * @returns lets it do so now
 */
export function removeWithParent(pid: number, folder: string): () => Promise<void> {
  const script =
    'cat > /dev/null; kill -INT "$1" 2> /dev/null; while kill -0 "$1" 2> /dev/null; do sleep 0.1; done; rm -rf "$2"';
  const leash = spawn('sh', ['-c', script, 'leash', String(pid), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  leash.unref();
  (leash.stdin as typeof leash.stdin & { unref?(): void }).unref?.();
  return () =>
    new Promise((resolve) => {
      leash.once('exit', () => resolve());
      leash.stdin.end();
    });
}
