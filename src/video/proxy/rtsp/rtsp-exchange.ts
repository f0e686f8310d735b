import type { Socket } from 'node:net';
import { Credentials, type Login } from '../../../platform/network/credentials.ts';
import { RefusedAddress } from '../../../platform/network/network-guard.ts';
import { faultPhrase } from '../../camera-fault.ts';
import { isRedirect, type Redirected, type RedirectFrom } from '../../rtsp/redirect.ts';
import {
  challengesOf,
  headerOf,
  type RtspHeader,
  type RtspMessage,
  statusOf,
  writeMessage,
} from '../../rtsp/rtsp-message.ts';
import { RtspReader } from '../../rtsp/rtsp-reader.ts';
import { channelsIn, type RtspTransport, readTransport } from './transport.ts';
import type { UdpMedia } from './udp-media.ts';
import { type Channels, UdpRelay, type UdpRelayOptions } from './udp-relay.ts';

export interface ExchangeOptions extends UdpRelayOptions {
  /** The camera's address without a login. */
  readonly address: string;
  readonly login: Login | null;
  readonly transport: RtspTransport;
  /** Connects to where the camera sends its readers on, or to itself again. @throws RefusedAddress, or an error of the connection */
  readonly follow: (from: RedirectFrom, location: string | undefined) => Promise<Redirected>;
}

/** A request of ffmpeg that the camera has not answered yet. */
interface Pending {
  readonly method: string;
  uri: string;
  readonly headers: readonly RtspHeader[];
  readonly body: Buffer;
  /** Its number, as ffmpeg counts. */
  readonly sequence: string;
  /** Of a SETUP: where ffmpeg expects the packets. */
  readonly channels: Channels | null;
  /** How often it was sent again with a login. */
  answered: number;
  media: UdpMedia | null;
}

/** The path that ffmpeg knows. The camera's own path may hold a password. */
export const LOCAL_PATH = '/stream';
/** Headers that ffmpeg gets: none that leads elsewhere, and no challenge. */
const PASSED_ON =
  /^(?:content-type|content-base|session|transport|public|rtp-info|range|unsupported|x-[\w-]+)$/i;
/** Requests after which the camera may still be another one. */
const MOVABLE = /^(?:OPTIONS|DESCRIBE)$/;
/** What ffmpeg is told instead of a refused OPTIONS. */
const NOTHING_OPTIONAL: RtspMessage = {
  first: '',
  headers: [['Public', 'DESCRIBE, SETUP, PLAY, TEARDOWN']],
  body: Buffer.alloc(0),
};
const OWN_HEADERS = /^(?:cseq|authorization|content-length)$/i;
/** A camera that sends requests and does not read the replies is disconnected. */
const MAX_UNREAD_BYTES = 256 * 1024;
const GOODBYE_MS = 1_000;
/** Some cameras hang up after each refusal: that of OPTIONS, and that of a missing login. */
const MOST_RETURNS = 2;

/**
 * One RTSP connection between ffmpeg and a camera. ffmpeg connects to loopback and knows neither address nor login: this
 * class puts both into its requests and answers challenges. If the camera is to send over UDP, its packets are received
 * here and passed on within the connection, so that ffmpeg opens no port.
 */
export class RtspExchange {
  readonly #options: ExchangeOptions;
  readonly #client: Socket;
  #camera: Socket;
  /** The camera's address without a login. */
  #address: string;
  #login: Login | null;
  /** The address that ffmpeg uses. */
  readonly #localAddress: string;
  readonly #fromClient: RtspReader;
  #credentials: Credentials;
  readonly #pending = new Map<string, Pending>();
  #udp: UdpRelay;
  #requests: Promise<void> = Promise.resolve();
  #sequence = 0;
  #session: string | null = null;
  /** The camera has sent its readers on to another address. */
  #hasMoved = false;
  /** The last reply was a refusal after which the same camera is asked for something else. */
  #wasRefused = false;
  #returns = 0;
  /** Something that is not RTSP has come. */
  #isBroken = false;

  constructor(client: Socket, camera: Socket, options: ExchangeOptions) {
    this.#client = client;
    this.#camera = camera;
    this.#options = options;
    this.#address = options.address;
    this.#login = options.login;
    this.#localAddress = `rtsp://127.0.0.1:${client.localPort}${LOCAL_PATH}`;
    this.#credentials = new Credentials(options.login);
    this.#udp = new UdpRelay(client, camera, options);
    this.#fromClient = new RtspReader({
      packets: (bytes) => (this.#udp.isActive ? this.#udp.report(bytes) : this.#camera.write(bytes)),
      message: (message) => this.#request(message),
    });
    client.on('data', (bytes) => this.#read(this.#fromClient, bytes));
    client.on('drain', () => this.#camera.resume());
    client.on('close', () => this.#close());
    this.#listen(camera);
  }

  /** Passes on what this camera sends, until another one takes its place. */
  #listen(camera: Socket): void {
    const fromCamera = new RtspReader({
      packets: (bytes) => {
        if (!this.#client.write(bytes)) camera.pause();
      },
      message: (message) => this.#reply(message),
    });
    camera.on('data', (bytes) => {
      if (this.#camera === camera) this.#read(fromCamera, bytes);
    });
    camera.on('close', () => {
      if (this.#camera !== camera) return;
      if (this.#wasRefused && this.#returns < MOST_RETURNS && !this.#client.destroyed) {
        this.#requests = this.#requests.then(() => this.#return());
      } else this.#hungUp();
    });
  }

  #hungUp(): void {
    for (const pending of this.#pending.values()) this.#answer(pending, '502 Hung up');
    this.#client.end();
  }

  /** Connects to the same camera again, and sends what it has left unanswered. Later requests wait meanwhile. */
  async #return(): Promise<void> {
    this.#returns++;
    this.#wasRefused = false;
    try {
      this.#goOn(await this.#options.follow({ address: this.#address, login: this.#login }, this.#address));
    } catch {
      this.#hungUp();
      return;
    }
    const unanswered = [...this.#pending.values()];
    this.#pending.clear();
    this.#credentials.reconnected();
    for (const pending of unanswered) this.#send(pending);
  }

  /** From now on packets and replies come from this connection. */
  #goOn({ socket, checked }: Pick<Redirected, 'checked' | 'socket'>): void {
    socket.on('error', () => socket.destroy());
    this.#camera = socket;
    this.#session = null;
    this.#udp = new UdpRelay(this.#client, socket, { ...this.#options, checked });
    this.#listen(socket);
    if (this.#client.destroyed) socket.destroy();
  }

  #read(reader: RtspReader, bytes: Buffer): void {
    if (this.#isBroken && reader !== this.#fromClient) return;
    try {
      reader.push(bytes);
    } catch {
      this.#isBroken = true;
      const [first] = this.#pending.values();
      if (first) this.#refuse(first);
    }
  }

  #refuse(pending: Pending): void {
    this.#answer(pending, '400 Invalid data: not RTSP');
    this.#client.end();
    this.#camera.destroy();
  }

  /** A request of ffmpeg. */
  #request(message: RtspMessage): void {
    const { first, headers, body } = message;
    const [, method = '', uri = ''] = /^([A-Z_]+) (\S+) RTSP\//.exec(first) ?? [];
    if (method === '') return;
    if (method === 'TEARDOWN') this.#session = null;
    const local = this.#localAddress;
    const pending: Pending = {
      method,
      uri: uri.startsWith(local) ? this.#address + uri.slice(local.length) : uri,
      headers: headers.filter(([name]) => !OWN_HEADERS.test(name)),
      body,
      sequence: headerOf(message, 'cseq') ?? '0',
      channels: method === 'SETUP' ? channelsIn(headerOf(message, 'transport') ?? '') : null,
      ...{ answered: 0, media: null },
    };
    if (this.#isBroken) {
      this.#refuse(pending);
      return;
    }
    this.#requests = this.#requests
      .then(() => this.#prepare(pending))
      .then(() => this.#send(pending))
      .catch(() => this.#answer(pending, '500 No UDP port is free'));
  }

  /** The request to the camera names our UDP ports, so they are opened first. */
  async #prepare(pending: Pending): Promise<void> {
    if (pending.channels && this.#options.transport === 'udp') pending.media = await this.#udp.openPorts();
  }

  #send(pending: Pending): void {
    const { method, uri, body, media, channels } = pending;
    const sequence = String(++this.#sequence);
    this.#pending.set(sequence, pending);
    const udp = media ? `RTP/AVP;unicast;client_port=${media.port}-${media.port + 1}` : 'RTP/AVP;multicast';
    const isUdp = channels !== null && this.#options.transport !== 'tcp';
    const authorization = this.#credentials.authorization({ method, uri });
    const headers: RtspHeader[] = [
      ['CSeq', sequence],
      ...this.#ownSession(pending.headers).map(
        ([name, value]) => [name, isUdp && /^transport$/i.test(name) ? udp : value] as const,
      ),
      ...(authorization === null ? [] : [['Authorization', authorization] as const]),
    ];
    writeMessage(this.#camera, { first: `${method} ${uri} RTSP/1.0`, headers, body });
  }

  /** A reply of the camera. */
  #reply(message: RtspMessage): void {
    const found = statusOf(message);
    if (!found) {
      this.#answerCamera(message);
      return;
    }
    const { status, reason } = found;
    if (status < 200) return;
    const [oldest] = this.#pending.keys();
    const sequence = headerOf(message, 'cseq') ?? oldest ?? '';
    const pending = this.#pending.get(sequence);
    if (!pending) return;
    this.#pending.delete(sequence);
    this.#wasRefused = status === 401 || (pending.method === 'OPTIONS' && status >= 400);
    if (status === 401 && this.#credentials.challenged(challengesOf(message), pending.answered)) {
      pending.answered++;
      this.#send(pending);
    } else if (status < 300) void this.#accepted(pending, `${status} ${reason}`, message);
    else if (isRedirect(status)) void this.#follow(pending, headerOf(message, 'location'));
    // Some cameras do not know it, or not before a login. What comes next tells more.
    else if (pending.method === 'OPTIONS') this.#answer(pending, '200 OK', NOTHING_OPTIONAL);
    else this.#answer(pending, `${status} ${reason}`);
  }

  /** ffmpeg may still know the session of the camera that has sent it on. */
  #ownSession(headers: readonly RtspHeader[]): readonly RtspHeader[] {
    if (!this.#hasMoved) return headers;
    return headers.flatMap(([name, value]): RtspHeader[] => {
      if (!/^session$/i.test(name)) return [[name, value]];
      return this.#session === null ? [] : [[name, this.#session]];
    });
  }

  /** Goes on to another camera, once, and only before packets were asked for. */
  async #follow(pending: Pending, location: string | undefined): Promise<void> {
    if (this.#hasMoved || !MOVABLE.test(pending.method)) {
      this.#answer(pending, '421 Too many redirects');
      return;
    }
    this.#hasMoved = true;
    const [before, from] = [this.#camera, { address: this.#address, login: this.#login }];
    try {
      const { address, login, ...connection } = await this.#options.follow(from, location);
      Object.assign(pending, { uri: pending.uri.replace(from.address, () => address), answered: 0 });
      [this.#address, this.#login] = [address, login];
      this.#credentials = new Credentials(login);
      this.#goOn(connection);
      if (!this.#client.destroyed) this.#send(pending);
    } catch (error) {
      const isRefused = error instanceof RefusedAddress;
      this.#answer(pending, isRefused ? '421 Address not on whitelist' : `502 ${faultPhrase(error)}`);
    } finally {
      if (this.#camera !== before) before.destroy();
    }
  }

  async #accepted(pending: Pending, status: string, message: RtspMessage): Promise<void> {
    const { channels, media } = pending;
    this.#session = headerOf(message, 'session')?.split(';')[0] ?? this.#session;
    const transport = headerOf(message, 'transport') ?? '';
    if (!channels || this.#options.transport === 'tcp' || readTransport(transport).isInterleaved) {
      this.#answer(pending, status, message);
      return;
    }
    try {
      pending.media = await this.#udp.start(channels, media, transport);
      this.#answer(pending, status, message, `RTP/AVP/TCP;unicast;interleaved=${channels.join('-')}`);
    } catch (error) {
      const isRefused = error instanceof RefusedAddress;
      this.#answer(pending, isRefused ? '421 Address not on whitelist' : '461 Unsupported transport');
    }
  }

  /** Answers ffmpeg with the headers that it may get. @param transport replaces that of the camera */
  #answer(pending: Pending, status: string, message: RtspMessage | null = null, transport?: string): void {
    if (transport === undefined) pending.media?.close();
    if (this.#client.destroyed) return;
    const passedOn = (message?.headers ?? []).filter(([name]) => PASSED_ON.test(name));
    const headers: RtspHeader[] = [
      ['CSeq', pending.sequence],
      ...passedOn.map(
        ([name, value]) => [name, /^transport$/i.test(name) ? (transport ?? value) : value] as const,
      ),
    ];
    const first = `RTSP/1.0 ${status.replace(/[^\x20-\x7e]/g, '?')}`;
    writeMessage(this.#client, { first, headers, ...(message && { body: message.body }) });
  }

  /** Some cameras send requests to see whether the client still exists. */
  #answerCamera(message: RtspMessage): void {
    if (this.#camera.writableLength > MAX_UNREAD_BYTES) {
      this.#camera.destroy();
      return;
    }
    const isKnown = /^(?:OPTIONS|GET_PARAMETER|SET_PARAMETER) /.test(message.first);
    const sequence = (headerOf(message, 'cseq') ?? '0').replace(/\D/g, '');
    const first = `RTSP/1.0 ${isKnown ? '200 OK' : '501 Not Implemented'}`;
    writeMessage(this.#camera, { first, headers: [['CSeq', sequence]] });
  }

  /** ffmpeg has disconnected. Without TEARDOWN a camera would send over UDP until its own time limit. */
  #close(): void {
    this.#udp.close();
    for (const { media } of this.#pending.values()) media?.close();
    if (this.#udp.isActive && this.#session !== null && !this.#camera.destroyed) {
      const goodbye = { method: 'TEARDOWN', uri: this.#address, body: Buffer.alloc(0) };
      const headers: RtspHeader[] = [['Session', this.#session]];
      this.#send({ ...goodbye, headers, sequence: '0', channels: null, answered: 0, media: null });
    }
    this.#camera.end();
    setTimeout(() => this.#camera.destroy(), GOODBYE_MS).unref();
  }
}
