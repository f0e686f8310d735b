import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ffmpegInstaller from '@ffmpeg-installer/ffmpeg';
import ffprobeInstaller from '@ffprobe-installer/ffprobe';
import { findFfmpeg } from '../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { IS_THOROUGH } from './thorough.ts';

/** The programs the tests use: FFMPEG_PATH and FFPROBE_PATH where given, as the service does. */
export const FFMPEG_PATHS = {
  ffmpegPath: process.env.FFMPEG_PATH,
  ffprobePath: process.env.FFPROBE_PATH,
};
/** The ffmpeg that the service finds; in the release tier that of npm too, which a machine without one gets. */
export const EACH_FFMPEG = [
  ['the ffmpeg that is found', FFMPEG_PATHS] as const,
  ...(IS_THOROUGH
    ? [
        [
          'the ffmpeg of npm',
          { ffmpegPath: ffmpegInstaller.path, ffprobePath: ffprobeInstaller.path },
        ] as const,
      ]
    : []),
];
/** Whether the ffmpeg that the service finds has this filter. */
export async function canFilter(name: string): Promise<boolean> {
  const { ffmpeg } = await findFfmpeg(FFMPEG_PATHS);
  const { stdout } = await promisify(execFile)(ffmpeg.path, ['-hide_banner', '-filters']);
  return stdout.includes(` ${name} `);
}

/** A folder for a test's files; whoever asks for it removes it. */
export const scratchFolder = (): string => mkdtempSync(join(tmpdir(), 'frames-test-'));

/**
 * What makes the films of tests and sends them: npm's, whichever of them is tested. They are the same on every machine, and
 * it starts in a fiftieth of a second of processor time, where one with two hundred shared libraries takes a tenth.
 */
const MAKER = ffmpegInstaller.path;

/** Runs ffmpeg to its end. */
export async function runFfmpeg(...argv: string[]): Promise<void> {
  await promisify(execFile)(MAKER, ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y', ...argv]);
}

/** Starts ffmpeg for a server to read from; `stdout` is piped. */
export function spawnFfmpeg(...argv: string[]): ChildProcess {
  const child = spawn(MAKER, ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y', ...argv], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  child.on('error', () => {});
  return child;
}

/** Ends a server's ffmpeg and waits until it is gone. */
export async function endFfmpeg(child: ChildProcess | null): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGKILL');
  child.stdout?.resume();
  await gone;
}

/** How long a camera sends: longer than any test, and bounded, should nobody be left to end it. */
export const LIVE_SECONDS = '1200';

/** Small H.264 that starts at once: a key frame every five. @param size e.g. `320x180` */
export const LIVE_VIDEO = (size: string, fps = 10): string[] => [
  ...['-re', '-t', LIVE_SECONDS, '-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=${fps}`],
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '5', '-pix_fmt', 'yuv420p'],
];

/** Two of three frames are needed by no other; a key frame comes every three seconds. */
export const TWO_OF_THREE = [
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '75', '-sc_threshold', '0'],
  ...['-bf', '2', '-b_strategy', '0', '-x264-params', 'b-pyramid=none'],
];
/** Children of this very process that read frames, by the pipe they write to. */
export function frameReaders(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => isFrameReader(pid))
    .map(Number);
}

function isFrameReader(pid: string): boolean {
  try {
    const parent = / \d+ \(.*\) [A-Z] (\d+) /.exec(` ${readFileSync(`/proc/${pid}/stat`, 'utf8')}`)?.[1];
    const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return Number(parent) === process.pid && /ffmpeg/.test(argv) && argv.includes('[model]');
  } catch {
    return false;
  }
}
