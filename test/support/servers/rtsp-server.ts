import type { ChildProcess } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endFfmpeg, LIVE_VIDEO, scratchFolder, spawnFfmpeg } from '../ffmpeg.ts';
import { type LoginCheck, type LoginKind, loginCheck } from './login-check.ts';
import { listen, type StreamServer } from './stream-server.ts';

export interface RtspServer extends StreamServer {
  /** False: connections stay, no packet is sent. */
  sending: boolean;
  /** Method and address of each, as the camera heard them. */
  readonly requests: string[];
}

export interface RtspOptions {
  readonly size?: string;
  /** `user:password` that readers must give. */
  readonly credentials?: string;
  readonly login?: LoginKind;
  /** Ways of packets that it knows. */
  readonly transports?: readonly ('tcp' | 'udp' | 'multicast')[];
  /** What it claims to send to, and from whom packets come; default 239.255.77.77 and 127.0.0.1. */
  readonly group?: string;
  readonly from?: string;
  /** `audio`: it describes sound alone. */
  readonly media?: 'video' | 'audio';
  /** What it answers to a method instead of serving it. */
  readonly refuses?: Readonly<Record<string, string>>;
  /** It closes the connection after each refusal, also after that of a missing login. */
  readonly hangsUp?: boolean;
}

/**
 * A small camera: DESCRIBE, SETUP over TCP, PLAY; its RTP packets come from an ffmpeg over UDP and go to every
 * reader interleaved on its connection.
 */
export async function serveRtsp({
  size = '320x180',
  credentials,
  login = 'basic',
  media = 'video',
  refuses = {},
  hangsUp = false,
  transports = ['tcp'],
  group = '239.255.77.77',
  from = '127.0.0.1',
}: RtspOptions = {}): Promise<RtspServer> {
  const readers = new Set<Socket>();
  const udpReaders = new Map<Socket, { readonly port: number; readonly address: string }>();
  const [udp, sender] = await Promise.all([boundTo('127.0.0.1'), boundTo(from)]);
  sender.setMulticastInterface(from);
  const folder = scratchFolder();
  const sdpFile = join(folder, 'camera.sdp');
  const target = `rtp://127.0.0.1:${(udp.address() as AddressInfo).port}?pkt_size=1200`;
  const encoder: ChildProcess = spawnFfmpeg(...LIVE_VIDEO(size), '-sdp_file', sdpFile, '-f', 'rtp', target);
  const sdp = media === 'audio' ? AUDIO_SDP : await readSdp(sdpFile);
  await rm(folder, { recursive: true });

  const newCheck = () => (credentials === undefined ? null : loginCheck(credentials, login));
  // What a reader is asked for in one connection it answers in the next.
  const lasting = hangsUp ? newCheck() : null;
  const tcp = createServer((socket) => {
    const check = lasting ?? newCheck();
    socket.on('close', () => {
      readers.delete(socket);
      udpReaders.delete(socket);
    });
    let text = '';
    socket.on('data', (chunk) => {
      if (socket.writableEnded) return;
      text += chunk.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const request = text.slice(0, end);
        text = text.slice(end + 4);
        if (answer(socket, request, check) && !udpReaders.has(socket)) readers.add(socket);
      }
    });
  });
  const server: RtspServer = Object.assign(
    await listen(
      tcp,
      (port) => `rtsp://127.0.0.1:${port}/camera`,
      async () => {
        await endFfmpeg(encoder);
        for (const socket of [udp, sender])
          await new Promise<void>((resolve) => socket.close(() => resolve()));
      },
    ),
    { sending: true, requests: [] as string[] },
  );
  udp.on('message', (packet) => {
    if (!server.sending) return;
    const frame = Buffer.concat([Buffer.from([0x24, 0, packet.length >> 8, packet.length & 0xff]), packet]);
    for (const socket of readers) socket.write(frame);
    for (const { port, address } of udpReaders.values()) sender.send(packet, port, address);
  });
  return server;

  /** @returns whether the reader wants packets from now on */
  function answer(socket: Socket, request: string, check: LoginCheck | null): boolean {
    const [method = '', uri = ''] = request.split(' ');
    server.requests.push(`${method} ${uri}`);
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
    const challenge =
      check?.(method, uri, /^Authorization: *(.*)$/im.exec(request)?.[1]?.trim() ?? '') ?? null;
    if (challenge !== null && method !== 'OPTIONS') {
      reply('401 Unauthorized', [`WWW-Authenticate: ${challenge}`]);
      if (hangsUp) socket.end();
      return false;
    }
    if (refuses[method] !== undefined) {
      reply(refuses[method]);
      if (hangsUp) socket.end();
      return false;
    }
    if (method === 'OPTIONS') reply('200 OK', ['Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN']);
    else if (method === 'DESCRIBE') reply('200 OK', ['Content-Type: application/sdp'], sdp);
    else if (method === 'SETUP') {
      const transport = setUp(socket, request);
      if (transport === null) reply('461 Unsupported Transport');
      else reply('200 OK', [`Transport: ${transport}`]);
    } else reply('200 OK');
    return method === 'PLAY';
  }

  function setUp(socket: Socket, request: string): string | null {
    const wanted = /^Transport: *(.*)$/im.exec(request)?.[1] ?? '';
    const port = Number(/client_port=(\d+)/.exec(wanted)?.[1]);
    const ours = (sender.address() as AddressInfo).port;
    const way = /interleaved/.test(wanted) ? 'tcp' : /multicast/.test(wanted) ? 'multicast' : 'udp';
    if (!transports.includes(way)) return null;
    if (way === 'tcp') return 'RTP/AVP/TCP;unicast;interleaved=0-1';
    udpReaders.set(socket, way === 'udp' ? { port, address: '127.0.0.1' } : { port: ours, address: group });
    return way === 'udp'
      ? `RTP/AVP/UDP;unicast;client_port=${port}-${port + 1};server_port=${ours}-${ours + 1}`
      : `RTP/AVP;multicast;destination=${group};port=${ours}-${ours + 1};ttl=1`;
  }
}

async function boundTo(address: string) {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, address, resolve));
  return socket;
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
