import { describe, expect, test } from '@jest/globals';
import decodeQR from 'qr/decode.js';
import { ROLES as API_ROLES } from '../../../src/http/roles.ts';
import { agentName } from '../../../src/page/keys/agent-name.ts';
import { isOnlyHere, linkAddress } from '../../../src/page/keys/link-address.ts';
import { qrPath } from '../../../src/page/keys/qr-path.ts';
import { grantable, ROLES, SCOPES_OF } from '../../../src/page/keys/roles.ts';

const CODE = '/#/enter?code=k7m2p-9xwqr-4tn8v-hj3fz-b6cde';

/** What a camera sees of the code: so many pixels for each module. */
function pixelsOf({ size, path }: ReturnType<typeof qrPath>, scale = 4) {
  const width = size * scale;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let pixel = 0; pixel < scale * scale; pixel++) {
      const column = Number(x) * scale + (pixel % scale);
      const row = Number(y) * scale + Math.floor(pixel / scale);
      data.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3);
    }
  }
  return { width, height: width, data };
}

describe('a link for another device', () => {
  test.each([`http://192.168.1.20:8080${CODE}`, `https://video.example.com/shops/nord${CODE}`])(
    'is what a scanner reads from its QR code: %s',
    (link) => expect(decodeQR(pixelsOf(qrPath(link)))).toBe(link),
  );

  test('has an edge without modules, which scanners need', () => {
    const { size, path } = qrPath('x');
    const places = [...path.matchAll(/M(\d+) (\d+)/g)].flatMap(([, x, y]) => [Number(x), Number(y)]);
    expect([Math.min(...places), Math.max(...places)]).toEqual([4, size - 5]);
  });

  test.each([
    ['http://192.168.1.20:8080/#/keys', `http://192.168.1.20:8080${CODE}`],
    ['https://shop.example.com/video/#/keys?tab=devices', `https://shop.example.com/video${CODE}`],
    ['https://shop.example.com/video/index.html#/keys', `https://shop.example.com/video${CODE}`],
  ])('of the page at %s', (page, link) => expect(linkAddress(page, CODE)).toBe(link));

  test.each([
    ['http://localhost:8080/', true],
    ['http://127.0.0.1:8080/', true],
    ['http://[::1]:8080/', true],
    ['http://video.localhost/', true],
    ['http://192.168.1.20/', false],
    ['https://localhost.example.com/', false],
  ])('that begins with %s leads only to this machine: %p', (page, only) =>
    expect(isOnlyHere(page)).toBe(only),
  );
});

test.each([
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
    'Safari, iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/145.0.0.0 Mobile Safari/537.36',
    'Chrome, Android',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/145.0 Safari/537.36 Edg/145.0',
    'Edge, Windows',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox, Linux'],
  ['curl/8.5.0', null],
  ['', null],
  [null, null],
])('%p is %p', (agent, name) => expect(agentName(agent)).toBe(name));

test('roles have the scopes that the API gives them', () => {
  for (const role of ROLES) expect([...SCOPES_OF[role]].sort()).toEqual([...API_ROLES[role].scopes].sort());
  expect(grantable(new Set(API_ROLES.manager.scopes))).toEqual(['viewer', 'manager']);
});
