import type { ChildProcess } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endFfmpeg, LIVE_VIDEO, scratchFolder, spawnFfmpeg } from './ffmpeg.ts';
import { listen, type StreamServer } from './stream-server.ts';

export interface RtspServer extends StreamServer {
  /** False: connections stay, no packet is sent. */
  sending: boolean;
}

export interface RtspOptions {
  readonly size?: string;
  /** `user:password` that readers must give (Basic). */
  readonly credentials?: string;
  /** `audio`: it describes sound alone. */
  readonly media?: 'video' | 'audio';
}

/**
 * A small camera: DESCRIBE, SETUP over TCP, PLAY; its RTP packets come from an ffmpeg over UDP and go to every
 * reader interleaved on its connection.
 */
export async function serveRtsp({
  size = '320x180',
  credentials,
  media = 'video',
}: RtspOptions = {}): Promise<RtspServer> {
  const readers = new Set<Socket>();
  const udp = createSocket('udp4');
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  const folder = scratchFolder();
  const sdpFile = join(folder, 'camera.sdp');
  const target = `rtp://127.0.0.1:${(udp.address() as AddressInfo).port}?pkt_size=1200`;
  const encoder: ChildProcess = await spawnFfmpeg(
    ...LIVE_VIDEO(size),
    '-sdp_file',
    sdpFile,
    '-f',
    'rtp',
    target,
  );
  const sdp = media === 'audio' ? AUDIO_SDP : await readSdp(sdpFile);
  await rm(folder, { recursive: true });

  const tcp = createServer((socket) => {
    socket.on('close', () => readers.delete(socket));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const request = text.slice(0, end);
        text = text.slice(end + 4);
        if (answer(socket, request)) readers.add(socket);
      }
    });
  });
  const server: RtspServer = Object.assign(
    await listen(
      tcp,
      (port) => `rtsp://127.0.0.1:${port}/camera`,
      async () => {
        await endFfmpeg(encoder);
        await new Promise<void>((resolve) => udp.close(() => resolve()));
      },
    ),
    { sending: true },
  );
  udp.on('message', (packet) => {
    if (!server.sending) return;
    const frame = Buffer.concat([Buffer.from([0x24, 0, packet.length >> 8, packet.length & 0xff]), packet]);
    for (const socket of readers) socket.write(frame);
  });
  return server;

  /** @returns whether the reader wants packets from now on */
  function answer(socket: Socket, request: string): boolean {
    const [method = ''] = request.split(' ');
    const sequence = /^CSeq: *(\d+)/im.exec(request)?.[1] ?? '0';
    const reply = (status: string, headers: readonly string[] = [], body = '') =>
      socket.write(
        [
          `RTSP/1.0 ${status}`,
          `CSeq: ${sequence}`,
          'Session: 1',
          ...headers,
          `Content-Length: ${body.length}`,
          '',
          body,
        ].join('\r\n'),
      );
    const wanted = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
    if (wanted && method !== 'OPTIONS' && /^Authorization: *(.*)$/im.exec(request)?.[1]?.trim() !== wanted) {
      reply('401 Unauthorized', ['WWW-Authenticate: Basic realm="camera"']);
      return false;
    }
    if (method === 'OPTIONS') reply('200 OK', ['Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN']);
    else if (method === 'DESCRIBE') reply('200 OK', ['Content-Type: application/sdp'], sdp);
    else if (method === 'SETUP') reply('200 OK', ['Transport: RTP/AVP/TCP;unicast;interleaved=0-1']);
    else reply('200 OK');
    return method === 'PLAY';
  }
}

const AUDIO_SDP = [
  'v=0',
  'o=- 0 0 IN IP4 127.0.0.1',
  's=sound',
  't=0 0',
  'm=audio 0 RTP/AVP 0',
  'a=control:track0',
  '',
].join('\r\n');

/** ffmpeg writes it when it starts to send. */
async function readSdp(file: string): Promise<string> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text.includes('m=video')) {
      return `${text
        .replace(/^SDP:\r?\n/, '')
        .replace(/m=video \d+/, 'm=video 0')
        .trim()
        .replace(/\r?\n/g, '\r\n')}\r\na=control:track0\r\n`;
    }
    await sleep(20);
  }
}
