import { createSocket, type Socket } from 'node:dgram';
import { isIP } from 'node:net';
import { RtpOrder } from './rtp-order.ts';

export interface UdpPlace {
  /** Our own address, or that of the multicast group. */
  readonly address: string;
  /** Port for video; the next port is for reports. 0: any free pair. */
  readonly port: number;
  /** If `address` is a group: the address of the interface that joins it. */
  readonly joinedOn: string | null;
}

export interface UdpParts {
  /** Packets come in the order in which they were sent. */
  video(packet: Buffer): void;
  report(packet: Buffer): void;
}

/** Room for the burst of a key frame; the system may give less. */
const RECEIVE_BYTES = 4 * 1024 * 1024;
const TRIES = 20;
const LEAST_RTP_BYTES = 12;
const LEAST_REPORT_BYTES = 8;
/** More than 200 Mbit/s. */
const MAX_PER_SECOND = 20_000;
const HIGHEST_PORT = 65_535;

/** A pair of UDP ports that receives packets of one camera only. */
export class UdpMedia {
  readonly port: number;
  readonly #camera: string;
  readonly #sockets: readonly [video: Socket, report: Socket];

  #isClosed = false;

  private constructor(sockets: readonly [Socket, Socket], camera: string) {
    this.#sockets = sockets;
    this.#camera = camera;
    this.port = sockets[0].address().port;
  }

  /**
   * @param camera its IP address that was checked; packets of other senders are dropped
   * @throws Error when no pair of ports is free
   */
  static async open(place: UdpPlace, camera: string): Promise<UdpMedia> {
    for (let tried = 1; ; tried++) {
      const video = await bound(place.address, place.port);
      const { port } = video.address();
      try {
        // By convention the first port of a pair is even.
        if (port % 2 !== 0 && place.port === 0) throw Object.assign(new Error('odd'), { code: 'EADDRINUSE' });
        const report = await bound(place.address, port + 1);
        const media = new UdpMedia([video, report], camera);
        if (place.joinedOn !== null) media.#join(place.address, place.joinedOn);
        return media;
      } catch (error) {
        video.close();
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tried === TRIES) throw error;
      }
    }
  }

  /** @param maxPerSecond packets; the ports are closed for a camera that sends more, because UDP has no flow control */
  receive(parts: UdpParts, maxPerSecond = MAX_PER_SECOND): void {
    let [sinceMs, count] = [performance.now(), 0];
    const isTooMuch = () => {
      if (performance.now() - sinceMs > 1_000) [sinceMs, count] = [performance.now(), 0];
      if (++count > maxPerSecond) this.close();
      return count > maxPerSecond;
    };
    const order = new RtpOrder((packet) => parts.video(packet));
    const [video, report] = this.#sockets;
    video.on('message', (packet, { address }) => {
      if (isTooMuch()) return;
      if (address === this.#camera && packet.length >= LEAST_RTP_BYTES) order.push(packet);
    });
    report.on('message', (packet, { address }) => {
      if (isTooMuch()) return;
      if (address === this.#camera && packet.length >= LEAST_REPORT_BYTES) parts.report(packet);
    });
  }

  /** Sends an empty packet to each of the camera's ports, so that firewalls let its packets in. */
  openWay(port: number): void {
    const [video, report] = this.#sockets;
    if (this.#isClosed) return;
    video.send(EMPTY_RTP, port, this.#camera, ignored);
    report.send(EMPTY_REPORT, port + 1, this.#camera, ignored);
  }

  /** Sends a report to the camera. */
  report(packet: Buffer, port: number): void {
    if (!this.#isClosed && port < HIGHEST_PORT) this.#sockets[1].send(packet, port, this.#camera, ignored);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const socket of this.#sockets) socket.close();
  }

  #join(group: string, joinedOn: string): void {
    try {
      for (const socket of this.#sockets) socket.addMembership(group, joinedOn);
    } catch (error) {
      this.#sockets[1].close();
      throw error;
    }
  }
}

const ignored = () => undefined;
/** Version 2, nothing else. */
const EMPTY_RTP = Buffer.from([0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
/** A receiver report without sources. */
const EMPTY_REPORT = Buffer.from([0x80, 201, 0, 1, 0, 0, 0, 0]);

function bound(address: string, port: number): Promise<Socket> {
  // Several streams may receive the same group.
  const socket = createSocket({ type: isIP(address) === 6 ? 'udp6' : 'udp4', reuseAddr: port !== 0 });
  return new Promise((resolve, reject) => {
    socket.once('error', (error) => {
      socket.close();
      reject(error);
    });
    socket.bind(port, address, () => {
      socket.removeAllListeners('error').on('error', ignored).unref();
      try {
        socket.setRecvBufferSize(RECEIVE_BYTES);
      } catch {
        // The default size is used.
      }
      resolve(socket);
    });
  });
}
