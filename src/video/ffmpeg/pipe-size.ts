import koffi from 'koffi';

/** The most a pipe holds. What the kernel gives everybody (`/proc/sys/fs/pipe-max-size`): a frame or nearly one. */
export const PIPE_BYTES = 1024 * 1024;
/** `fcntl(2)` of Linux. */
const F_SETPIPE_SZ = 1031;

const fcntl =
  process.platform === 'linux' ? koffi.load(null).func('int fcntl(int fd, int command, ...)') : null;

/**
 * Makes room in a pipe, where the system can: both its ends then wake each other once for a frame instead of for each
 * 64 kB of it, which costs a virtual machine milliseconds a frame. node has no call for it.
 */
export function widenPipe(fd: number): void {
  // refused to users who have very many pipes: theirs stay as they are
  fcntl?.(fd, F_SETPIPE_SZ, 'int', PIPE_BYTES);
}
