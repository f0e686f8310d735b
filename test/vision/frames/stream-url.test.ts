import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseStreamUrl, redactUrl } from '../../../src/vision/frames/stream-url.ts';

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
  ])('%s is %s', (url, scheme, input) => {
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
  ])('%p is refused with a sentence that names what is read', (url) =>
    expect(() => parseStreamUrl(url)).toThrow(/give rtsp:\/\/.*or a file\.$/),
  );

  test.each([
    ['rtsp://admin:pa55@cam:554/h264', 'rtsp://***:***@cam:554/h264'],
    ['rtsp://admin:p@ss@cam/1', 'rtsp://***:***@cam/1'],
    ['rtsp://admin@cam/1', 'rtsp://***:***@cam/1'],
    [
      'http://cam/video?user=bob&password=s3cret&channel=1',
      'http://cam/video?user=***&password=***&channel=1',
    ],
    ['http://cam/a?access_token=abc', 'http://cam/a?access_token=***'],
    ['[tcp] rtsp://a:b@cam/1: Connection refused', '[tcp] rtsp://***:***@cam/1: Connection refused'],
    ['http://cam/mail@home', 'http://cam/mail@home'],
  ])('%s is shown as %s', (url, shown) => expect(redactUrl(url)).toBe(shown));
});
