import { createServer } from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { NetworkPolicy } from '../../../src/platform/network/network-policy.ts';
import { type FfmpegBinaries, findFfmpeg } from '../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { probeWithFfprobe } from '../../../src/video/probe/ffprobe.ts';
import { CameraProxy } from '../../../src/video/proxy/camera-proxy.ts';
import { parseStreamUrl } from '../../../src/video/stream-url.ts';
import { FFMPEG_PATHS } from '../../support/ffmpeg.ts';
import { IS_THOROUGH } from '../../support/thorough.ts';

/** What must never be reached: it listens on loopback and on every other address of this machine. */
let trap: Server;
let trapPort: number;
let reached: string[] = [];
/** A camera that the operator allows, and that means harm: what it answers, by path. */
let hostile: Server;
let hostilePort: number;
let answers: Record<string, { status?: number; type?: string; location?: string; body?: string }> = {};
let binaries: FfmpegBinaries;
let cameraProxy: CameraProxy;
const HOSTILE = '127.0.0.2';

/** What the names of this test stand for. */
const NAMES: Record<string, string[]> = {
  'rebound.test': ['127.0.0.1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'six.test': ['::1'],
  'mixed.test': ['93.184.216.34', '127.0.0.1'],
  'link.test': ['169.254.169.254'],
  'nothing.test': ['0.0.0.0'],
  'database.test': ['10.9.8.7'],
  'alias.test': ['10.9.8.7'],
};
const POLICY: NetworkPolicy = {
  networks: ['public', 'private'],
  allowedHosts: [HOSTILE],
  ownHosts: [{ host: 'database.test', port: 5432 }],
};

const listening = (server: Server, host: string): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, host, () => resolve((server.address() as AddressInfo).port));
  });

beforeAll(async () => {
  binaries = await findFfmpeg(FFMPEG_PATHS);
  trap = createTcpServer((socket: Socket) => {
    reached.push('a connection');
    socket.on('error', () => undefined);
    socket.on('data', (data) => reached.push(data.toString('latin1').slice(0, 200)));
    setTimeout(() => socket.destroy(), 200);
  });
  trapPort = await listening(trap, '0.0.0.0');
  hostile = createServer((request, response) => {
    const {
      status = 200,
      type = 'application/vnd.apple.mpegurl',
      location,
      body = '',
    } = answers[request.url!.replace(/^http:\/\/[^/]*/, '')] ?? { status: 404 };
    response
      .writeHead(status, { 'content-type': type, ...(location === undefined ? {} : { location }) })
      .end(body);
  });
  hostilePort = await listening(hostile, HOSTILE);
  cameraProxy = new CameraProxy(POLICY, async (name) => {
    const found = NAMES[name];
    if (!found) throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
    return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  });
});
afterAll(async () => {
  await cameraProxy.close();
  trap.close();
  hostile.close();
});
beforeEach(() => {
  reached = [];
  answers = {};
});

/** The fault of reading an address; null when it could be read. */
async function tried(url: string): Promise<string | null> {
  try {
    const connection = await cameraProxy.connect(parseStreamUrl(url), 3_000);
    try {
      const { address, httpProxy } = connection;
      await probeWithFfprobe({ address, httpProxy, binaries, timeoutMs: 3_000 });
      return null;
    } finally {
      connection.close();
    }
  } catch (error) {
    return (error as Error).message;
  }
}

const SPELLINGS = [
  ...['127.0.0.1', '127.1', '127.0.1', '127.0.0.1.', '0x7f.1', '0x7f.0.0.1', '0x7f000001', '0X7F000001'],
  ...[
    '2130706433',
    '017700000001',
    '0177.0.0.1',
    '0177.1',
    '127.0x0.0.01',
    '127.127.127.127',
    '127.255.255.254',
  ],
  ...['localhost', 'LOCALHOST', 'LocalHost.', 'a.localhost', 'a.b.localhost.', '0', '0.0.0.0', '0x0', '00.0'],
  ...[
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[0000::0001]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::FFFF:7F00:0001]',
  ],
  ...[
    '[::127.0.0.1]',
    '[::7f00:1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
  ],
  ...['[fe80::1]', '[::ffff:0:0]', '[ff02::1]', '169.254.169.254', '169.254.0.1', '0xa9fea9fe', '2852039166'],
  ...[
    '[::ffff:169.254.169.254]',
    '[fd00:ec2::254]',
    '[fd00:ec2::253]',
    '[fd20:ce::254]',
    '[3fff::1]',
    '100.100.100.200',
    '168.63.129.16',
    'metadata.google.internal',
  ],
  ...[
    '１２７.０.０.１',
    '127。0。0。1',
    '①②⑦.⓪.⓪.①',
    '%31%32%37.0.0.1',
    'ⓛocalhost',
    'loc%61lhost',
    '127%2e0%2e0%2e1',
  ],
  ...[
    '255.255.255.255',
    '224.0.0.1',
    '240.0.0.1',
    '192.0.0.192',
    '198.18.0.1',
    'rebound.test',
    'mapped.test',
    'six.test',
  ],
  ...['mixed.test', 'link.test', 'nothing.test', 'database.test', 'alias.test', '10.9.8.7', '0xa090807'],
  ...['camera.test@127.0.0.1', 'user:pass@127.0.0.1', 'a@b@127.0.0.1', 'camera.test:80@127.1'],
];

describe('no spelling of an address leads to the trap', () => {
  test('the trap notices connections', async () => {
    const address = parseStreamUrl(`rtsp://127.0.0.1:${trapPort}/`);
    await expect(probeWithFfprobe({ address, binaries, timeoutMs: 60_000 })).rejects.toThrow();
    expect(reached.length).toBeGreaterThan(0);
  });

  test(`${SPELLINGS.length} hosts, each with rtsp, rtsps, rtmp, http and https, are refused`, async () => {
    expect(SPELLINGS.length).toBeGreaterThan(60);
    const open: string[] = [];
    for (const host of SPELLINGS) {
      for (const scheme of ['rtsp', 'rtsps', 'rtmp', 'http', 'https']) {
        const url = `${scheme}://${host}:${trapPort}/stream`;
        const said = await tried(url);
        if (!said || !/may not lead to|is not an address/.test(said)) open.push(`${url}: ${said}`);
      }
    }
    expect([open, reached]).toEqual([[], []]);
  });

  test.each([
    (port: number) => `rtsp://${HOSTILE}:${hostilePort}\\@127.0.0.1:${port}/`,
    (port: number) => `rtsp://${HOSTILE}:1#@127.0.0.1:${port}/`,
    (port: number) => `http://${HOSTILE}:${hostilePort}\\@127.0.0.1:${port}/`,
    (port: number) => `http://${HOSTILE}:1?@127.0.0.1:${port}/`,
    (port: number) => `rtsp://127.0.0.1:${port}\\@${HOSTILE}:${hostilePort}/`,
    (port: number) => `rtmp://${HOSTILE}:1/@127.0.0.1:${port}/`,
  ])('an address that two parsers may read differently does not reach the trap: %#', async (url) => {
    expect(await tried(url(trapPort))).not.toBeNull();
    expect(reached).toEqual([]);
  });
});

/** What a redirect or playlist could name; `T` is the trap. */
const TARGETS = [
  ...[
    'http://T/x.ts',
    'https://T/x.ts',
    'http://localhost:P/x.ts',
    'http://0x7f.1:P/x.ts',
    'http://2130706433:P/x.ts',
  ],
  ...[
    'http://[::ffff:127.0.0.1]:P/x.ts',
    'http://rebound.test:P/x.ts',
    'https://rebound.test:P/x.ts',
    '//T/x.ts',
  ],
  ...[
    'httpproxy://T/x.ts',
    'httpproxy://127.0.0.1:P/http://a/x.ts',
    'tcp://T',
    'tcp://T?x.ts',
    'tls://T',
    'rtmp://T/x.ts',
  ],
  ...[
    'rtsp://T/x.ts',
    'ftp://T/x.ts',
    'gopher://T/x',
    'udp://T',
    'rtp://T',
    'crypto+http://T/x.ts',
    'crypto:http://T/x.ts',
  ],
  ...[
    'concat:http://T/x.ts|http://T/y.ts',
    'subfile,,start,0,end,9,,:http://T/x.ts',
    'cache:http://T/x.ts',
    'async:http://T/x.ts',
  ],
  ...[
    'file:///etc/hostname',
    '/etc/hostname',
    'data:video/mp2t;base64,AAAA',
    'tee:http://T/x.ts',
    'hls+http://T/x.m3u8',
  ],
  ...[
    'mmsh://T/x.ts',
    'http://T.tls.invalid/x.ts',
    'http://127.0.0.1.tls.invalid:P/x.ts',
    'http://localhost.tls.invalid:P/x.ts',
  ],
].map((text) => ({
  text,
  url: () => text.replaceAll('T', `127.0.0.1:${trapPort}`).replaceAll(':P', `:${trapPort}`),
}));

describe('no reply of a hostile camera leads to the trap', () => {
  test('an allowed camera is reached', async () => {
    answers['/live.m3u8'] = { body: '#EXTM3U\n' };
    expect(await tried(`http://${HOSTILE}:${hostilePort}/live.m3u8`)).not.toMatch(/may not lead/);
  });

  test(`${TARGETS.length} targets as segment, key, map and variant of a playlist and in a redirect are refused`, async () => {
    const head = '#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:0\n';
    const urls = TARGETS.map(({ url }) => url());
    for (const [at, url] of urls.entries()) {
      const bodies = [
        `${head}#EXTINF:1,\n${url}\n#EXTINF:1,\n${url}\n#EXT-X-ENDLIST\n`,
        `${head}#EXT-X-KEY:METHOD=AES-128,URI="${url}"\n#EXTINF:1,\nsegment.ts\n#EXT-X-ENDLIST\n`,
        `${head}#EXT-X-MAP:URI="${url}"\n#EXTINF:1,\nsegment.ts\n#EXT-X-ENDLIST\n`,
        `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${url}\n`,
      ];
      for (const [which, body] of bodies.entries()) answers[`/${at}/${which}.m3u8`] = { body };
      answers[`/${at}/${bodies.length}.m3u8`] = { status: 302, location: url };
      answers[`/${at}/segment.ts`] = { type: 'video/mp2t', body: 'G'.repeat(188) };
    }
    // Each target stands in one of the five places; the release tier tries it in all.
    const places = (at: number) => (IS_THOROUGH ? [0, 1, 2, 3, 4] : [at % 5]);
    const paths = urls.flatMap((_, at) => places(at).map((which) => `/${at}/${which}.m3u8`));
    // Four readers at a time: it is the waiting that takes long.
    await Promise.all(
      [0, 1, 2, 3].map(async (worker) => {
        for (const path of paths.filter((_, at) => at % 4 === worker))
          expect(await tried(`http://${HOSTILE}:${hostilePort}${path}`)).not.toBeNull();
      }),
    );
    expect(reached).toEqual([]);
  });

  test.each([
    ['a header', (to: string) => `Location: ${to}`],
    ['one with carriage returns inside', (to: string) => `Loc\rati\ron: ${to}`],
    ['in capitals', (to: string) => `LOCATION:${to}`],
  ])('an RTSP redirect is not followed: %s', async (_, header) => {
    const camera = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => {
        const answer = `RTSP/1.0 302 Found\r\nCSeq: 1\r\n${header(`rtsp://127.0.0.1:${trapPort}/`)}\r\n\r\n`;
        // In two packets, cut in the middle of the header.
        const cut = answer.search(/loc/i) + 2;
        socket.write(answer.slice(0, cut));
        setTimeout(() => socket.write(answer.slice(cut)), 20);
      });
    });
    const port = await listening(camera, HOSTILE);
    expect(await tried(`rtsp://${HOSTILE}:${port}/`)).not.toBeNull();
    camera.close();
    expect(reached).toEqual([]);
  });

  // No ffmpeg follows RTMP redirects today. The proxy does not pass them on.
  test.each([
    ['whole', ''],
    ['in chunks of a byte', '\xc3'],
    ['on a channel of two bytes', '\xc0\x41'],
    ['of three, with a long time', '\xc1\x41\x42\x00\x01\x02\x03'],
  ])('an RTMP redirect is not followed: %s', async (_, header) => {
    const answer = [...`level\0error\0redirect\0rtmp://127.0.0.1:${trapPort}/`].join(header);
    const camera = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      // In packets of a few bytes.
      for (let at = 0; at < answer.length; at += 5)
        setTimeout(() => socket.write(Buffer.from(answer.slice(at, at + 5), 'latin1')), at);
      setTimeout(() => socket.end(), answer.length + 50);
    });
    const port = await listening(camera, HOSTILE);
    const connection = await cameraProxy.connect(parseStreamUrl(`rtmp://${HOSTILE}:${port}/live`), 3_000);
    const heard = await new Promise<string>((resolve) => {
      let text = '';
      connect(Number(new URL(connection.address.input.replace('rtmp', 'http')).port), '127.0.0.1')
        .on('data', (part) => {
          text += part.toString('latin1');
        })
        .on('error', () => undefined)
        .on('close', () => resolve(text));
    });
    expect(heard).not.toContain([...'redirect'].join(header));
    connection.close();
    camera.close();
  });
});
