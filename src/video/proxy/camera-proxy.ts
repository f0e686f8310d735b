import type { Socket } from 'node:net';
import { loginOf } from '../../platform/network/credentials.ts';
import { type CheckedAddress, type LookupAll, NetworkGuard } from '../../platform/network/network-guard.ts';
import type { NetworkPolicy } from '../../platform/network/network-policy.ts';
import { plainAddress } from '../../platform/network/tls-address.ts';
import { openTunnel } from '../../platform/network/tunnel.ts';
import { NO_TRAFFIC, type Traffic } from '../../platform/network/unread-bytes.ts';
import { faultError, faultFromError } from '../camera-fault.ts';
import { type FfmpegBinaries, oldRelease } from '../ffmpeg/ffmpeg-binaries.ts';
import { followRedirect, type RedirectFrom } from '../rtsp/redirect.ts';
import { StreamError } from '../stream-error.ts';
import type { StreamAddress } from '../stream-url.ts';
import { type ForwardProxy, startForwardProxy } from './forward-proxy.ts';
import { resolveHost } from './resolve-host.ts';
import { pipeRtmp } from './rtmp-pipe.ts';
import { LOCAL_PATH, RtspExchange } from './rtsp/rtsp-exchange.ts';
import { type StreamTarget, streamTarget } from './stream-target.ts';

/** What ffmpeg reads instead of the camera's own address, until `close`. */
export interface CameraConnection {
  readonly address: StreamAddress;
  readonly httpProxy?: string;
  /** From the camera to ffmpeg; none where that is not known. */
  traffic(): Traffic;
  /** Replaces an error that speaks of what the camera has sent, when it has sent nothing. */
  faultOf(error: unknown): unknown;
  close(): void;
}

/** Longest time for the connection to where a camera sends its readers on. */
const REDIRECT_MS = 10_000;
/** The least time that is left for a connection after a slow look-up. */
const MIN_CONNECT_MS = 500;

/**
 * The local proxy between ffmpeg and cameras. It looks up and checks an address right before it connects, and connects to
 * the IP address that was checked. ffmpeg itself only connects to loopback.
 */
export class CameraProxy {
  readonly guard: NetworkGuard;
  readonly #refusesOldFfmpeg: boolean;
  readonly #forwardProxies = new Set<ForwardProxy>();

  constructor(policy: NetworkPolicy, find?: LookupAll) {
    this.guard = new NetworkGuard(policy, find);
    this.#refusesOldFfmpeg = policy.refusesOldFfmpeg ?? false;
  }

  /**
   * @param timeoutMs for the look-up and the connection together
   * @throws StreamError when the address is not allowed or does not answer
   */
  async connect(address: StreamAddress, timeoutMs: number): Promise<CameraConnection> {
    const { scheme } = address;
    if (scheme === 'file' || scheme === 'sim') return unproxied(address);
    // What ffmpeg gets is built from the parsed address, so that ffmpeg cannot read it in another way.
    const target = streamTarget(address);
    const deadlineMs = performance.now() + timeoutMs;
    try {
      const checked = await this.guard.resolve(target.host, target.port);
      if (scheme === 'http' || scheme === 'https') return await this.#forward(address, target.url);
      const leftMs = Math.max(MIN_CONNECT_MS, deadlineMs - performance.now());
      return await this.#tunnel(address, target, { checked, timeoutMs: leftMs });
    } catch (error) {
      throw faultFromError(address, error);
    }
  }

  /** HTTP goes through a forward proxy of its own. */
  async #forward(address: StreamAddress, target: URL): Promise<CameraConnection> {
    const url = new URL(target);
    Object.assign(url, { username: '', password: '', hash: '' });
    const proxy = await startForwardProxy(this.guard, { url: new URL(url), login: loginOf(address.input) });
    this.#forwardProxies.add(proxy);
    url.search = '';
    return {
      address: { ...address, input: address.scheme === 'https' ? plainAddress(url) : url.href },
      httpProxy: proxy.url,
      traffic: () => proxy.traffic(),
      faultOf: asItIs,
      close: () => {
        this.#forwardProxies.delete(proxy);
        void proxy.close();
      },
    };
  }

  /** RTSP and RTMP go through a tunnel. */
  async #tunnel(
    address: StreamAddress,
    { url, host, port }: StreamTarget,
    { checked, timeoutMs }: { checked: CheckedAddress; timeoutMs: number },
  ): Promise<CameraConnection> {
    const { scheme, input } = address;
    const [, login = '', rest = ''] = /^[a-z]+:\/\/([^/?#\\]*@)?[^/?#\\]*(.*)$/s.exec(input) ?? [];
    // To ffmpeg a backslash does not end the host.
    const path = rest.replace(/^\\/, '/');
    const tlsName = scheme === 'rtsps' ? host : null;
    const join =
      scheme === 'rtmp' ? pipeRtmp : this.#rtsp(address, checked, `${url.hostname}:${port}${path}`);
    const tunnel = await openTunnel({ address: checked.address, port, tlsName, join, timeoutMs });
    const local = `127.0.0.1:${tunnel.port}`;
    // Both sides of RTMP use the login in their messages, so ffmpeg has to know it.
    const inner = scheme === 'rtmp' ? `rtmp://${login}${local}${path}` : `rtsp://${local}${LOCAL_PATH}`;
    return {
      address: { ...address, input: inner },
      traffic: () => tunnel.traffic(),
      faultOf: (error) => {
        const isAboutContent = error instanceof StreamError && error.reason === 'not_a_camera';
        return isAboutContent && !tunnel.heard() ? faultError(address, 'hung_up') : error;
      },
      close: () => tunnel.close(),
    };
  }

  /** ffmpeg knows neither the path nor the login of an RTSP camera. @param place host, port and path */
  #rtsp(
    { scheme, input, transport = 'tcp' }: StreamAddress,
    checked: CheckedAddress,
    place: string,
  ): (client: Socket, camera: Socket) => void {
    const address = `${scheme}://${place.replace(/[^\x21-\x7e]/gu, encodeURIComponent)}`;
    const checkGroup = (group: string, port: number) => this.guard.resolve(group, port);
    const options = {
      ...{ address, login: loginOf(input), transport, checked: checked.address, checkGroup },
      follow: (from: RedirectFrom, location: string | undefined) =>
        followRedirect(this.guard, { from, location }, AbortSignal.timeout(REDIRECT_MS)),
    };
    return (client, camera) => void new RtspExchange(client, camera, options);
  }

  /** Hostile video must not reach a decoder that gets no security fixes. @throws StreamError */
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
    await Promise.all([...this.#forwardProxies].map((proxy) => proxy.close()));
  }
}

/** Without a proxy (tools that read videos of their own) ffmpeg connects to the address itself. @throws StreamError */
export async function connectCamera(
  address: StreamAddress,
  options: { cameraProxy?: CameraProxy | undefined; binaries: FfmpegBinaries; timeoutMs: number },
): Promise<CameraConnection> {
  const { cameraProxy, binaries, timeoutMs } = options;
  cameraProxy?.requireDecoder(address, binaries);
  if (cameraProxy) return cameraProxy.connect(address, timeoutMs);
  return unproxied(await resolveHost(address, binaries));
}

const asItIs = (error: unknown): unknown => error;

const unproxied = (address: StreamAddress): CameraConnection => ({
  address,
  traffic: () => NO_TRAFFIC,
  faultOf: asItIs,
  close: () => undefined,
});
