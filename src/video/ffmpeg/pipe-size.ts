import koffi from 'koffi';

/** Size of a pipe: the largest that the kernel gives every user (`/proc/sys/fs/pipe-max-size`), about one frame. */
export const PIPE_BYTES = 1024 * 1024;
/** `fcntl(2)` of Linux. */
const F_SETPIPE_SZ = 1031;

const fcntl =
  process.platform === 'linux' ? koffi.load(null).func('int fcntl(int fd, int command, ...)') : null;

/**
 * Enlarges a pipe on Linux. Its two ends then wake each other once per frame instead of once per 64 kB, which saves a
 * virtual machine milliseconds per frame. Node.js has no call for it.
 */
export function widenPipe(fd: number): void {
  // The kernel refuses this to users with very many pipes; then the size stays as it is.
  fcntl?.(fd, F_SETPIPE_SZ, 'int', PIPE_BYTES);
}
