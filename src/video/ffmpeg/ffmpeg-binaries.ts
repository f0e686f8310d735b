import { execFile } from 'node:child_process';
import { realpath, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { StreamError } from '../stream-error.ts';

const run = promisify(execFile);
/** It only ends what hangs: on a busy machine a program that starts in a moment takes long. */
const VERSION_TIMEOUT_MS = 120_000;
const RETRY_MS = 1_000;
/** Since ffmpeg 4 the major version of libavformat is that of ffmpeg plus 54. */
const AVFORMAT_AHEAD = 54;
const FIRST_CURRENT_MAJOR = 5;
/** Codes of the system where a program could not be started for now: no process, memory or file handle is left. */
const PASSING_CODES = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE']);

/** ffmpeg or ffprobe could not be asked or started now, which the machine may be able to do in a moment. */
export class ProgramBusyError extends StreamError {}

/** Whether an error means that the machine could not start a program now. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ProgramBusyError || PASSING_CODES.has(String((error as { code?: unknown })?.code));

/** ffmpeg or ffprobe. */
export interface Binary {
  readonly path: string;
  /** Its own name for its version, e.g. `5.1.9-0+deb12u1` or `N-47683-g0e8eb07980-static`. */
  readonly version: string;
  /** The release, derived from the version of libavformat, because snapshots have no release number. */
  readonly major: number;
  /** The option for the time limit of RTSP connections in microseconds; it was renamed in ffmpeg 5. */
  readonly rtspTimeoutOption: '-stimeout' | '-timeout';
}

export interface FfmpegBinaries {
  readonly ffmpeg: Binary;
  readonly ffprobe: Binary;
}

export interface FindOptions {
  /** FFMPEG_PATH: path of the program. If it is given, no other program is tried. */
  readonly ffmpegPath?: string | undefined;
  /** FFPROBE_PATH: the same for ffprobe. */
  readonly ffprobePath?: string | undefined;
  /** Called for each program that is too old for hostile networks. */
  readonly onWarning?: ((sentence: string) => void) | undefined;
}

/**
 * Finds ffmpeg and ffprobe: at the given path, else on PATH, else the ones from npm.
 * @throws StreamError when a given program does not work, or none is found
 */
export async function findFfmpeg(options: FindOptions = {}): Promise<FfmpegBinaries> {
  const [ffmpeg, ffprobe] = await Promise.all([
    find('ffmpeg', options.ffmpegPath, () => import('@ffmpeg-installer/ffmpeg')),
    find('ffprobe', options.ffprobePath, () => import('@ffprobe-installer/ffprobe')),
  ]);
  const binaries = { ffmpeg, ffprobe };
  for (const [name, { path, version }] of oldOnes(binaries)) {
    options.onWarning?.(
      `${name} ${version} (${path}) is older than ffmpeg 5 and gets no security fixes: ` +
        `install a current ffmpeg or set ${name.toUpperCase()}_PATH before reading cameras of a network you do not trust.`,
    );
  }
  return binaries;
}

/**
 * The same, however long a busy machine needs: a program that could not be started now is started again.
 * @throws StreamError when a given program does not work, or none is found
 */
export async function findFfmpegPatiently(options: FindOptions = {}): Promise<FfmpegBinaries> {
  for (;;) {
    try {
      return await findFfmpeg(options);
    } catch (error) {
      if (!isPassing(error)) throw error;
      options.onWarning?.((error as Error).message);
      await pause(RETRY_MS);
    }
  }
}

/** Programs that should not read hostile video, by name. */
const oldOnes = ({ ffmpeg, ffprobe }: FfmpegBinaries): [name: string, Binary][] =>
  Object.entries({ ffmpeg, ffprobe }).filter(([, { major }]) => major < FIRST_CURRENT_MAJOR);

/** @returns the oldest release of the two; null when both are current */
export const oldRelease = (binaries: FfmpegBinaries): number | null => {
  const majors = oldOnes(binaries).map(([, { major }]) => major);
  return majors.length > 0 ? Math.min(...majors) : null;
};

/** A package of npm with a program. Images leave it out, and it throws where it has none for the platform. */
type Installer = () => Promise<{ readonly default: { readonly path: string } }>;

async function find(name: string, given: string | undefined, installer: Installer): Promise<Binary> {
  if (given) {
    const binary = await inspect(given);
    if (!('fault' in binary)) return binary;
    if (binary.isPassing) throw busy(given, binary);
    throw new StreamError(`${name.toUpperCase()}_PATH is "${given}", which does not run: ${binary.fault}`);
  }
  for (const pathOf of [() => name, () => bundledPath(installer)]) {
    const path = await pathOf();
    if (path === null) continue;
    const binary = await inspect(path);
    if (!('fault' in binary)) return binary;
    // Another program would be used from then on.
    if (binary.isPassing) throw busy(path, binary);
  }
  throw new StreamError(`No working ${name} found: install ffmpeg or set ${name.toUpperCase()}_PATH.`);
}

const bundledPath = (installer: Installer): Promise<string | null> =>
  installer().then(
    (found) => found.default.path,
    () => null,
  );

const busy = (path: string, { fault }: Fault) =>
  new ProgramBusyError(`${path} could not be started, and is started again: ${fault}`);

/**
 * The same programs as they are now: one that was replaced by another version is asked again, the others are not.
 * @throws StreamError when one of them does not work any more
 */
export async function binariesNow(found: FfmpegBinaries): Promise<FfmpegBinaries> {
  const now = async ({ path }: { readonly path: string }) => {
    const binary = await inspect(path);
    if (!('fault' in binary)) return binary;
    if (binary.isPassing) throw busy(path, binary);
    throw new StreamError(`${path} does not run any more: ${binary.fault}`);
  };
  const [ffmpeg, ffprobe] = await Promise.all([now(found.ffmpeg), now(found.ffprobe)]);
  return { ffmpeg, ffprobe };
}

/**
 * What programs answered, by their file, its size and its time of change. Each stream that is opened needs the answer,
 * and Debian's ffmpeg loads 200 libraries to give it: 0.17 s of processor time.
 */
const answers = new Map<string, Promise<Binary | Fault>>();

interface Fault {
  /** One sentence. */
  readonly fault: string;
  /** The machine could not do it now. */
  readonly isPassing: boolean;
}

/** @returns a fault when the program does not answer as ffmpeg does */
async function inspect(path: string): Promise<Binary | Fault> {
  const state = await stateOf(path);
  if (state === null) return { fault: 'there is no such file.', isPassing: false };
  const key = `${path} ${state}`;
  const known = answers.get(key);
  if (known) return known;
  const asked = ask(path);
  answers.set(key, asked);
  // A program that could not answer now may answer the next time.
  if ('fault' in (await asked)) answers.delete(key);
  return asked;
}

/** @param path a name without a folder is looked up on PATH @returns file, size and time of change; null if there is none */
async function stateOf(path: string): Promise<string | null> {
  const folders = path.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter);
  for (const folder of folders) {
    try {
      const file = await realpath(join(folder, path));
      const { size, mtimeMs } = await stat(file);
      return `${file} ${size} ${mtimeMs}`;
    } catch {
      // The next folder may have it.
    }
  }
  return null;
}

async function ask(path: string): Promise<Binary | Fault> {
  try {
    const { stdout } = await run(path, ['-version'], { timeout: VERSION_TIMEOUT_MS });
    const wrong = { fault: 'it does not answer -version as ffmpeg does.', isPassing: false };
    return describeVersion(path, stdout) ?? wrong;
  } catch (error) {
    return faultOfStart(error as Error & StartFacts);
  }
}

interface StartFacts {
  readonly code?: string | number | null;
  readonly killed?: boolean;
}

/** Why a program did not answer `-version`. Not the text of `execFile`, which is the command and everything that it printed. */
export function faultOfStart(error: Error & StartFacts): Fault {
  const { code, killed, message } = error;
  if (killed) {
    const fault = `it did not answer -version within ${VERSION_TIMEOUT_MS / 1000} s, so this machine is too busy.`;
    return { fault, isPassing: true };
  }
  if (isPassing(error))
    return { fault: `the system has no room for another process (${code}).`, isPassing: true };
  if (typeof code === 'number') return { fault: `it ended with code ${code}.`, isPassing: false };
  return { fault: code ? `the system says ${code}.` : message, isPassing: false };
}

/** @param banner what `-version` prints @returns null if the program is not ffmpeg or ffprobe */
export function describeVersion(path: string, banner: string): Binary | null {
  const version = /^ff(?:mpeg|probe) version (\S+)/m.exec(banner)?.[1];
  const avformat = /^\s*libavformat\s+(\d+)\./m.exec(banner)?.[1];
  if (version === undefined || avformat === undefined) return null;
  const major = Number(avformat) - AVFORMAT_AHEAD;
  return { path, version, major, rtspTimeoutOption: major < 5 ? '-stimeout' : '-timeout' };
}
