import { describe, expect, test } from '@jest/globals';
import type { FfmpegBinaries } from '../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { resolveHost } from '../../../src/video/proxy/resolve-host.ts';
import { parseStreamUrl } from '../../../src/video/stream-url.ts';

const binary = (major: number) => ({
  path: 'ffmpeg',
  version: '',
  major,
  rtspTimeoutOption: '-timeout' as const,
});
const binaries = (major: number): FfmpegBinaries => ({ ffmpeg: binary(major), ffprobe: binary(major) });
const found =
  (address: string, family = 4) =>
  () =>
    Promise.resolve({ address, family });

describe('resolveHost', () => {
  test.each([
    ['rtsp://cam.local/stream1', 'rtsp://10.0.0.7/stream1', undefined],
    ['rtsp://me:p%40ss@cam.local:8554/a?b=c', 'rtsp://me:p%40ss@10.0.0.7:8554/a?b=c', undefined],
    ['rtmp://cam.local/live/x', 'rtmp://10.0.0.7/live/x', undefined],
    ['http://cam.local:8080/v.ts', 'http://10.0.0.7:8080/v.ts', 'cam.local:8080'],
    ['https://cam.local/v.m3u8', 'https://10.0.0.7/v.m3u8', 'cam.local'],
  ])('%s is read at its IP address', async (url, input, hostHeader) => {
    const resolved = await resolveHost(parseStreamUrl(url), binaries(4), found('10.0.0.7'));
    expect(resolved.input).toBe(input);
    expect(resolved.hostHeader).toBe(hostHeader);
  });

  test('an IPv6 address stands in brackets', async () => {
    const resolved = await resolveHost(
      parseStreamUrl('rtsp://cam.local/a'),
      binaries(5),
      found('fd00::7', 6),
    );
    expect(resolved.input).toBe('rtsp://[fd00::7]/a');
  });

  test.each(['rtsp://10.0.0.9/a', 'rtsp://[fd00::1]/a', 'file:/tmp/a.mp4', 'https://cam.local/a.m3u8'])(
    '%s stays as it is for a current ffmpeg',
    async (url) => {
      const address = parseStreamUrl(url);
      expect(await resolveHost(address, binaries(5), found('1.2.3.4'))).toBe(address);
    },
  );

  test('an unknown name gives one sentence without credentials', async () => {
    const unknown = () => Promise.reject(new Error('ENOTFOUND'));
    await expect(
      resolveHost(parseStreamUrl('rtsp://me:secret@nowhere.invalid/a'), binaries(4), unknown),
    ).rejects.toThrow(
      'rtsp://***:***@nowhere.invalid/*** has a host name that is not known here: check its address.',
    );
  });
});
