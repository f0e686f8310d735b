import type { Socket } from 'node:net';
import { faultWords } from '../../platform/network/connection-faults.ts';
import { loginOf } from '../../platform/network/credentials.ts';
import {
  type CheckedAddress,
  type LookupAll,
  NetworkGuard,
  RefusedAddress,
} from '../../platform/network/network-guard.ts';
import type { NetworkPolicy } from '../../platform/network/network-policy.ts';
import { plainAddress } from '../../platform/network/tls-address.ts';
import { openTunnel } from '../../platform/network/tunnel.ts';
import { streamFault } from '../camera-fault.ts';
import { type FfmpegBinaries, oldRelease } from '../ffmpeg/ffmpeg-binaries.ts';
import { StreamError } from '../frame-source.ts';
import type { StreamAddress } from '../stream-url.ts';
import { type ForwardProxy, startForwardProxy } from './forward-proxy.ts';
import { resolveHost } from './resolve-host.ts';
import { pipeRtmp } from './rtmp-pipe.ts';
import { DOOR_PATH, RtspExchange } from './rtsp/rtsp-exchange.ts';
import { streamTarget } from './stream-target.ts';

/** A stream on its way through: what ffmpeg is given, until `close`. */
export interface CameraConnection {
  readonly address: StreamAddress;
  readonly httpProxy?: string;
  close(): void;
}

/**
 * Through which every stream of this process goes out: its address is looked up and checked right before it is
 * opened, and connected to at the number that was checked. ffmpeg itself only ever connects to loopback.
 */
export class CameraProxy {
  readonly #guard: NetworkGuard;
  readonly #refusesOldFfmpeg: boolean;
  readonly #proxies = new Set<ForwardProxy>();

  constructor(policy: NetworkPolicy, find?: LookupAll) {
    this.#guard = new NetworkGuard(policy, find);
    this.#refusesOldFfmpeg = policy.refusesOldFfmpeg ?? false;
  }

  get guard(): NetworkGuard {
    return this.#guard;
  }

  /**
   * @param timeoutMs for the look-up of its name and the connection together
   * @throws StreamError when it may not be opened, or does not answer
   */
  async connect(address: StreamAddress, timeoutMs: number): Promise<CameraConnection> {
    const { scheme, input } = address;
    if (scheme === 'file' || scheme === 'sim') return { address, close: () => undefined };
    // What ffmpeg is given is made anew from what was understood here.
    const { url, host, port } = streamTarget(address);
    const startedAtMs = performance.now();
    try {
      const checked = await this.#guard.resolve(host, port);
      if (scheme === 'http' || scheme === 'https') {
        const login = loginOf(input);
        Object.assign(url, { username: '', password: '', hash: '' });
        const proxy = await startForwardProxy(this.#guard, { url: new URL(url), login });
        this.#proxies.add(proxy);
        url.search = '';
        const close = () => {
          this.#proxies.delete(proxy);
          void proxy.close();
        };
        const plain = scheme === 'https' ? plainAddress(url) : url.href;
        return { address: { ...address, input: plain }, httpProxy: proxy.url, close };
      }
      const [, login = '', rest = ''] = /^[a-z]+:\/\/([^/?#\\]*@)?[^/?#\\]*(.*)$/s.exec(input) ?? [];
      // To ffmpeg a backslash does not end the host.
      const path = rest.replace(/^\\/, '/');
      const tlsName = scheme === 'rtsps' ? host : null;
      const join = scheme === 'rtmp' ? pipeRtmp : this.#rtsp(address, { checked, url, port, path });
      const leftMs = Math.max(500, timeoutMs - (performance.now() - startedAtMs));
      const tunnel = await openTunnel({ checked, port, tlsName, join, timeoutMs: leftMs });
      const door = `127.0.0.1:${tunnel.port}`;
      // Of RTMP the login is part of what both sides say to one another, so ffmpeg has to know it.
      const inner = scheme === 'rtmp' ? `rtmp://${login}${door}${path}` : `rtsp://${door}${DOOR_PATH}`;
      return { address: { ...address, input: inner }, close: () => tunnel.close() };
    } catch (error) {
      if (error instanceof RefusedAddress)
        throw new StreamError(`${address.shown} ${error.message}.`, 'address_not_allowed');
      throw streamFault(address, faultWords(error));
    }
  }

  /** ffmpeg hears neither path nor password of an RTSP camera. */
  #rtsp(
    { scheme, input, transport = 'tcp' }: StreamAddress,
    { checked, url, port, path }: { checked: CheckedAddress; url: URL; port: number; path: string },
  ): (client: Socket, camera: Socket) => void {
    const written = path.replace(/[^\x21-\x7e]/gu, encodeURIComponent);
    const address = `${scheme}://${url.hostname}:${port}${written}`;
    const checkGroup = (group: string, groupPort: number) => this.#guard.resolve(group, groupPort);
    const options = { address, login: loginOf(input), transport, checked: checked.address, checkGroup };
    return (client, camera) => void new RtspExchange(client, camera, options);
  }

  /** Hostile video does not meet a decoder that is no longer mended. @throws StreamError */
  requireDecoder({ scheme, shown }: StreamAddress, binaries: FfmpegBinaries): void {
    if (!this.#refusesOldFfmpeg || scheme === 'file' || scheme === 'sim') return;
    const release = oldRelease(binaries);
    if (release === null) return;
    throw new StreamError(
      `${shown} is not read here: the ffmpeg of this machine is of release ${release}, and production wants 5 or later for network streams. The operator installs a current ffmpeg, or sets ALLOW_OLD_FFMPEG.`,
      'old_ffmpeg',
    );
  }

  async close(): Promise<void> {
    await Promise.all([...this.#proxies].map((proxy) => proxy.close()));
  }
}

/** Through a cameraProxy; or, where none is given (tools on videos of one's own), to wherever the address leads. */
export async function connectCamera(
  address: StreamAddress,
  options: { cameraProxy?: CameraProxy | undefined; binaries: FfmpegBinaries; timeoutMs: number },
): Promise<CameraConnection> {
  const { cameraProxy, binaries, timeoutMs } = options;
  cameraProxy?.requireDecoder(address, binaries);
  if (cameraProxy) return cameraProxy.connect(address, timeoutMs);
  return { address: await resolveHost(address, binaries), close: () => undefined };
}
