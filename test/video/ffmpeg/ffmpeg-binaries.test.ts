import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  binariesNow,
  describeVersion,
  faultOfStart,
  findFfmpeg,
  isPassing,
  oldRelease,
} from '../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { scratchFolder } from '../../support/ffmpeg.ts';

const banner = (version: string, avformat: string) =>
  `ffmpeg version ${version} Copyright (c) 2000-2026 the FFmpeg developers\nlibavformat    ${avformat} / ${avformat}\n`;

describe('ffmpeg', () => {
  test.each([
    ['N-47683-g0e8eb07980-static', '58. 24.100', 4, '-stimeout'],
    ['4.4.2-0ubuntu0.22.04.1', '58. 76.100', 4, '-stimeout'],
    ['5.1.9-0+deb12u1', '59. 27.100', 5, '-timeout'],
    ['N-66595-gc2b38619c0-static', '60. 10.100', 6, '-timeout'],
    ['7.1', '61.  7.100', 7, '-timeout'],
  ])('version %s with libavformat %s is recognised', (version, avformat, major, rtspTimeoutOption) => {
    expect(describeVersion('ffmpeg', banner(version, avformat))).toEqual({
      path: 'ffmpeg',
      version,
      major,
      rtspTimeoutOption,
    });
  });

  test('another program is not taken for ffmpeg', () => {
    expect(describeVersion('true', 'GNU bash, version 5.2')).toBeNull();
  });

  test('ffmpeg is found without a path, with a warning if it is old', async () => {
    const warnings: string[] = [];
    const { ffmpeg, ffprobe } = await findFfmpeg({ onWarning: (sentence) => warnings.push(sentence) });
    const old = [ffmpeg, ffprobe].filter(({ major }) => major < 5);
    expect(warnings).toHaveLength(old.length);
    for (const warning of warnings) expect(warning).toMatch(/FF(MPEG|PROBE)_PATH/);
  });

  test('the release is that of the older of the two programs', () => {
    const binary = (avformat: string) => describeVersion('/usr/bin/ffmpeg', banner('7.1', avformat))!;
    const [old, older, current] = [binary('58. 76.100'), binary('57. 83.100'), binary('59. 27.100')];
    expect(oldRelease({ ffmpeg: current, ffprobe: current })).toBeNull();
    expect(oldRelease({ ffmpeg: current, ffprobe: old })).toBe(4);
    expect(oldRelease({ ffmpeg: old, ffprobe: older })).toBe(3);
  });

  test('what the machine could not do now is told from a program that does not work', () => {
    const thrown = (facts: object) =>
      faultOfStart(Object.assign(new Error('Command failed: x -version'), facts));
    expect(thrown({ killed: true, code: null })).toEqual({
      fault: 'it did not answer -version within 120 s, so this machine is too busy.',
      isPassing: true,
    });
    expect(thrown({ code: 'EAGAIN' })).toMatchObject({ isPassing: true });
    expect(thrown({ code: 'EACCES' })).toEqual({ fault: 'the system says EACCES.', isPassing: false });
    expect(thrown({ code: 127, killed: false })).toEqual({
      fault: 'it ended with code 127.',
      isPassing: false,
    });
  });

  test('a program that was found is not blamed on a setting that nobody has set', async () => {
    const found = await findFfmpeg();
    expect(await binariesNow(found)).toEqual(found);
    const gone = { ...found, ffmpeg: { ...found.ffmpeg, path: '/nowhere/ffmpeg' } };
    const error = await binariesNow(gone).catch((reason: Error) => reason);
    expect(error).toMatchObject({ message: '/nowhere/ffmpeg does not run any more: there is no such file.' });
    expect(isPassing(error)).toBe(false);
  });

  test('a given path must work', async () => {
    await expect(findFfmpeg({ ffmpegPath: '/nowhere/ffmpeg' })).rejects.toThrow(
      'FFMPEG_PATH is "/nowhere/ffmpeg"',
    );
    await expect(findFfmpeg({ ffprobePath: '/bin/true' })).rejects.toThrow('FFPROBE_PATH is "/bin/true"');
  });

  test('a program is asked for its version once, and again after it has changed', async () => {
    const folder = scratchFolder();
    const [program, notes] = [join(folder, 'ffmpeg'), join(folder, 'notes')];
    const install = (version: string, avformat: string) =>
      writeFile(
        program,
        `#!/bin/sh\necho asked >> ${notes}\ncat <<'END'\n${banner(version, avformat)}END\n`,
        {
          mode: 0o755,
        },
      );
    const asked = async () => (await readFile(notes, 'utf8')).trim().split('\n').length;
    try {
      await install('5.1.9', '59. 27.100');
      for (let time = 0; time < 3; time += 1)
        expect((await findFfmpeg({ ffmpegPath: program })).ffmpeg.version).toBe('5.1.9');
      expect(await asked()).toBe(1);
      await install('7.1.10', '61.  7.100');
      expect((await findFfmpeg({ ffmpegPath: program })).ffmpeg).toMatchObject({
        version: '7.1.10',
        major: 7,
      });
      expect(await asked()).toBe(2);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('a program that could not answer is asked again', async () => {
    const folder = scratchFolder();
    const [program, isReady] = [join(folder, 'ffmpeg'), join(folder, 'ready')];
    const answer = `cat <<'END'\n${banner('7.1', '61.  7.100')}END\n`;
    await writeFile(program, `#!/bin/sh\n[ -e ${isReady} ] || exit 1\n${answer}`, { mode: 0o755 });
    try {
      await expect(findFfmpeg({ ffmpegPath: program })).rejects.toThrow('which does not run');
      await writeFile(isReady, '');
      expect((await findFfmpeg({ ffmpegPath: program })).ffmpeg.version).toBe('7.1');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
