import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CameraAccess } from '../../../src/cameras/devices/camera-access.ts';
import { probeIdleDevices } from '../../../src/cameras/devices/presence.job.ts';
import { loadConfig } from '../../../src/platform/config.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { answerChallenge, loginOf } from '../../../src/platform/network/credentials.ts';
import type { Device } from '../../../src/platform/prisma-client/client.ts';
import { quickProbe } from '../../../src/video/probe/quick-probe.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { LIVE_VIDEO } from '../../support/ffmpeg.ts';
import { addDevice, addNode, queueScene, testSealer } from '../../support/rows/runs.ts';
import { serveRtsp } from '../../support/servers/rtsp-server.ts';
import { refusedUrl, serveHttp, serveLive, serveSilence } from '../../support/servers/stream-server.ts';
import { testShared } from '../../support/shared.ts';

const config = loadConfig({ STREAM_ALLOW_HOSTS: '127.0.0.1' });
const { guard } = new CameraAccess(config).proxyFor([]);
const quickProbeOf = (url: string, timeoutMs = 30_000) => quickProbe(url, { guard, timeoutMs });
/** Null: online; `host`: only a host answers; else the sentence of the fault. */
const probed = async (url: string, timeoutMs?: number) => {
  const { onlineStatus, fault } = await quickProbeOf(url, timeoutMs);
  return onlineStatus === 'unknown' ? 'host' : (fault?.sentence ?? null);
};
const M3U8 = { 'Content-Type': 'application/vnd.apple.mpegurl' };
/** Looks random, and is the same each time. */
const NOISE = Buffer.concat(
  Array.from({ length: 60 }, (_, at) => createHash('sha256').update(String(at)).digest()),
);
/** Seven packets of noise; with `kind`, in the last one a frame of such a stream begins. */
function transportStream({
  kind,
  size = 188,
  at = 0,
}: {
  kind?: number;
  size?: number;
  at?: number;
}): Buffer {
  const packets = Buffer.from(NOISE.subarray(0, 7 * size));
  for (let packet = 0; packet < 7; packet++) packets.set([0x47, 0x40, 0x20, 0x10], packet * size + at);
  if (kind) packets.set([0, 0, 1, kind], 6 * size + at + 4);
  return packets;
}
const MJPEG = { 'Content-Type': 'multipart/x-mixed-replace; boundary=camera' };
const logger = createLogger({ level: 'silent', program: 'test' });
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.db.user.deleteMany();
});

describe('the quick probe', () => {
  test('RTSP: finds a video over one connection, with a login or without', async () => {
    const open = await serveRtsp();
    const shut = await serveRtsp({ credentials: 'user:pa ss' });
    const withLogin = (login: string) => probed(shut.url.replace('://', `://${login}@`));
    expect([await probed(open.url), await withLogin('user:pa%20ss')]).toEqual([null, null]);
    expect([open.connections, shut.connections]).toEqual([1, 1]);
    expect(await withLogin('user:wrong')).toMatch(/asks for other credentials \(401\)/);
    expect(await withLogin('user:wrong')).not.toContain('wrong');
    await Promise.all([open.close(), shut.close()]);
  });

  test('HTTP: finds a video by headers or first bytes, and follows and checks redirects', async () => {
    const camera = await serveHttp((request, response) => {
      if (request.url === '/moved') response.writeHead(302, { location: '/live' }).end();
      else if (request.url === '/away') response.writeHead(302, { location: 'http://127.0.0.3/' }).end();
      else if (request.url === '/live') response.writeHead(200, MJPEG).flushHeaders();
      else if (request.url === '/empty') response.writeHead(200).end('#EXTM3U\n');
      else if (request.url === '/playlist')
        response.writeHead(200, M3U8).end('#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n/segments\n');
      else if (request.url === '/segments')
        response.writeHead(200).end('#EXTM3U\n#EXTINF:1,\n/503\n#EXTINF:1,\n/packets\n');
      else if (request.url === '/secret')
        response.writeHead(200).end('#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="/404"\n#EXTINF:1,\n/bytes\n');
      else if (request.url === '/pieces')
        response.writeHead(200).end('#EXTM3U\n#EXT-X-MAP:URI="/first"\n#EXTINF:1,\n/404\n');
      else if (request.url === '/first') response.writeHead(200).end('\0\0\0\x1cftypiso5');
      else if (request.url === '/gone') response.writeHead(200).end('#EXTM3U\n#EXTINF:1,\n/404\n');
      else if (request.url === '/inside') response.writeHead(200).end('#EXTM3U\nhttp://127.0.0.3/x.ts\n');
      else if (request.url === '/file') response.writeHead(200).end('#EXTM3U\nfile:///etc/hostname\n');
      else if (request.url === '/round') response.writeHead(200).end('#EXTM3U\n/round\n');
      else if (request.url === '/packets') response.writeHead(200).write(transportStream({ kind: 0xe0 }));
      else if (request.url === '/page') response.writeHead(200).end(' <!doctype html>');
      else if (request.url === '/sound') response.writeHead(200, { 'Content-Type': 'audio/aac' }).end();
      else if (request.url === '/bytes') response.writeHead(200).end('for ever');
      else response.writeHead(Number(request.url!.slice(1))).end();
    });
    const at = (path: string) => probed(camera.url.replace('/stream', path));
    expect([await at('/live'), await at('/moved')]).toEqual([null, null]);
    expect([await at('/playlist'), await at('/packets')]).toEqual([null, null]);
    expect([await at('/secret'), await at('/pieces')]).toEqual([null, null]);
    expect(await at('/empty')).toBe('host');
    expect(await at('/gone')).toMatch(/does not exist/);
    expect(await at('/inside')).toMatch(/may not lead to 127.0.0.3/);
    expect(await at('/file')).toMatch(/kind of address that is not allowed/);
    expect(await at('/round')).not.toBeNull();
    expect(await at('/page')).toMatch(/not a video/);
    expect(await at('/sound')).toMatch(/no video/);
    expect(await at('/bytes')).toBe('host');
    expect(await at('/404')).toMatch(/does not exist/);
    expect(await at('/503')).toMatch(/server error/);
    expect(await at('/away')).toMatch(/may not lead to 127.0.0.3/);
    await camera.close();
  });

  test('HTTP: bytes are no video because their type says so', async () => {
    const packets = transportStream({ kind: 0xe0 }).subarray(88);
    const timed = transportStream({ kind: 0xef, size: 192, at: 4 });
    const bodies: Record<string, Buffer | string> = {
      ...{
        '/packets': packets,
        '/timed': timed,
        '/filled': transportStream({}),
        '/audio': transportStream({ kind: 0xc0 }),
        '/empty': '',
        '/icon': '\0\0\x01\0',
        '/plain': '\0\0\0\x01\x67',
      },
      '/secret': '#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="/key"\n#EXTINF:1,\n/noise\n',
    };
    const camera = await serveHttp((request, response) => {
      const [path, type = 'mp2t'] = request.url!.split('?');
      response.writeHead(200, { 'Content-Type': `video/${type}` }).end(bodies[path!] ?? NOISE);
    });
    const at = (path: string) => probed(camera.url.replace('/stream', path));
    expect(await at('/noise')).toMatch(/sends something that is not a video/);
    expect([await at('/noise?mp4'), await at('/empty'), await at('/icon?x')]).toEqual([
      'host',
      'host',
      'host',
    ]);
    expect(await at('/plain?h264')).toBeNull();
    expect([await at('/packets'), await at('/timed'), await at('/secret')]).toEqual([null, null, null]);
    // Packets in which nothing begins, and those of a sound.
    expect(await at('/filled')).toMatch(/sends something that is not a video/);
    expect(await at('/audio')).toBe('host');
    await camera.close();
  });

  test('HTTP: packets of a transport stream are a video once a frame begins in them, which may take a while', async () => {
    const [filled, frame] = [transportStream({}), transportStream({ kind: 0xe0 })];
    const sent: NodeJS.Timeout[] = [];
    const camera = await serveHttp((request, response) => {
      response.writeHead(200).write(filled);
      if (request.url === '/endless') {
        const more = () => response.write(Buffer.alloc(64 * filled.length, filled), again);
        const again = (error?: Error | null) => !error && setImmediate(more);
        more();
      } else if (request.url === '/late') sent.push(setInterval(() => response.write(frame), 50));
    });
    const at = (path: string, timeoutMs?: number) => probed(camera.url.replace('/stream', path), timeoutMs);
    expect(await at('/endless')).toMatch(/sends something that is not a video/);
    expect(await at('/late')).toBeNull();
    // It may send its next frame after the probe.
    expect(await at('/silent', 300)).toBe('host');
    for (const timer of sent) clearInterval(timer);
    await camera.close();

    const live = await serveLive('video/mp2t', () => [...LIVE_VIDEO('320x180'), '-f', 'mpegts']);
    expect(await probed(live.url)).toBeNull();
    await live.close();
  });

  test('HTTP: answers a Digest challenge', async () => {
    const md5 = (...parts: string[]) => createHash('md5').update(parts.join(':')).digest('hex');
    const camera = createServer((request, response) => {
      const sent = request.headers.authorization ?? '';
      const field = (name: string) => new RegExp(`${name}="?([^",]*)`).exec(sent)?.[1] ?? '';
      const wanted = md5(
        ...[md5('u', 'camera', 'p'), 'abc', field('nc'), field('cnonce'), 'auth', md5('GET', '/live?x=1')],
      );
      const isRight = sent !== '' && field('response') === wanted;
      response.writeHead(isRight ? 200 : 401, {
        ...(isRight && MJPEG),
        'www-authenticate': 'Digest realm="camera", nonce="abc", qop="auth"',
      });
      response.end();
    });
    await new Promise<void>((resolve) => camera.listen(0, '127.0.0.1', resolve));
    const { port } = camera.address() as AddressInfo;
    expect(await probed(`http://u:p@127.0.0.1:${port}/live?x=1`)).toBeNull();
    expect(await probed(`http://u:q@127.0.0.1:${port}/live?x=1`)).toMatch(/401/);
    camera.close();
  });

  test.each(['rtsp', 'rtmp', 'http', 'https', 'rtsps'])(
    '%s: a refused connection and a host without an answer are faults',
    async (scheme) => {
      const port = new URL(await refusedUrl('http')).port;
      expect(await probed(`${scheme}://127.0.0.1:${port}/a`)).toMatch(/refuses connections/);
      const silent = await serveSilence(scheme);
      // An RTMP host that only accepts the connection says nothing about a video.
      const [wanted, limitMs] = scheme === 'rtmp' ? [/^host$/, 1_000] : [/does not answer in time/, 200];
      expect(await probed(silent.url, limitMs)).toMatch(wanted);
      await silent.close();
    },
  );

  test('the answer to a challenge is that of the example in RFC 2617', () => {
    const login = loginOf('http://Mufasa:Circle%20Of%20Life@camera/')!;
    const challenge =
      'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc"';
    const answer = answerChallenge([challenge], login, { method: 'GET', uri: '/dir/index.html' });
    expect(answer).toContain('response="670fd8c2df070c60b045671b8b24ff02"');
    expect(answer).toContain('opaque="5ccc"');
    expect(answerChallenge(['Bearer'], login, { method: 'GET', uri: '/' })).toBeNull();
    expect(loginOf('http://camera/a@b')).toBeNull();
  });
});

describe('idle devices', () => {
  let waits: number[] = [];
  const probeAll = async () => {
    waits = [];
    const context = { config, db: database.db, logger, sealer: testSealer, shared: testShared(config) };
    const wait = (ms: number) => Promise.resolve(waits.push(ms));
    await Promise.all([probeIdleDevices(context, wait), probeIdleDevices(context, wait)]);
  };
  const stateOf = ({ id }: Device) =>
    database.db.device.findUniqueOrThrow({
      where: { id },
      select: { onlineStatus: true, lastError: true, nextProbeAt: true },
    });
  const due = () => database.db.device.updateMany({ data: { nextProbeAt: new Date(0) } });
  const eventsOf = async ({ id }: Device) =>
    (await database.db.event.findMany({ where: { deviceId: id }, orderBy: { sequence: 'asc' } })).map(
      ({ type }) => type,
    );

  test('each is probed once by one worker, with one event', async () => {
    const camera = await serveRtsp();
    const device = await addDevice(database.db, camera.url);
    const gone = await addDevice(database.db, await refusedUrl('rtsp'));
    await probeAll();
    expect(camera.connections).toBe(1);
    expect(await stateOf(device)).toMatchObject({ onlineStatus: 'online', lastError: null });
    expect(await stateOf(gone)).toMatchObject({
      onlineStatus: 'offline',
      lastError: expect.stringMatching(/refuses/),
    });
    expect(waits).toEqual([5_000, 5_000]);
    expect((await stateOf(device)).nextProbeAt!.getTime()).toBeGreaterThan(Date.now() + 25_000);
    await due();
    await probeAll();
    expect([await eventsOf(device), await eventsOf(gone), waits]).toEqual([[], ['device_offline'], []]);
    await camera.close();
  });

  test('a host that only accepts the connection keeps an online device online and makes others unknown', async () => {
    const camera = await serveSilence('rtmp');
    const [seen, lost] = [await addDevice(database.db, camera.url), await addDevice(database.db, camera.url)];
    await database.db.device.update({ where: { id: lost.id }, data: { onlineStatus: 'offline' } });
    await probeAll();
    expect(await stateOf(seen)).toMatchObject({ onlineStatus: 'online', lastError: null });
    expect(await stateOf(lost)).toMatchObject({ onlineStatus: 'unknown', lastError: null });
    expect([await eventsOf(seen), await eventsOf(lost)]).toEqual([[], []]);
    await camera.close();
  });

  test('a device that a node streams is not probed, and a probe that comes too late changes nothing', async () => {
    const { db } = database;
    const device = await addDevice(db, await refusedUrl('rtsp'));
    const computeNodeId = await addNode(db, 'node');
    const { task } = await queueScene(db, device);
    const claim = () =>
      db.analysisTask.update({ where: { id: task.id }, data: { status: 'PROCESSING', computeNodeId } });
    const context = { config, db, logger, sealer: testSealer, shared: testShared(config) };
    // A node claims it during the probe.
    await probeIdleDevices(context, claim);
    expect(await stateOf(device)).toMatchObject({ onlineStatus: 'online' });
    await due();
    await probeAll();
    expect([(await stateOf(device)).onlineStatus, waits]).toEqual(['online', []]);
  });
});
