import ffmpegInstaller from '@ffmpeg-installer/ffmpeg';
import ffprobeInstaller from '@ffprobe-installer/ffprobe';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pino from 'pino';
import { CameraAccess } from '../../../src/cameras/devices/camera-access.ts';
import { networkPolicy } from '../../../src/cameras/devices/camera-network.ts';
import { probeStream } from '../../../src/cameras/devices/probe-stream.ts';
import { LaneHost } from '../../../src/lanes/host/lane-host.ts';
import type { FromLane } from '../../../src/lanes/lane-protocol.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { loadConfig } from '../../../src/platform/config.ts';
import { NodeMember } from '../../../src/runs/node/node-member.ts';
import { NO_PRIVACY } from '../../../src/vision/privacy.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { laneCamera, laneOptions } from '../../support/lane.ts';
import { serveRtsp } from '../../support/servers/rtsp-server.ts';
import { refusedUrl, serveSilence } from '../../support/servers/stream-server.ts';

/** The ffmpeg of npm, of 2018. */
const OLD = { ffmpegPath: ffmpegInstaller.path, ffprobePath: ffprobeInstaller.path };
const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'http://localhost',
  ENCRYPTION_KEYS: `a:${Buffer.alloc(32).toString('base64')}`,
  URL_SIGNING_KEY: 'a key for tests that is long enough',
  STREAM_ALLOW_HOSTS: '127.0.0.1',
};
const configOf = (more: Record<string, string> = {}) => ({
  ...loadConfig({ ...PRODUCTION, ...more }),
  ...OLD,
});
const config = configOf();

test('only production refuses an old ffmpeg, unless the operator allows it', () => {
  expect(networkPolicy(config).refusesOldFfmpeg).toBe(true);
  expect(networkPolicy(configOf({ ALLOW_OLD_FFMPEG: 'true' })).refusesOldFfmpeg).toBe(false);
  expect(networkPolicy(loadConfig({})).refusesOldFfmpeg).toBe(false);
});

describe('a lane in production with an old ffmpeg', () => {
  const heard: FromLane[] = [];
  const lane = new LaneHost(
    { keepsUp: true, send: (message) => void heard.push(message) },
    pino({ level: 'silent' }),
  );
  const ended = () => heard.flatMap((message) => (message.type === 'runEnded' ? [message.runId] : []));

  beforeAll(() => lane.handle({ type: 'open', ...laneOptions(config) }));
  afterAll(() => lane.close());

  test('ends the run of a network camera at once, says what to do, and does not connect to the camera', async () => {
    const server = await serveRtsp({});
    await lane.handle({ type: 'addCamera', camera: laneCamera('network', server.url) });
    await eventually('the run ends', () => ended().includes('run of network'));
    expect(heard.find((message) => message.type === 'stream')).toMatchObject({
      event: 'failed',
      faultReason: 'old_ffmpeg',
      message: expect.stringMatching(
        /is of release 4, and production wants 5 or later.* ALLOW_OLD_FFMPEG\.$/,
      ),
    });
    const asked = { url: server.url, networks: [], privacy: NO_PRIVACY, timeoutMs: 2_000 };
    await lane.handle({ type: 'grab', requestId: 1, ...asked });
    expect(heard.find((message) => message.type === 'image')).toMatchObject({
      jpeg: null,
      fault: expect.stringContaining('production wants 5 or later'),
    });
    expect(server.connections).toBe(0);
    await server.close();
  });

  test('reads a simulated camera of this machine', async () => {
    await lane.handle({ type: 'addCamera', camera: laneCamera('drawn', 'sim:shop?seed=1') });
    await eventually('frames are analysed', () => heard.some(({ type }) => type === 'observations'));
    expect(ended()).not.toContain('run of drawn');
  });
});

describe('an API in production with an old ffprobe', () => {
  test('asks the camera itself without ffprobe, so that a start is possible', async () => {
    const server = await serveRtsp({});
    const found = await probeStream(server.url, new CameraAccess(config), { networks: [] });
    expect(found).toEqual({ onlineStatus: 'online', info: null, fault: null });
    expect(server.connections).toBe(1);
    await server.close();
  });

  test('reports the answer of the camera, or the old ffmpeg when the camera gives no clear answer', async () => {
    const asked = (url: string) => probeStream(url, new CameraAccess(config), { networks: [] });
    expect((await asked(await refusedUrl('rtsp'))).fault?.reason).toBe('connection_refused');
    const silent = await serveSilence('rtmp');
    expect((await asked(silent.url)).fault?.reason).toBe('old_ffmpeg');
    await silent.close();
  });
});

describe('a node with an old ffmpeg', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());

  test('is degraded as long as it runs and says why', async () => {
    const identity = { name: 'old', host: 'test', version: '0', model: 'none', executionProvider: 'cpu' };
    const id = '11111111-1111-1111-1111-111111111111';
    const node = new NodeMember(
      database.db,
      { ...identity, id, maxConcurrentDevices: 1 },
      {
        clock: systemClock,
        handicap: { sentence: 'Its ffmpeg is old.', cause: { code: 'old_ffmpeg', release: 4 } },
      },
    );
    await node.join();
    await node.beat({
      activeDeviceCount: 0,
      maxConcurrentDevices: 1,

      lastSkewMs: 0,
      overload: null,
    });
    expect(await database.db.computeNode.findUniqueOrThrow({ where: { id } })).toMatchObject({
      health: 'degraded',
      healthReason: 'Its ffmpeg is old.',
    });
  });
});
