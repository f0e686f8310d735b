import { describe, expect, test } from '@jest/globals';
import { describeVersion, findFfmpeg, oldRelease } from '../../../src/video/ffmpeg/ffmpeg-binaries.ts';

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

  test('a given path must work', async () => {
    await expect(findFfmpeg({ ffmpegPath: '/nowhere/ffmpeg' })).rejects.toThrow(
      'FFMPEG_PATH is "/nowhere/ffmpeg"',
    );
    await expect(findFfmpeg({ ffprobePath: '/bin/true' })).rejects.toThrow('FFPROBE_PATH is "/bin/true"');
  });
});
