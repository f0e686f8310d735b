import { execFile } from 'node:child_process';
import { childEnvironment } from '../../platform/processes/child-environment.ts';
import type { Binary } from './ffmpeg-binaries.ts';
import { ADDRESS_SPACE, withinMemory } from './media-limits.ts';

export interface RunToEndOptions {
  /** After this time the process is killed. */
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly httpProxy?: string | undefined;
  /** It may open hardware, whose drivers map far more than they use. */
  readonly mayOpenHardware?: boolean | undefined;
  /** Kills the process. */
  readonly signal?: AbortSignal | undefined;
}

export interface ProgramOutput {
  readonly stdout: Buffer;
  readonly stderr: string;
  /** What the program wrote about its failure, or `timed out`; null after a success. */
  readonly fault: string | null;
  /** Ended by a signal that we did not send. */
  readonly crashed: boolean;
}

/** Runs ffmpeg or ffprobe until it exits. Never rejects. */
export function runToEnd(
  { path }: Binary,
  argv: readonly string[],
  { timeoutMs: timeout, maxOutputBytes: maxBuffer, httpProxy, mayOpenHardware, signal }: RunToEndOptions,
): Promise<ProgramOutput> {
  const limits = {
    timeout,
    killSignal: 'SIGKILL',
    maxBuffer,
    signal,
    env: childEnvironment(httpProxy),
  } as const;
  const [program, args] = mayOpenHardware ? [path, argv] : withinMemory(path, argv, ADDRESS_SPACE.glance);
  return new Promise((resolve) => {
    execFile(program, args, { ...limits, encoding: 'buffer' }, (error, stdout, stderr) => {
      const text = String(stderr);
      const fault = error && (error.killed ? 'timed out' : text.trim());
      resolve({ stdout, stderr: text, fault, crashed: error?.killed === false && error.signal !== null });
    });
  });
}
