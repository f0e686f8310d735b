import type { Socket } from 'node:net';
import { readTransport } from './transport.ts';
import { UdpMedia } from './udp-media.ts';

export interface UdpRelayOptions {
  /** The camera's IP address that was checked. */
  readonly checked: string;
  /** @throws RefusedAddress when packets of this group may not be received */
  readonly checkGroup: (address: string, port: number) => Promise<unknown>;
}

/** Video and report channel of one SETUP, as ffmpeg numbers them. */
export type Channels = readonly [video: number, report: number];

/** Packets are dropped instead of queued for an ffmpeg that does not read. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;
/** A packet within an RTSP connection begins with `$`, channel and length. */
const PACKET_MARK = 0x24;
const PACKET_HEAD = 4;

/** Receives a camera's UDP packets and passes them to ffmpeg within its RTSP connection. */
export class UdpRelay {
  readonly #client: Socket;
  readonly #localAddress: string;
  readonly #options: UdpRelayOptions;
  /** By the video channel. `port` is the camera's port for video. */
  readonly #media = new Map<number, { readonly media: UdpMedia; readonly port: number | null }>();

  /** @param client connection of ffmpeg */
  constructor(client: Socket, camera: Socket, options: UdpRelayOptions) {
    this.#client = client;
    this.#localAddress = camera.localAddress ?? '';
    this.#options = options;
  }

  get isActive(): boolean {
    return this.#media.size > 0;
  }

  /** Opens two ports for a camera that sends to this machine. */
  async openPorts(): Promise<UdpMedia> {
    const { checked } = this.#options;
    return this.#unlessOver(
      await UdpMedia.open({ address: this.#localAddress, port: 0, joinedOn: null }, checked),
    );
  }

  /**
   * Begins to pass packets on.
   * @param media ports of `openPorts`; null: the group that the camera names is joined
   * @param reply the camera's `Transport` header
   * @throws Error when the camera names no group, or one that is not allowed
   */
  async start([video, report]: Channels, media: UdpMedia | null, reply: string): Promise<UdpMedia> {
    const { serverPort, group } = readTransport(reply);
    const opened = media ?? (await this.#join(group));
    if (this.#client.destroyed) return this.#unlessOver(opened);
    this.#media.set(video, { media: opened, port: serverPort });
    opened.receive({
      video: (packet) => this.#interleave(video, packet),
      report: (packet) => this.#interleave(report, packet),
    });
    if (serverPort !== null) opened.openWay(serverPort);
    return opened;
  }

  /** Sends ffmpeg's reports to the camera. A report that has come in parts is dropped: nothing depends on a single one. */
  report(bytes: Buffer): void {
    for (let at = 0; at + PACKET_HEAD < bytes.length; ) {
      const end = at + PACKET_HEAD + bytes.readUInt16BE(at + 2);
      const to = this.#media.get(bytes.readUInt8(at + 1) - 1);
      if (to && to.port !== null && end <= bytes.length)
        to.media.report(bytes.subarray(at + PACKET_HEAD, end), to.port + 1);
      at = end;
    }
  }

  close(): void {
    for (const { media } of this.#media.values()) media.close();
  }

  async #join(group: { address: string; port: number } | null): Promise<UdpMedia> {
    if (!group) throw new Error('The camera names no group.');
    const { checked, checkGroup } = this.#options;
    await checkGroup(group.address, group.port);
    return UdpMedia.open({ ...group, joinedOn: this.#localAddress }, checked);
  }

  #unlessOver(media: UdpMedia): UdpMedia {
    if (this.#client.destroyed) media.close();
    return media;
  }

  #interleave(channel: number, packet: Buffer): void {
    if (this.#client.destroyed || this.#client.writableLength > MAX_UNREAD_BYTES) return;
    const head = Buffer.from([PACKET_MARK, channel, packet.length >> 8, packet.length & 0xff]);
    this.#client.write(Buffer.concat([head, packet]));
  }
}
