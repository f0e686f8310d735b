import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseStreamUrl } from '../../src/video/stream-url.ts';

describe('a stream address', () => {
  test.each([
    ['rtsp://camera/1', 'rtsp', 'rtsp://camera/1'],
    ['RTSP://camera/1', 'rtsp', 'rtsp://camera/1'],
    ['https://host/live.m3u8', 'https', 'https://host/live.m3u8'],
    ['file:///a/b%20c.mp4', 'file', 'file:/a/b c.mp4'],
    ['file:/a/b.mp4', 'file', 'file:/a/b.mp4'],
    ['/a/b.mp4', 'file', 'file:/a/b.mp4'],
    ['clip.mp4', 'file', `file:${resolve('clip.mp4')}`],
    ['sim:shop?seed=3', 'sim', 'sim:shop?seed=3'],
  ])('%s has the scheme %s', (url, scheme, input) => {
    expect(parseStreamUrl(url)).toMatchObject({ scheme, input });
  });

  test.each([
    '',
    'concat:/etc/passwd|/a',
    'subfile:/a',
    'data:video/mp4;base64,AA',
    'ftp://host/a',
    'pipe:0',
    'rtsp://',
    'http:///x',
  ])('%p is refused with a sentence that names the supported schemes', (url) =>
    expect(() => parseStreamUrl(url)).toThrow(/give rtsp:\/\/.*or a file\.$/),
  );
});
