import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseNetworks } from '../../../src/platform/network/named-networks.ts';
import { NetworkGuard } from '../../../src/platform/network/network-guard.ts';
import { faultInAddress } from '../../../src/platform/network/network-policy.ts';
import { CameraProxies } from '../../../src/video/proxy/camera-proxies.ts';
import { parseStreamUrl } from '../../../src/video/stream-url.ts';

const base = { networks: ['public'], allowedHosts: [], ownHosts: [] };
const numbers = (...found: string[]) =>
  found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('networks that an operator names', () => {
  test.each([
    [['10.1.0.0/16'], ['10.1.0.0/16']],
    [
      [' 10.1.0.0/16 ', 'PUBLIC', 'public'],
      ['10.1.0.0/16', 'public'],
    ],
    [
      ['FD12:3456:0:0::/48', '192.168.7.9/32'],
      ['fd12:3456::/48', '192.168.7.9/32'],
    ],
    [
      ['0.0.0.0/0', '::/0'],
      ['0.0.0.0/0', '::/0'],
    ],
    [['239.255.0.0/16'], ['239.255.0.0/16']],
    [['none'], ['none']],
    [[], []],
  ])('%j are read as %j', (texts, networks) => {
    expect(parseNetworks(texts)).toEqual({ networks });
  });

  test.each([
    ['10.1.2.3/16', 'names an address inside a network: for the network write 10.1.0.0/16'],
    ['fd12:3456::1/48', 'names an address inside a network: for the network write fd12:3456::/48'],
    ['10.1.0.0', 'is neither'],
    ['10.1.0.0/33', 'is neither'],
    ['10.1.0.0/-1', 'is neither'],
    ['10.1/16', 'is neither'],
    ['010.0.0.0/8', 'is neither'],
    ['0x0a.0.0.0/8', 'is neither'],
    ['256.0.0.0/8', 'is neither'],
    ['fd12::/129', 'is neither'],
    ['constructor', 'is neither'],
    ['', 'is neither'],
    ['::ffff:10.0.0.0/104', 'is an IPv4 network in the spelling of IPv6'],
    ['127.0.0.0/8', 'holds loopback addresses'],
    ['::1/128', 'holds loopback addresses'],
    ['169.254.0.0/16', 'holds linkLocal addresses'],
    ['fe80::/10', 'holds linkLocal addresses'],
    ['64:ff9b::/96', 'holds rfc6052 addresses'],
    ['2002::/16', 'holds 6to4 addresses'],
  ])('%j is refused', (text, fault) => {
    expect(parseNetworks(['public', text])).toEqual({ fault: expect.stringContaining(`"${text}" ${fault}`) });
  });

  test('`none` must stand alone, and at most 50 networks are accepted', () => {
    expect(parseNetworks(['none', 'public'])).toEqual({ fault: expect.stringContaining('stands alone') });
    const many = Array.from({ length: 51 }, (_, index) => `10.${index}.0.0/16`);
    expect(parseNetworks(many)).toEqual({ fault: 'At most 50 networks can be named; received 51.' });
  });
});

describe('what the networks allow', () => {
  const allows = (address: string, ...networks: string[]) =>
    faultInAddress(address, { ...base, networks }) === null;

  test.each([
    ['10.1.2.3', ['10.1.0.0/16'], true],
    ['::ffff:10.1.2.3', ['10.1.0.0/16'], true],
    ['10.2.0.1', ['10.1.0.0/16'], false],
    ['::ffff:10.2.0.1', ['10.1.0.0/16'], false],
    ['93.184.216.34', ['10.1.0.0/16'], false],
    ['93.184.216.34', ['10.1.0.0/16', 'public'], true],
    ['fd12:3456::7', ['fd12:3456::/48'], true],
    ['fd12:3457::7', ['fd12:3456::/48'], false],
    ['10.1.2.3', ['none'], false],
    ['93.184.216.34', ['none'], false],
    ['10.1.2.3', ['0.0.0.0/0'], true],
    ['127.0.0.1', ['0.0.0.0/0', '127.0.0.0/8'], false],
    ['169.254.169.254', ['0.0.0.0/0', '169.254.0.0/16'], false],
    ['::1', ['::/0'], false],
    ['::ffff:127.0.0.1', ['::/0', '0.0.0.0/0'], false],
    ['64:ff9b::a01:203', ['::/0', '64:ff9b::/96'], false],
    ['168.63.129.16', ['0.0.0.0/0'], false],
  ])('whether %s is allowed by %j: %p', (address, networks, isAllowed) => {
    expect(allows(address, ...networks)).toBe(isAllowed);
  });

  test('a name with one address outside the networks is refused, and each connection looks it up again', async () => {
    let found = numbers('10.1.2.3', '93.184.216.34');
    const guard = new NetworkGuard({ ...base, networks: ['10.1.0.0/16'] }, async () => found);
    await expect(guard.resolve('camera.test', 554)).rejects.toThrow('93.184.216.34');
    found = numbers('10.1.2.3', 'fd00::1');
    await expect(guard.resolve('camera.test', 554)).rejects.toThrow('fd00::1');
    found = numbers('10.1.2.3', '::ffff:10.1.2.4');
    expect(await guard.resolve('camera.test', 554)).toEqual({ address: '10.1.2.3', family: 4 });
    found = numbers('10.3.0.1');
    await expect(guard.resolve('camera.test', 554)).rejects.toThrow('none of the networks');
  });
});

describe('a camera proxy for the networks of a user', () => {
  let server: Server;
  let url: string;
  let leadsTo: string;
  const cameraProxies = new CameraProxies(
    { ...base, networks: ['public', 'private'], allowedHosts: ['127.0.0.2'] },
    async () => numbers('10.1.2.3'),
  );

  beforeAll(async () => {
    server = createServer((asked, response) => {
      if (asked.url === '/playlist.m3u8') response.end(`#EXTM3U\n#EXTINF:1,\n${leadsTo}\n`);
      else response.writeHead(302, { location: leadsTo }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve));
    url = `http://127.0.0.2:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await cameraProxies.close();
    server.close();
  });

  /** The answer of the proxy for these networks to a request as ffmpeg sends it. */
  async function asked(networks: readonly string[], target: string): Promise<string> {
    const connection = await cameraProxies.of(networks).connect(parseStreamUrl(`${url}/live`), 2_000);
    const proxy = new URL(connection.httpProxy!);
    return new Promise((resolve, reject) => {
      const asking = request({ host: proxy.hostname, port: proxy.port, path: target }, (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += String(chunk);
        });
        response.on('end', () =>
          resolve(
            `${response.statusCode} ${response.statusMessage} ${response.headers.location ?? ''}${text}`,
          ),
        );
      });
      asking.on('error', reject).end();
    });
  }

  test('it refuses addresses in redirects and playlists of an allowed camera', async () => {
    leadsTo = 'http://10.2.0.1:9/secret';
    expect(await asked(['10.1.0.0/16'], `${url}/live`)).toMatch(/^302 .*10\.2\.0\.1/);
    expect(await asked(['10.1.0.0/16'], `${url}/playlist.m3u8`)).toContain(leadsTo);
    expect(await asked(['10.1.0.0/16'], leadsTo)).toMatch(/^502 Address not on whitelist/);
  });

  test('users share it only if they have the same networks', async () => {
    expect(cameraProxies.of(['10.1.0.0/16'])).toBe(cameraProxies.of(['10.1.0.0/16']));
    expect(cameraProxies.of(['10.2.0.0/16'])).not.toBe(cameraProxies.of(['10.1.0.0/16']));
    const camera = parseStreamUrl('rtsp://camera.test:554/live');
    await expect(cameraProxies.of(['10.2.0.0/16']).connect(camera, 500)).rejects.toThrow(
      /none of the networks/,
    );
    await expect(cameraProxies.of(['public']).connect(camera, 500)).rejects.toThrow(
      /private addresses are refused/,
    );
  });
});
