import { createServer, type Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NetworkGuard } from '../../../src/platform/network/network-guard.ts';
import { quickProbe } from '../../../src/video/probe/quick-probe.ts';
import { type AmfValue, readAmf, writeAmf } from '../../../src/video/probe/rtmp/amf.ts';
import { ChunkReader, KIND, writeMessage } from '../../../src/video/probe/rtmp/chunks.ts';
import { rtmpNames } from '../../../src/video/probe/rtmp/probe-rtmp.ts';
import { listen, type StreamServer, serveRtmp, serveSilence } from '../../support/servers/stream-server.ts';

const guard = new NetworkGuard({ networks: [], allowedHosts: ['127.0.0.1'], ownHosts: [] });

/** `online`, `unknown`, or why it is offline. */
async function look(serving: Promise<StreamServer>, timeoutMs = 400): Promise<string> {
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

/** A server that says these things, one after each of the client's commands, and then nothing. */
function serveScript(...answers: readonly Buffer[]): Promise<StreamServer> {
  const server = createServer((socket: Socket) => {
    const left = [...answers];
    let greeting: Buffer | null = Buffer.alloc(0);
    const hearing = new ChunkReader(({ kind }) => {
      const next = kind === KIND.command ? left.shift() : undefined;
      if (next) socket.write(next);
    });
    socket.on('data', (part) => {
      if (greeting === null) {
        hearing.push(part);
        return;
      }
      const before = greeting.length;
      greeting = Buffer.concat([greeting, part]);
      if (before === 0) socket.write(Buffer.concat([Buffer.from([3]), Buffer.alloc(3_072)]));
      if (greeting.length < 1 + 3_072) return;
      const rest = greeting.subarray(1 + 3_072);
      greeting = null;
      hearing.push(rest);
    });
  });
  return listen(server, (port) => `rtmp://127.0.0.1:${port}/live/camera`);
}

describe('a look at RTMP', () => {
  test('a stream with a video is online, by its first picture or by what is said of it', async () => {
    expect(await look(serveRtmp(), 5_000)).toBe('online');
    const picture = writeMessage(KIND.video, Buffer.alloc(90_000), { channel: 6, stream: 1 });
    // The beginning of a picture is enough.
    expect(
      await look(serveScript(CONNECTED, CREATED, Buffer.concat([STARTED, picture.subarray(0, 40)]))),
    ).toBe('online');
    const described = data('onMetaData', { width: 640, height: 360, videocodecid: 7 });
    expect(await look(serveScript(CONNECTED, CREATED, Buffer.concat([STARTED, described])))).toBe('online');
  });

  test('a stream that nobody publishes is not online, although the server plays it', async () => {
    expect(await look(serveScript(CONNECTED, CREATED, STARTED))).toMatch(/nobody who sends to it/);
    const sound = data('onMetaData', { audiocodecid: 10 });
    expect(await look(serveScript(CONNECTED, CREATED, Buffer.concat([STARTED, sound])))).toMatch(/nobody/);
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
      'wants a login in a way of its own',
      /^unknown$/,
      [
        command('_error', 1, null, {
          code: 'NetConnection.Connect.Rejected',
          description: 'need auth; authmod=adobe',
        }),
      ],
    ],
    ['says nothing after the greeting', /^unknown$/, []],
    ['says nothing more once it is connected', /^unknown$/, [CONNECTED]],
    ['sends chunks of a channel nobody knows', /not a video/, [Buffer.from([0xff, 0xff, 0xff])]],
    [
      'sends chunks of no size',
      /not a video/,
      [writeMessage(KIND.chunkSize, Buffer.alloc(4), { channel: 2, stream: 0 })],
    ],
    [
      'sends commands without end',
      /not a video/,
      [writeMessage(KIND.command, Buffer.alloc(70_000), { channel: 3, stream: 0 })],
    ],
    [
      'sends sound without end',
      /^unknown$/,
      [writeMessage(8, Buffer.alloc(3_000_000), { channel: 3, stream: 0 })],
    ],
  ])('a server that %s', async (_, wanted, answers) => {
    expect(await look(serveScript(...answers))).toMatch(wanted);
  });

  test('another protocol, and a connection that is only taken', async () => {
    expect(await look(serveSilence('rtmp', 'HTTP/1.1 400 Bad Request\r\n\r\n'))).toMatch(/not a video/);
    expect(await look(serveSilence('rtmp'))).toBe('unknown');
  });
});

describe('the parts of RTMP', () => {
  test('bytes of anybody end the reading at worst', () => {
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
      { numRuns: 2_000 },
    );
  });

  test('what is written can be read, also in small pieces', () => {
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
  ])('%s is divided as ffmpeg does', (path, app, stream) => {
    expect(rtmpNames(path)).toEqual({ app, stream });
  });
});
