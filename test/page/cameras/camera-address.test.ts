import { describe, expect, test } from '@jest/globals';
import { nameOfAddress, readAddress, withLogin } from '../../../src/page/cameras/camera-address.ts';
import { readPercent, writePercent } from '../../../src/page/cameras/zones/percent.ts';
import { isOvernight, withDay } from '../../../src/page/kit/form/schedule.ts';
import { fc } from '../../support/property.ts';

describe('addresses', () => {
  test('a login of any characters comes back from the address as it was', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), (username, password) => {
        const url = new URL(withLogin('rtsp://192.168.1.20:554/stream1?a=b@c', { username, password }));
        expect([url.username, url.password].map(decodeURIComponent)).toEqual([username, password]);
        expect([url.host, url.pathname, url.search]).toEqual(['192.168.1.20:554', '/stream1', '?a=b@c']);
      }),
    );
  });

  test('without a user the address stays, and a former login is replaced', () => {
    const login = { username: 'a', password: 'b' };
    expect(withLogin('rtsp://h/s', { username: '', password: 'x' })).toBe('rtsp://h/s');
    expect(withLogin('rtsp://old:one@h/s', login)).toBe('rtsp://a:b@h/s');
  });

  test.each([
    ['192.168.1.20/stream1', 'rtsp://192.168.1.20/stream1'],
    ['camera:554/stream1', 'rtsp://camera:554/stream1'],
    ['  rtsp://h/s ', 'rtsp://h/s'],
    ['sim:shop?seed=1', 'sim:shop?seed=1'],
    ['user:secret@h/s', 'user:secret@h/s'],
    ['', ''],
  ])('%j is read as %j', (typed, address) => expect(readAddress(typed)).toBe(address));

  test.each([
    ['rtsp://user:secret@192.168.1.20:554/s', '192.168.1.20'],
    ['rtsp://user:p@ss@camera/s', 'camera'],
    ['rtsp://[fd00::1]:554/s', '[fd00::1]'],
    ['file:///videos/my%20shop.mp4', 'my shop'],
    ['file:///videos/%E0%A4%A.mp4', '%E0%A4%A'],
    ['sim:shop?seed=1', 'Simulated shop'],
    ['nonsense', ''],
  ])('%j is called %j', (address, name) => expect(nameOfAddress(address, 'Simulated shop')).toBe(name));
});

describe('percent', () => {
  test.each([
    ['12,5', 0.125],
    ['12.5 %', 0.125],
    ['100', 1],
    ['0', 0],
    ['100.1', null],
    ['-1', null],
    ['', null],
    ['1e1', null],
    ['abc', null],
  ])('%j is %j', (text, share) => expect(readPercent(text)).toBe(share));

  test('what is shown is read as what is kept', () => {
    fc.assert(
      fc.property(fc.nat(10_000), (n) => expect(readPercent(writePercent(n / 1e4))).toBeCloseTo(n / 1e4, 10)),
    );
  });
});

test('days of a schedule stay in order, and a window may end on the next day', () => {
  const window = { days: [1, 5], start: '22:00', end: '02:00' };
  expect(withDay(window, 3, true).days).toEqual([1, 3, 5]);
  expect(withDay(window, 5, false).days).toEqual([1]);
  expect(isOvernight(window)).toBe(true);
  expect(isOvernight({ ...window, end: '23:00' })).toBe(false);
});
