import { describe, expect, test } from '@jest/globals';
import { redactUrl } from '../../../src/platform/network/mask-address.ts';
import { fc } from '../../support/property.ts';

describe('a masked address', () => {
  test.each([
    // before the host
    ['rtsp://admin:pa55@cam:554/h264', 'rtsp://***:***@cam:554/h264'],
    ['rtsp://admin:p@ss@cam/1', 'rtsp://***:***@cam/1'],
    ['rtsp://admin@cam/1', 'rtsp://***:***@cam/1'],
    ['rtsp://admin:pa55@[fe80::1]:554/ch1', 'rtsp://***:***@[fe80::1]:554/ch1'],
    // a password with a character that ends the host
    ['rtsp://admin:pa/ss@cam/1', 'rtsp://***'],
    ['rtsp://admin:12/ss@cam/1', 'rtsp://***'],
    ['rtsp://admin:12?ss@cam/1', 'rtsp://***'],
    ['rtsp://admin:pa#ss@cam/1', 'rtsp://***'],
    ['rtsp://admin:secret', 'rtsp://***'],
    // in the query
    [
      'http://cam/video?user=bob&password=s3cret&channel=1',
      'http://cam/video?user=***&password=***&channel=1',
    ],
    ['http://cam/a?access_token=abc', 'http://cam/***?access_token=***'],
    [
      'rtsp://cam/bcs/channel0_main.bcs?channel=0&stream=0&u=admin&p=s3cret',
      'rtsp://cam/bcs/channel0_main.bcs?channel=0&stream=0&u=***&p=***',
    ],
    ['http://cam/live?s3cret', 'http://cam/live?***'],
    ['http://cam/live?channel=s3cret-that-is-long', 'http://cam/live?channel=***'],
    // in the path
    ['rtsp://cam/user=admin_password=s3cret_channel=1_stream=0.sdp', 'rtsp://cam/***'],
    ['rtsp://cam/user=admin&password=s3cret&channel=1&stream=0.sdp?', 'rtsp://cam/***?***'],
    ['rtsp://cam/admin/s3cret/ch0/main', 'rtsp://cam/***/***/ch0/main'],
    ['rtsp://cam/1234/live', 'rtsp://cam/***/live'],
    ['rtmp://ingest/live/abcd-1234-key', 'rtmp://ingest/live/***'],
    ['rtmp://ingest/live#s3cret', 'rtmp://ingest/live#***'],
    // What selects a stream stays.
    ['rtsp://cam/Streaming/Channels/101', 'rtsp://cam/Streaming/Channels/101'],
    ['rtsp://cam/cam/realmonitor?channel=1&subtype=0', 'rtsp://cam/cam/realmonitor?channel=1&subtype=0'],
    ['rtsp://cam/h264Preview_01_main', 'rtsp://cam/h264Preview_01_main'],
    ['rtsp://cam:8554/stream1', 'rtsp://cam:8554/stream1'],
    ['https://host/hls/playlist.m3u8', 'https://host/hls/playlist.m3u8'],
    ['sim:shop?seed=1&start=120', 'sim:shop?seed=1&start=120'],
    // files
    ['file:///srv/customers/acme/clip%201.mp4', 'file:clip%201.mp4'],
    // inside other text
    ['[tcp] rtsp://a:b@cam/1: Connection refused', '[tcp] rtsp://***:***@cam/1: Connection refused'],
    ['"rtsp://a:b@cam/x y" and http://c/?key=d', '"rtsp://***:***@cam/*** y" and http://c/?key=***'],
  ])('%s is shown as %s', (url, shown) => expect(redactUrl(url)).toBe(shown));

  test('no password is shown, wherever the address holds it', () => {
    const secret = fc
      .stringMatching(/^[A-Za-z0-9!$*+,;=._~-]{6,20}$/)
      .filter((text) => /[A-Z].*\d|\d.*[A-Z]/.test(text));
    const forms: ((secret: string) => string)[] = [
      (s) => `rtsp://admin:${s}@cam/stream1`,
      (s) => `rtsp://cam/${s}/ch1`,
      (s) => `rtsp://cam/admin/${s}/ch1`,
      (s) => `rtsp://cam/user=admin_password=${s}_channel=1_stream=0.sdp`,
      (s) => `rtsp://cam/live?user=admin&password=${encodeURIComponent(s)}`,
      (s) => `rtsp://cam/live?${encodeURIComponent(s)}`,
      (s) => `rtmp://ingest/app/${s}`,
      (s) => `http://cam/video.cgi?x=${encodeURIComponent(s)}&channel=1`,
    ];
    fc.assert(
      fc.property(secret, fc.constantFrom(...forms), (password, form) => {
        const shown = redactUrl(form(password));
        expect(shown).not.toContain(password);
        expect(shown).not.toContain(encodeURIComponent(password));
      }),
    );
  });
});
