import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Login } from '../../../src/platform/network/credentials.ts';
import { NetworkGuard } from '../../../src/platform/network/network-guard.ts';
import {
  type CameraSearch,
  type FoundCamera,
  type SearchOptions,
  searchCameras,
} from '../../../src/video/onvif/search-cameras.ts';
import {
  CAMERA_LOGIN,
  type OnvifCamera,
  type OnvifCameraOptions,
  probeMatch,
  startOnvifCamera,
} from '../../support/servers/onvif-camera.ts';

type Options = Omit<Partial<OnvifCameraOptions>, 'address' | 'udpPort'>;

const WRONG_LOGIN = { user: 'operator', password: 'wrong' };
/** Another camera, to which answers may lead. */
const NEIGHBOUR = '127.0.0.3';
let movedTo = '';
let moves = 0;
let tenMegabytes = 0;

const LOGINS = ['none', 'digest', 'token', 'basic'] as const;
/** Addresses in an answer to a probe that are not the camera's own. */
const ELSEWHERE: Readonly<Record<string, () => string>> = {
  'a metadata service': () => 'http://169.254.169.254/latest/meta-data',
  'this machine': () => 'http://127.0.0.1:1/onvif/device_service',
  'a name': () => 'http://localhost/onvif/device_service',
  'a file': () => 'file:///etc/passwd',
  nothing: () => '',
  'no address': () => 'http://[::: not-an-address',
  'another camera': () => `http://${NEIGHBOUR}:${neighbour.httpPort}/onvif/device_service`,
};
const own = 'http://127.0.0.2/';
const USELESS_PROBE_ANSWERS: Readonly<Record<string, (relatesTo: string) => string | Buffer>> = {
  'is no XML': () => 'hello',
  'is empty': () => '',
  'is binary': () => Buffer.alloc(1000, 0xff),
  'is of another probe': () => probeMatch('urn:uuid:11111111-1111-1111-1111-111111111111', own),
  'is too long': (id) => probeMatch(id, `${own} `.repeat(2_000)),
  'has entities': (id) => `<!DOCTYPE a [<!ENTITY x "y">]>${probeMatch(id, own)}`,
  'is nested deeply': (id) => '<a>'.repeat(2_000) + probeMatch(id, own),
};
const USELESS_ANSWERS: Readonly<Record<string, string>> = {
  entities: '<!DOCTYPE a [<!ENTITY x "xxxxxxxxxx">]><s:Envelope><s:Body>&x;</s:Body></s:Envelope>',
  'no XML': 'not xml <<<>>>',
  'no envelope': '<html><body>Login</body></html>',
  'open elements': '<'.repeat(200_000),
  'open quotes': `<a ${'b=\' c=" '.repeat(20_000)}`,
  'nested elements': '<a>'.repeat(30_000),
};
/** What a camera says of its stream, and what is shown of it; HERE stands for its address. */
const STREAMS: Readonly<Record<string, readonly [said: string, shown: readonly string[]]>> = {
  'with a login': ['rtsp://admin:12345@127.0.0.2:554/live', ['rtsp://HERE:554/live']],
  'on another host': ['rtsp://169.254.169.254:8554/live', ['rtsp://HERE:8554/live']],
  'that is a file': ['file:///etc/passwd', []],
  'with spaces': ['rtsp://127.0.0.2/a b', []],
  'that is empty': ['', []],
};

const CAMERAS: Readonly<Record<string, () => Options>> = {
  ...Object.fromEntries(
    // Their clocks are a day wrong, which they say.
    LOGINS.map((login) => [`login ${login}`, () => ({ login, clockOffsetMs: 86_400_000, times: 3 })]),
  ),
  ...Object.fromEntries(
    Object.entries(ELSEWHERE).map(([name, urls]) => [`to ${name}`, () => ({ serviceUrls: urls() })]),
  ),
  ...Object.fromEntries(
    Object.entries(USELESS_PROBE_ANSWERS).map(([name, probeAnswer]) => [
      `probe ${name}`,
      () => ({ probeAnswer }),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(USELESS_ANSWERS).map(([name, text]) => [
      `answer ${name}`,
      () => ({ respond: (response) => response.end(text) }) satisfies Options,
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(STREAMS).map(([name, [streamUrl]]) => [`stream ${name}`, () => ({ streamUrl })]),
  ),
  relayed: () => ({ answersFrom: FORBIDDEN, serviceUrls: `http://${FORBIDDEN}:${forbidden.httpPort}/` }),
  long: () => ({ respond: sendTenMegabytes }),
  moved: () => ({ respond: (response) => response.writeHead(307, { location: movedTo }).end() }),
};

/** More than a search reads. */
function sendTenMegabytes(response: Parameters<NonNullable<Options['respond']>>[0]): void {
  const part = Buffer.alloc(64 * 1024, 'a');
  let written = 0;
  const more = (): void => {
    while (written < 10_000_000 && !response.destroyed) {
      written += part.length;
      tenMegabytes = Math.max(tenMegabytes, written);
      if (!response.write(part)) {
        response.once('drain', more);
        return;
      }
    }
    response.end();
  };
  more();
}

const addressOf = (name: string): string => `127.0.1.${Object.keys(CAMERAS).indexOf(name) + 1}`;
const addresses = Object.keys(CAMERAS).map(addressOf);
/** Not in the networks of the operator. */
const FORBIDDEN = '127.0.2.1';
const guard = new NetworkGuard({
  networks: ['private'],
  allowedHosts: [...addresses, NEIGHBOUR],
  ownHosts: [],
});

const cameras = new Map<string, OnvifCamera>();
let neighbour: OnvifCamera;
let forbidden: OnvifCamera;
const target = createServer((_request, response) => {
  moves++;
  response.end();
});
let found: CameraSearch;
let withoutLogin: CameraSearch;
let withWrongLogin: CameraSearch;
const progress: FoundCamera[] = [];

const search = (login: Login | null, options: Partial<SearchOptions> = {}): Promise<CameraSearch> =>
  searchCameras({
    ...{ guard, login, addresses: [...addresses, FORBIDDEN], multicast: false, port: neighbour.udpPort },
    ...{ probeMs: 2_000, signal: new AbortController().signal, onProgress: () => undefined },
    ...options,
  });

beforeAll(async () => {
  neighbour = await startOnvifCamera({ address: NEIGHBOUR, udpPort: 0 });
  const { udpPort } = neighbour;
  forbidden = await startOnvifCamera({ address: FORBIDDEN, udpPort });
  await new Promise<void>((resolve) => target.listen(0, NEIGHBOUR, resolve));
  movedTo = `http://${NEIGHBOUR}:${(target.address() as AddressInfo).port}/`;
  for (const [name, options] of Object.entries(CAMERAS))
    cameras.set(name, await startOnvifCamera({ address: addressOf(name), udpPort, ...options() }));
  const onProgress = (now: CameraSearch) => progress.push(...now.cameras);
  const logins = addresses.slice(0, LOGINS.length);
  [found, withoutLogin, withWrongLogin] = await Promise.all([
    search(CAMERA_LOGIN, { onProgress }),
    search(null, { addresses: logins }),
    search(WRONG_LOGIN, { addresses: logins }),
  ]);
});
afterAll(async () => {
  target.close();
  await Promise.all([...cameras.values(), neighbour, forbidden].map((camera) => camera.close()));
});

const shown = (name: string, of = found): FoundCamera | undefined =>
  of.cameras.find(({ address }) => address === addressOf(name));

describe('a camera that answers', () => {
  test.each([
    ['none', () => withoutLogin, 'not_needed'],
    ['none', () => found, 'accepted'],
    ['digest', () => found, 'accepted'],
    ['token', () => found, 'accepted'],
  ] as const)('with login %s shows who it is and its streams, once', (login, result, credentials) => {
    const address = addressOf(`login ${login}`);
    const stream = (profile: string, subtype: number, width: number, height: number) => ({
      profile,
      url: `rtsp://${address}:554/stream?channel=1&subtype=${subtype}`,
      ...{ codec: 'h264', width, height, fps: 25 },
    });
    expect(result().cameras.filter((each) => each.address === address)).toEqual([
      {
        address,
        serviceUrl: `http://${address}:${cameras.get(`login ${login}`)!.httpPort}/onvif/device_service`,
        name: 'Till 3',
        ...{ manufacturer: 'Example', model: 'IPC-4', firmwareVersion: '1.2.0', serialNumber: '0042' },
        ...{ macAddress: '00:11:22:aa:44:55', credentials, isAsked: true, error: null },
        streams: [stream('main', 0, 1920, 1080), stream('sub', 1, 640, 360)],
      },
    ]);
  });

  test.each([
    ['digest', () => withoutLogin, 'needed'],
    ['token', () => withoutLogin, 'needed'],
    ['digest', () => withWrongLogin, 'wrong'],
    ['token', () => withWrongLogin, 'wrong'],
    // The password itself is sent to nobody.
    ['basic', () => found, 'wrong'],
  ] as const)('with login %s that it did not get says what is missing', (login, result, credentials) => {
    expect(shown(`login ${login}`, result())).toMatchObject({
      ...{ name: 'Till 3', credentials, streams: [], isAsked: true, error: expect.any(String) },
    });
  });

  test('never gets the password itself', () => {
    const { requests, authorizations } = cameras.get('login basic')!;
    expect(authorizations).toEqual([]);
    const all = [...cameras.values()].flatMap((camera) => [...camera.requests, ...camera.authorizations]);
    expect([requests.length > 0, all.length > 50]).toEqual([true, true]);
    expect(all.filter((text) => text.includes(CAMERA_LOGIN.password))).toEqual([]);
  });

  test('is shown before it was asked, and then with what it said', () => {
    const seen = progress.filter(({ address }) => address === addressOf('login none'));
    expect([seen[0]!.isAsked, seen.at(-1)!.isAsked]).toEqual([false, true]);
  });
});

describe('a hostile answer', () => {
  test('from an address that is not allowed is counted; nothing connects to it, and it is not probed', () => {
    expect(found.refused).toBe(1);
    expect(found.cameras.filter(({ address }) => address === FORBIDDEN)).toEqual([]);
    expect([cameras.get('relayed')!.probes > 0, forbidden.probes, forbidden.requests]).toEqual([true, 0, []]);
  });

  test.each(Object.keys(ELSEWHERE))('that leads to %s is shown, and nobody is asked', (name) => {
    expect(shown(`to ${name}`)).toMatchObject({ serviceUrl: null, streams: [], credentials: null });
    expect(shown(`to ${name}`)!.error).toContain('no ONVIF service on its own address');
    expect(cameras.get(`to ${name}`)!.requests).toEqual([]);
    expect(neighbour.requests).toEqual([]);
  });

  test.each(Object.keys(USELESS_PROBE_ANSWERS))('to a probe that %s is left out', (name) => {
    expect(shown(`probe ${name}`)).toBeUndefined();
  });

  test.each(Object.keys(USELESS_ANSWERS))('of its web server with %s is no answer', (name) => {
    const error = expect.stringContaining('not of ONVIF');
    expect(shown(`answer ${name}`)).toMatchObject({ credentials: null, streams: [], error });
  });

  test('of its web server that has ten megabytes is broken off', () => {
    expect(shown('long')).toMatchObject({ streams: [], error: 'Its answer is too long.' });
    expect(tenMegabytes).toBeGreaterThan(256 * 1024);
    expect(tenMegabytes).toBeLessThan(10_000_000);
  });

  test('of its web server that leads elsewhere is not followed', () => {
    expect(shown('moved')).toMatchObject({ streams: [], error: expect.stringContaining('307') });
    expect(moves).toBe(0);
  });

  test.each(Object.entries(STREAMS))(
    'about a stream %s never leads away from the camera',
    (name, [, urls]) => {
      const address = addressOf(`stream ${name}`);
      expect(shown(`stream ${name}`)!.streams.map(({ url }) => url)).toEqual(
        urls.map((url) => url.replace('HERE', address)),
      );
    },
  );
});

test('a search that is ended asks nobody any more', async () => {
  const silent = await startOnvifCamera({ address: FORBIDDEN, udpPort: 0, respond: () => undefined });
  const ended = new AbortController();
  const { cameras: asked } = await search(CAMERA_LOGIN, {
    guard: new NetworkGuard({ networks: [], allowedHosts: [FORBIDDEN], ownHosts: [] }),
    ...{ addresses: [FORBIDDEN], port: silent.udpPort, signal: ended.signal },
    onProgress: () => ended.abort(),
  });
  expect(asked).toMatchObject([{ streams: [], error: 'The search ended before it answered.' }]);
  await silent.close();
});
