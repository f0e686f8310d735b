import type { Socket } from 'node:net';
import { Credentials, challengesIn, type Login } from '../../../platform/network/credentials.ts';
import { RefusedAddress } from '../../../platform/network/network-guard.ts';
import { headerOf, type RtspMessage, RtspReader } from './rtsp-reader.ts';
import { channelsIn, type RtspTransport, readTransport } from './transport.ts';
import { UdpMedia } from './udp-media.ts';

export interface ExchangeOptions {
  /** The address as the camera is to hear it, without a login. */
  readonly address: string;
  readonly login: Login | null;
  readonly transport: RtspTransport;
  /** The camera's number that was checked. */
  readonly checked: string;
  /** @throws RefusedAddress when packets may not be received there */
  readonly checkGroup: (address: string, port: number) => Promise<unknown>;
}

/** A request of ffmpeg that the camera has not answered yet. */
interface Pending {
  readonly method: string;
  readonly uri: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  /** Its number, as ffmpeg counts. */
  readonly sequence: string;
  /** Of a SETUP: where ffmpeg wants its packets. */
  readonly channels: readonly [number, number] | null;
  answered: number;
  media: UdpMedia | null;
}

/** The path that ffmpeg knows; the camera's own may hold a password. */
export const DOOR_PATH = '/stream';
/** What ffmpeg may hear of a reply: nothing that leads elsewhere, and no question for a password. */
const PASSED_ON =
  /^(?:content-type|content-base|session|transport|public|rtp-info|range|unsupported|x-[\w-]+)$/i;
const OWN_HEADERS = /^(?:cseq|authorization|content-length)$/i;
/** Packets are left out rather than piled up for an ffmpeg that does not read. */
const MOST_UNREAD_BYTES = 8 * 1024 * 1024;
/** A camera that asks and never reads the answers is left. */
const MOST_UNHEARD_BYTES = 256 * 1024;
const GOODBYE_MS = 1_000;

/**
 * One connection of ffmpeg to a camera. ffmpeg speaks to a door on loopback and knows neither address nor password:
 * both are put into its requests here, and challenges are answered. Where the camera is to send over UDP, its packets
 * are received here and passed on within the connection, so that ffmpeg opens no port.
 */
export class RtspExchange {
  readonly #options: ExchangeOptions;
  readonly #client: Socket;
  readonly #camera: Socket;
  readonly #door: string;
  readonly #fromClient: RtspReader;
  readonly #credentials: Credentials;
  readonly #pending = new Map<string, Pending>();
  readonly #media = new Map<number, { readonly media: UdpMedia; readonly port: number | null }>();
  #requests: Promise<void> = Promise.resolve();
  #sequence = 0;
  #session: string | null = null;
  /** Something that is no RTSP has come. */
  #isOther = false;

  constructor(client: Socket, camera: Socket, options: ExchangeOptions) {
    this.#client = client;
    this.#camera = camera;
    this.#options = options;
    this.#door = `rtsp://127.0.0.1:${client.localPort}${DOOR_PATH}`;
    this.#credentials = new Credentials(options.login);
    this.#fromClient = new RtspReader({
      packets: (bytes) => this.#fromFfmpeg(bytes),
      message: (message) => this.#asked(message),
    });
    const fromCamera = new RtspReader({
      packets: (bytes) => this.#toFfmpeg(bytes),
      message: (message) => this.#answered(message),
    });
    client.on('data', (bytes) => this.#read(this.#fromClient, bytes));
    camera.on('data', (bytes) => this.#read(fromCamera, bytes));
    client.on('drain', () => camera.resume());
    client.on('close', () => this.#close());
    camera.on('close', () => client.end());
  }

  #read(reader: RtspReader, bytes: Buffer): void {
    if (this.#isOther && reader !== this.#fromClient) return;
    try {
      reader.push(bytes);
    } catch {
      this.#isOther = true;
      const [first] = this.#pending.values();
      if (first) this.#refuse(first);
    }
  }

  #refuse(pending: Pending): void {
    this.#reply(pending, '400 Invalid data: not RTSP');
    this.#client.end();
    this.#camera.destroy();
  }

  #toFfmpeg(bytes: Buffer): void {
    if (!this.#client.write(bytes)) this.#camera.pause();
  }

  /** Reports: over UDP those that have come whole, as nothing depends on a single one. */
  #fromFfmpeg(bytes: Buffer): void {
    if (this.#media.size === 0) {
      this.#camera.write(bytes);
      return;
    }
    for (let at = 0; at + 4 < bytes.length; ) {
      const end = at + 4 + bytes.readUInt16BE(at + 2);
      const to = this.#media.get(bytes[at + 1]! - 1);
      if (to && to.port !== null && end <= bytes.length)
        to.media.report(bytes.subarray(at + 4, end), to.port + 1);
      at = end;
    }
  }

  #asked({ first, headers, body }: RtspMessage): void {
    const [, method = '', uri = ''] = /^([A-Z_]+) (\S+) RTSP\//.exec(first) ?? [];
    if (method === '') return;
    if (method === 'TEARDOWN') this.#session = null;
    const transport = headerOf({ headers }, 'transport') ?? '';
    const pending: Pending = {
      method,
      uri: uri.startsWith(this.#door) ? this.#options.address + uri.slice(this.#door.length) : uri,
      headers: headers.filter(([name]) => !OWN_HEADERS.test(name)),
      body,
      sequence: headerOf({ headers }, 'cseq') ?? '0',
      channels: method === 'SETUP' ? channelsIn(transport) : null,
      ...{ answered: 0, media: null },
    };
    if (this.#isOther) {
      this.#refuse(pending);
      return;
    }
    this.#requests = this.#requests
      .then(() => this.#prepare(pending))
      .then(() => this.#send(pending))
      .catch(() => this.#reply(pending, '500 No UDP port is free'));
  }

  /** Ports are needed before the camera is told of them. */
  async #prepare(pending: Pending): Promise<void> {
    if (!pending.channels || this.#options.transport !== 'udp') return;
    const place = { address: this.#camera.localAddress ?? '', port: 0, joinedOn: null };
    pending.media = await UdpMedia.open(place, this.#options.checked);
    if (this.#client.destroyed) pending.media.close();
  }

  #send(pending: Pending): void {
    const { method, uri, headers, body, media, channels } = pending;
    const { transport } = this.#options;
    const sequence = String(++this.#sequence);
    this.#pending.set(sequence, pending);
    const udp = media ? `RTP/AVP;unicast;client_port=${media.port}-${media.port + 1}` : 'RTP/AVP;multicast';
    const sent = headers.map(([name, value]) =>
      channels && transport !== 'tcp' && /^transport$/i.test(name)
        ? ([name, udp] as const)
        : ([name, value] as const),
    );
    const authorization = this.#credentials.authorization({ method, uri });
    const lines = [`${method} ${uri} RTSP/1.0`, `CSeq: ${sequence}`];
    lines.push(...sent.map(([name, value]) => `${name}: ${value}`));
    if (authorization !== null) lines.push(`Authorization: ${authorization}`);
    if (body.length > 0) lines.push(`Content-Length: ${body.length}`);
    this.#camera.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
    if (body.length > 0) this.#camera.write(body);
  }

  #answered(message: RtspMessage): void {
    const { first, headers } = message;
    const [, status, reason = ''] = /^RTSP\/\d\.\d +(\d{3})\s*(.*)$/.exec(first) ?? [];
    if (status === undefined) {
      this.#askedByCamera(first, headerOf(message, 'cseq') ?? '0');
      return;
    }
    if (status.startsWith('1')) return;
    const [oldest] = this.#pending.keys();
    const sequence = headerOf(message, 'cseq') ?? oldest ?? '';
    const pending = this.#pending.get(sequence);
    if (!pending) return;
    this.#pending.delete(sequence);
    if (status === '401') {
      const challenges = headers
        .filter(([name]) => /^www-authenticate$/i.test(name))
        .flatMap(([, value]) => challengesIn(value));
      if (this.#credentials.challenged(challenges, pending.answered)) {
        pending.answered++;
        this.#send(pending);
        return;
      }
    }
    // Nobody is led elsewhere.
    if (status.startsWith('3')) this.#reply(pending, '421 Address not on whitelist');
    else if (status.startsWith('2')) void this.#accepted(pending, `${status} ${reason}`, message);
    else this.#reply(pending, `${status} ${reason}`);
  }

  async #accepted(pending: Pending, status: string, message: RtspMessage): Promise<void> {
    const { channels } = pending;
    this.#session = headerOf(message, 'session')?.split(';')[0] ?? this.#session;
    const said = headerOf(message, 'transport') ?? '';
    if (!channels || this.#options.transport === 'tcp' || readTransport(said).isInterleaved) {
      this.#reply(pending, status, message);
      return;
    }
    try {
      await this.#receive(pending, channels, said);
      this.#reply(pending, status, message, `RTP/AVP/TCP;unicast;interleaved=${channels.join('-')}`);
    } catch (error) {
      const isRefused = error instanceof RefusedAddress;
      this.#reply(pending, isRefused ? '421 Address not on whitelist' : '461 Unsupported transport');
    }
  }

  async #receive(pending: Pending, channels: readonly [number, number], said: string): Promise<void> {
    const { serverPort, group } = readTransport(said);
    const { checked, checkGroup } = this.#options;
    if (!pending.media) {
      if (!group) throw new Error('The camera names no group.');
      await checkGroup(group.address, group.port);
      const joinedOn = this.#camera.localAddress ?? '';
      pending.media = await UdpMedia.open({ ...group, joinedOn }, checked);
    }
    const { media } = pending;
    if (this.#client.destroyed) {
      media.close();
      return;
    }
    this.#media.set(channels[0], { media, port: serverPort });
    media.receive({
      video: (packet) => this.#interleave(channels[0], packet),
      report: (packet) => this.#interleave(channels[1], packet),
    });
    if (serverPort !== null) media.openWay(serverPort);
  }

  #interleave(channel: number, packet: Buffer): void {
    if (this.#client.destroyed || this.#client.writableLength > MOST_UNREAD_BYTES) return;
    const head = Buffer.from([0x24, channel, packet.length >> 8, packet.length & 0xff]);
    this.#client.write(Buffer.concat([head, packet]));
  }

  /** A reply made anew of what ffmpeg may hear. */
  #reply(pending: Pending, status: string, message: RtspMessage | null = null, transport?: string): void {
    if (transport === undefined) pending.media?.close();
    if (this.#client.destroyed) return;
    const lines = [`RTSP/1.0 ${status.replace(/[^\x20-\x7e]/g, '?')}`, `CSeq: ${pending.sequence}`];
    for (const [name, value] of message?.headers ?? []) {
      if (!PASSED_ON.test(name)) continue;
      const isOurs = transport !== undefined && /^transport$/i.test(name);
      lines.push(`${name}: ${isOurs ? transport : value}`);
    }
    const body = message?.body ?? Buffer.alloc(0);
    if (body.length > 0) lines.push(`Content-Length: ${body.length}`);
    this.#client.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
    if (body.length > 0) this.#client.write(body);
  }

  /** Some cameras ask whether anybody is still there. */
  #askedByCamera(first: string, sequence: string): void {
    if (this.#camera.writableLength > MOST_UNHEARD_BYTES) {
      this.#camera.destroy();
      return;
    }
    const isKnown = /^(?:OPTIONS|GET_PARAMETER|SET_PARAMETER) /.test(first);
    const status = isKnown ? '200 OK' : '501 Not Implemented';
    this.#camera.write(`RTSP/1.0 ${status}\r\nCSeq: ${sequence.replace(/\D/g, '')}\r\n\r\n`);
  }

  /** A camera that sends over UDP would go on until its own patience ends. */
  #close(): void {
    for (const { media } of [...this.#media.values(), ...this.#pending.values()]) media?.close();
    if (this.#media.size > 0 && this.#session !== null && !this.#camera.destroyed) {
      const headers = [['Session', this.#session]] as const;
      const goodbye = { method: 'TEARDOWN', uri: this.#options.address, headers, body: Buffer.alloc(0) };
      this.#send({ ...goodbye, sequence: '0', channels: null, answered: 0, media: null });
    }
    this.#camera.end();
    setTimeout(() => this.#camera.destroy(), GOODBYE_MS).unref();
  }
}
