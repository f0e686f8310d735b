import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { checkStreamUrl, openStreamUrl, sealStreamUrl } from '../../../src/cameras/devices/stream-url.ts';
import { Sealer } from '../../../src/platform/crypto.ts';

const network = { networks: ['public', 'private'], allowedHosts: ['127.0.0.2'], ownHosts: [] };
const check = (url: string) => checkStreamUrl(url, { network });

describe('stream addresses', () => {
  test.each([
    'rtsp://user:pa%20ss@192.168.1.20:554/stream1',
    'rtsps://camera.example.com/live',
    'rtmp://10.0.0.8/live/key',
    'http://172.16.0.9:8080/video.mjpg?token=abc',
    'https://cdn.example.com/live/index.m3u8',
    'rtsp://[fd12:3456::1]:554/a',
    'rtsp://127.0.0.2/allowed-by-the-operator',
    'sim:shop',
    'sim:shop?seed=42',
    'sim:shop?seed=42&start=3600',
    'sim:shop?seed=42&scenario=crowd',
  ])('%s is accepted', (url) => {
    expect(check(url)).toEqual({ url });
  });

  test.each([
    'ftp://example.com/a',
    'concat:/etc/passwd|/etc/hosts',
    'subfile,,start,0,end,9,,:/etc/passwd',
    'data:video/mp4;base64,AAAA',
    'pipe:0',
    '/etc/passwd',
    'sim:bank',
    'rtsp://',
    'not an address',
    'rtsp://a b/',
    'rtsp://***:***@camera.example.com/stream2',
    'rtsp://camera.example.com/\nfile:/etc/passwd',
    'http://localhost:9000/',
    'http://shop.localhost/',
    'http://127.0.0.1/',
    'rtsp://127.0.0.1:8554/a',
    'rtsp://0x7f.1/a',
    'rtsp://2130706433/a',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://0.0.0.0/',
    'http://169.254.169.254/latest/meta-data',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://metadata.google.internal./',
    'rtsp://224.0.0.1/a',
    'rtsp://255.255.255.255/a',
    'file:///etc/passwd',
  ])('%j is refused with a reason', (url) => {
    expect(check(url)).toEqual({ fault: expect.stringMatching(/^(must|may) /) });
  });

  test.each([
    [
      'rtsp://127.0.0.1:8554/cam',
      /loopback addresses are refused; the operator allows .* STREAM_ALLOW_HOSTS/,
    ],
    ['rtsp://localhost:8554/cam', /STREAM_ALLOW_HOSTS/],
    ['rtsp://169.254.7.7/cam', /STREAM_ALLOW_HOSTS/],
    ['rtsp://239.1.2.3/cam', /multicast addresses are refused; the operator allows .* STREAM_NETWORKS/],
    ['rtsp://admin:a#b@10.0.0.8/cam', /%23/],
    ['rtsp://10.0.0.8:99999/cam', /port from 1 to 65535/],
  ])('%s is refused with the way out', (url, says) => {
    expect(check(url)).toEqual({ fault: expect.stringMatching(says) });
  });

  test('an address of the service itself is refused without a way out', () => {
    const own = { ...network, ownHosts: [{ host: 'db.example', port: 5432 }] };
    const found = checkStreamUrl('rtsp://db.example/', { network: own });
    expect(found).toEqual({ fault: 'may not lead to db.example: it is part of this service' });
  });

  test('only files inside MEDIA_ROOT are accepted, also through links', () => {
    const root = mkdtempSync(join(tmpdir(), 'media-'));
    const mediaRoot = join(root, 'media');
    mkdirSync(mediaRoot);
    writeFileSync(join(mediaRoot, 'a clip.mp4'), '');
    writeFileSync(join(root, 'outside.mp4'), '');
    symlinkSync(join(root, 'outside.mp4'), join(mediaRoot, 'link.mp4'));
    const inside = (url: string) => checkStreamUrl(url, { mediaRoot, network });
    const url = pathToFileURL(join(mediaRoot, 'a clip.mp4')).href;
    expect(inside(url)).toEqual({ url });
    expect(inside('file:a%20clip.mp4')).toEqual({ url });
    for (const refused of [
      'file:../outside.mp4',
      'file:link.mp4',
      'file:missing.mp4',
      'file:.',
      'file:%00',
    ]) {
      expect(inside(refused)).toEqual({ fault: 'must name a file that exists inside MEDIA_ROOT' });
    }
  });

  test('addresses are stored encrypted, and an old key still opens them after a new one was added', () => {
    const old = { id: 'a', key: Buffer.alloc(32, 1) };
    const sealed = sealStreamUrl(new Sealer([old]), 'rtsp://u:p@h/');
    expect(sealed).not.toContain('rtsp');
    expect(openStreamUrl(new Sealer([{ id: 'b', key: Buffer.alloc(32, 2) }, old]), sealed)).toBe(
      'rtsp://u:p@h/',
    );
    expect(() => openStreamUrl(new Sealer([{ id: 'b', key: Buffer.alloc(32, 2) }]), sealed)).toThrow('"a"');
    expect(() => openStreamUrl(new Sealer([old]), `${sealed.slice(0, -4)}AAA=`)).toThrow();
  });
});
