import { expect, test } from '@jest/globals';
import { faultInWritten } from '../../../src/platform/network/written-address.ts';

test.each([
  ['rtsp://admin:sec#ret@192.168.1.20/live', '# in its password as %23'],
  ['rtsp://admin:sec/ret@192.168.1.20/live', '/ in its password as %2F'],
  ['rtsp://admin:sec?ret@camera/live', '? in its password as %3F'],
  ['rtsp://admin:sec\\ret@192.168.1.20/live', '\\ in its password as %5C'],
  ['rtsp://admin:1234/5@192.168.1.20:554/live', '/ in its password as %2F'],
  ['rtsp://admin:#1@[fd00::1]:554/live', '# in its password as %23'],
  [
    'http://admin:a#b/c?d@camera.example/live',
    '# in its password as %23 and / in its password as %2F and ? in',
  ],
])('%s: the message says how the password is written', (address, says) => {
  const fault = faultInWritten(address);
  expect(fault).toContain(`must write ${says}`);
  expect(fault).not.toMatch(/admin|sec/);
});

test.each([
  'rtsp://192.168.1.20:70000/a',
  'rtsp://u:p@camera:0/a',
  'rtsp://[::1]:123456/a',
  'http://a:-1/',
  'rtsp://a:b/',
])('%s: the message says which ports there are', (address) =>
  expect(faultInWritten(address)).toBe('must name a port from 1 to 65535 after its host'),
);

test.each([
  'rtsp://admin:sec%23ret@192.168.1.20:554/live',
  'rtsp://admin:p@ss@192.168.1.20/live',
  'rtsp://192.168.1.20:554/user=admin@password=x',
  'rtsp://nvr:554/camera@main',
  'rtsp://nvr/a?mail=x@example.com',
  'http://[fd00::1]:8080/a@b.example',
  'rtsp://admin@192.168.1.20:65535/',
  'rtsp://camera:/live',
  'sim:shop',
  '',
])('%p is as it must be', (address) => expect(faultInWritten(address)).toBeNull());
