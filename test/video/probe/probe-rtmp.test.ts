import { createServer, type Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { NetworkGuard } from '../../../src/platform/network/network-guard.ts';
import { quickProbe } from '../../../src/video/probe/quick-probe.ts';
import { type AmfValue, readAmf, writeAmf } from '../../../src/video/probe/rtmp/amf.ts';
import { ChunkReader, KIND, writeMessage } from '../../../src/video/probe/rtmp/chunks.ts';
import { rtmpNames } from '../../../src/video/probe/rtmp/probe-rtmp.ts';
import { fc } from '../../support/property.ts';
import { listen, type StreamServer, serveRtmp, serveSilence } from '../../support/servers/stream-server.ts';

const guard = new NetworkGuard({ networks: [], allowedHosts: ['127.0.0.1'], ownHosts: [] });

/** Longer than any probe that finds its answer. */
const LONG_MS = 60_000;
/** Of a probe that ends by its limit. */
const SHORT_MS = 1_000;

/** `online`, `unknown`, or why it is offline. */
async function probed(serving: Promise<StreamServer>, timeoutMs = LONG_MS): Promise<string> {
  const server = await serving;
  try {
    const { onlineStatus, fault } = await quickProbe(server.url, { guard, timeoutMs });
    return fault?.sentence ?? onlineStatus;
  } finally {
    await server.close();
  }
}

const command = (...values: AmfValue[]) =>
  writeMessage(KIND.command, writeAmf(values), { channel: 3, stream: 0 });
const status = (code: string, level = 'status') => command('onStatus', 0, null, { level, code });
const data = (...values: AmfValue[]) => writeMessage(KIND.data, writeAmf(values), { channel: 4, stream: 1 });
const CONNECTED = command('_result', 1, null, { code: 'NetConnection.Connect.Success' });
const CREATED = command('_result', 2, null, 1);
const STARTED = status('NetStream.Play.Start');

/** A server that sends one of these answers after each command of the client, and then nothing. */
function serveScript(...answers: readonly Buffer[]): Promise<StreamServer> {
  const server = createServer((socket: Socket) => {
    const left = [...answers];
    let handshake: Buffer | null = Buffer.alloc(0);
    const reader = new ChunkReader(({ kind }) => {
      const next = kind === KIND.command ? left.shift() : undefined;
      if (next) socket.write(next);
    });
    socket.on('data', (part) => {
      if (handshake === null) {
        reader.push(part);
        return;
      }
      const before = handshake.length;
      handshake = Buffer.concat([handshake, part]);
      if (before === 0) socket.write(Buffer.concat([Buffer.from([3]), Buffer.alloc(3_072)]));
      if (handshake.length < 1 + 3_072) return;
      const rest = handshake.subarray(1 + 3_072);
      handshake = null;
      reader.push(rest);
    });
  });
  return listen(server, (port) => `rtmp://127.0.0.1:${port}/live/camera`);
}

describe('the quick probe of RTMP', () => {
  test('a stream is online when its metadata names a video or a frame begins', async () => {
    expect(await probed(serveRtmp())).toBe('online');
    const frame = writeMessage(KIND.video, Buffer.alloc(90_000), { channel: 6, stream: 1 });
    // The beginning of a frame is enough.
    expect(
      await probed(serveScript(CONNECTED, CREATED, Buffer.concat([STARTED, frame.subarray(0, 40)]))),
    ).toBe('online');
    const described = data('onMetaData', { width: 640, height: 360, videocodecid: 7 });
    expect(await probed(serveScript(CONNECTED, CREATED, Buffer.concat([STARTED, described])))).toBe('online');
  });

  test('a stream that nobody publishes is not online, although the server plays it', async () => {
    const sound = data('onMetaData', { audiocodecid: 10 });
    for (const last of [STARTED, Buffer.concat([STARTED, sound])]) {
      let said = 'unknown';
      // On a busy machine a stream may not have started at the limit.
      for (let limitMs = SHORT_MS; said === 'unknown'; limitMs *= 2)
        said = await probed(serveScript(CONNECTED, CREATED, last), limitMs);
      expect(said).toMatch(/nobody who sends to it/);
    }
  });

  test.each([
    [
      'does not have the stream',
      /does not exist/,
      [CONNECTED, CREATED, status('NetStream.Play.StreamNotFound', 'error')],
    ],
    [
      'refuses the client',
      /denies access/,
      [command('_error', 1, null, { code: 'NetConnection.Connect.Rejected' })],
    ],
    [
      'has a fault of its own',
      /refuses to be asked/,
      [CONNECTED, CREATED, status('NetStream.Failed', 'error')],
    ],
    [
      'demands a login of RTMP',
      /^unknown$/,
      [
        command('_error', 1, null, {
          code: 'NetConnection.Connect.Rejected',
          description: 'need auth; authmod=adobe',
        }),
      ],
    ],
    ['sends nothing after the handshake', /^unknown$/, []],
    ['sends nothing more after the connection', /^unknown$/, [CONNECTED]],
    ['sends chunks of an unknown chunk stream', /not a video/, [Buffer.from([0xff, 0xff, 0xff])]],
    [
      'sets the chunk size to zero',
      /not a video/,
      [writeMessage(KIND.chunkSize, Buffer.alloc(4), { channel: 2, stream: 0 })],
    ],
    [
      'sends a command that is too long',
      /not a video/,
      [writeMessage(KIND.command, Buffer.alloc(70_000), { channel: 3, stream: 0 })],
    ],
    [
      'sends audio without end',
      /^unknown$/,
      [writeMessage(8, Buffer.alloc(3_000_000), { channel: 3, stream: 0 })],
    ],
  ])('the fault is found for a server that %s', async (_, wanted, answers) => {
    const limitMs = wanted.test('unknown') ? SHORT_MS : LONG_MS;
    expect(await probed(serveScript(...answers), limitMs)).toMatch(wanted);
  });

  test('another protocol is no video, and a host that only accepts the connection is unknown', async () => {
    expect(await probed(serveSilence('rtmp', 'HTTP/1.1 400 Bad Request\r\n\r\n'))).toMatch(/not a video/);
    expect(await probed(serveSilence('rtmp'), SHORT_MS)).toBe('unknown');
  });
});

describe('reading and writing RTMP', () => {
  test('arbitrary bytes cause nothing worse than a RangeError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.integer({ min: 1, max: 50 }), (bytes, size) => {
        readAmf(Buffer.from(bytes));
        const reader = new ChunkReader(() => undefined);
        try {
          for (let at = 0; at < bytes.length; at += size)
            reader.push(Buffer.from(bytes.subarray(at, at + size)));
        } catch (error) {
          if (!(error instanceof RangeError)) throw error;
        }
      }),
    );
  });

  test('written messages can be read, also in small pieces', () => {
    const values = ['connect', 1.5, true, null, { app: 'live', inner: { a: '€'.repeat(200) } }];
    const heard: AmfValue[][] = [];
    const reader = new ChunkReader(({ body }) => heard.push(readAmf(body)));
    const bytes = command(...values);
    for (let at = 0; at < bytes.length; at += 7) reader.push(bytes.subarray(at, at + 7));
    expect(heard).toEqual([values]);
  });

  test.each([
    ['live', 'live', ''],
    ['live/camera', 'live', 'camera'],
    ['live/camera?key=1', 'live', 'camera?key=1'],
    ['live/room/camera', 'live/room', 'camera'],
    ['vod/mp4:a/b.mp4', 'vod', 'mp4:a/b.mp4'],
  ])('%s is split into application and stream as ffmpeg does', (path, app, stream) => {
    expect(rtmpNames(path)).toEqual({ app, stream });
  });
});
