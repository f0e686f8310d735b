import { createServer, type Socket } from 'node:net';
import { listenOnLoopback } from './loopback.ts';
import { openSocket, type SocketTarget } from './open-socket.ts';
import { type Traffic, trafficOf } from './unread-bytes.ts';

export interface TunnelTarget extends SocketTarget {
  readonly timeoutMs: number;
  /** Passes bytes on between ffmpeg and the camera after both are connected. */
  readonly join: (client: Socket, camera: Socket) => void;
}

export interface Tunnel {
  /** On 127.0.0.1. */
  readonly port: number;
  /** From the camera to the clients that are connected. */
  traffic(): Traffic;
  /** Whether the camera has sent anything. */
  heard(): boolean;
  /** Takes no more connections. The camera still gets what ffmpeg wrote before it ended, such as the end of an RTSP session. */
  close(): void;
}

/** ffprobe connects once, ffmpeg once, and each may connect again after a challenge for a password. */
const MAX_CONNECTIONS = 8;
/** When ffmpeg has ended, the sockets close by themselves. A socket that is still open after this time is destroyed. */
const CLOSING_MS = 1_000;

/**
 * A port on loopback that leads to one checked address and nowhere else.
 * @throws Error with a code when the address cannot be connected to
 */
export async function openTunnel(target: TunnelTarget): Promise<Tunnel> {
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  const cameras: Socket[] = [];
  // The first connection is made before ffmpeg starts, so that its own error is reported and not that of ffmpeg.
  const ready: Socket[] = [await connect(target)];
  let left = MAX_CONNECTIONS;
  const server = createServer((client) => {
    const socket = ready.pop();
    left -= 1;
    if (left <= 0) server.close();
    sockets.add(client);
    clients.add(client);
    client.on('close', () => clients.delete(client));
    client.on('error', () => client.destroy());
    (socket ? Promise.resolve(socket) : connect(target)).then(
      (camera) => {
        sockets.add(camera);
        cameras.push(camera);
        target.join(client, camera);
      },
      () => client.destroy(),
    );
  });
  return {
    port: await listenOnLoopback(server),
    traffic: () => trafficOf(clients),
    heard: () => cameras.some(({ bytesRead }) => bytesRead > 0),
    close() {
      server.close();
      for (const socket of ready) socket.destroy();
      const end = () => {
        for (const socket of sockets) socket.destroy();
      };
      setTimeout(end, CLOSING_MS).unref();
    },
  };
}

/** The time limit ends with the connection's beginning. */
async function connect(target: TunnelTarget): Promise<Socket> {
  const limit = new AbortController();
  const late = Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' });
  const timer = setTimeout(() => limit.abort(late), target.timeoutMs);
  return openSocket(target, limit.signal).finally(() => clearTimeout(timer));
}
