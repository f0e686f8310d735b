import { type ChildProcess, execFile } from 'node:child_process';
import { childEnvironment } from '../../platform/processes/child-environment.ts';
import { ProgressLimit, progressOf } from '../../platform/processes/progress.ts';
import type { Binary } from './ffmpeg-binaries.ts';
import { ADDRESS_SPACE, withinMemory } from './media-limits.ts';

export interface RunToEndOptions {
  /** After this time the process is killed. */
  readonly timeoutMs: number;
  /** It is killed after this much processor time of its own, or after this time without any progress, instead. */
  readonly followsProgress?: boolean | undefined;
  readonly maxOutputBytes: number;
  readonly httpProxy?: string | undefined;
  /** It may open hardware, whose drivers map far more than they use. */
  readonly mayOpenHardware?: boolean | undefined;
  /** What it reads from its standard input. */
  readonly input?: Uint8Array | undefined;
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
  options: RunToEndOptions,
): Promise<ProgramOutput> {
  const {
    timeoutMs,
    followsProgress,
    maxOutputBytes: maxBuffer,
    httpProxy,
    mayOpenHardware,
    input,
    signal,
  } = options;
  const limits = {
    timeout: followsProgress ? 0 : timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer,
    signal,
    env: childEnvironment(httpProxy),
  } as const;
  const [program, args] = mayOpenHardware ? [path, argv] : withinMemory(path, argv, ADDRESS_SPACE.glance);
  return new Promise((resolve) => {
    const child = execFile(program, args, { ...limits, encoding: 'buffer' }, (error, stdout, stderr) => {
      clearInterval(looking);
      const text = String(stderr);
      const fault = error && (error.killed ? 'timed out' : text.trim());
      resolve({ stdout, stderr: text, fault, crashed: error?.killed === false && error.signal !== null });
    });
    if (input) {
      // A program that ends early does not read all of it; its fault says why.
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(input);
    }
    const looking = followsProgress ? endWithoutProgress(child, timeoutMs) : undefined;
  });
}

/** Looks at a program that many times within its limit. */
const LOOKS = 30;

function endWithoutProgress(child: ChildProcess, limitMs: number): NodeJS.Timeout {
  const limit = new ProgressLimit(limitMs, performance.now());
  const look = () => {
    const progress = child.pid === undefined ? null : progressOf(child.pid);
    if (limit.isOver(progress, performance.now())) child.kill('SIGKILL');
  };
  return setInterval(look, limitMs / LOOKS);
}
