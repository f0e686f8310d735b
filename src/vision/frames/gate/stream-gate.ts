import type { FfmpegBinaries } from '../ffmpeg-binaries.ts';
import { resolveHost } from '../resolve-host.ts';
import { StreamError } from '../source.ts';
import { streamFault } from '../stream-faults.ts';
import type { StreamAddress } from '../stream-url.ts';
import { faultWords } from './connection-faults.ts';
import { type ForwardProxy, startForwardProxy } from './forward-proxy.ts';
import { type LookupAll, NetworkGuard, RefusedAddress } from './network-guard.ts';
import type { NetworkPolicy } from './network-policy.ts';
import { streamTarget } from './stream-target.ts';
import { plainAddress } from './tls-address.ts';
import { openTunnel } from './tunnel.ts';

/** A stream on its way through: what ffmpeg is given, until `leave`. */
export interface StreamEntry {
  readonly address: StreamAddress;
  readonly httpProxy?: string;
  leave(): void;
}

/** The header of a chunk that goes on: 0xC0 and above, its channel in up to two bytes more, perhaps a time in four. */
const RTMP_CHUNK_HEADER = '(?:[\\xc0-\\xff][^]{0,6})?';

/**
 * What sends ffmpeg elsewhere. Of RTSP a header, in which ffmpeg ignores carriage returns; of RTMP a name in an answer,
 * which headers of chunks may cut (ffmpeg does not follow it so far).
 */
const REDIRECTS = {
  rtsp: { pattern: /location:/i, ignoredBytes: /\r/g },
  rtmp: { pattern: new RegExp([...'redirect'].join(RTMP_CHUNK_HEADER), 'i'), ignoredBytes: null },
};

/**
 * Through which every stream of this process goes out: its address is looked up and checked right before it is
 * opened, and connected to at the number that was checked. ffmpeg itself only ever connects to loopback.
 */
export class StreamGate {
  readonly #guard: NetworkGuard;
  #proxy: Promise<ForwardProxy> | null = null;

  constructor(policy: NetworkPolicy, find?: LookupAll) {
    this.#guard = new NetworkGuard(policy, find);
  }

  get guard(): NetworkGuard {
    return this.#guard;
  }

  /**
   * @param timeoutMs for the look-up of its name and the connection together
   * @throws StreamError when it may not be opened, or does not answer
   */
  async enter(address: StreamAddress, timeoutMs: number): Promise<StreamEntry> {
    const { scheme, input } = address;
    if (scheme === 'file' || scheme === 'sim') return { address, leave: () => undefined };
    // What ffmpeg is given is made anew from what was understood here.
    const { url, host, port } = streamTarget(address);
    const startedAtMs = performance.now();
    try {
      const checked = await this.#guard.resolve(host, port);
      if (scheme === 'http' || scheme === 'https') {
        const { url: httpProxy } = await this.#openProxy();
        const plain = scheme === 'https' ? plainAddress(url) : url.href;
        return { address: { ...address, input: plain }, httpProxy, leave: () => undefined };
      }
      const tlsName = scheme === 'rtsps' ? host : null;
      const forbidden = scheme === 'rtmp' ? REDIRECTS.rtmp : REDIRECTS.rtsp;
      const leftMs = Math.max(500, timeoutMs - (performance.now() - startedAtMs));
      const tunnel = await openTunnel({ checked, port, tlsName, forbidden, timeoutMs: leftMs });
      const [, login = '', path = ''] = /^[a-z]+:\/\/([^/?#\\]*@)?[^/?#\\]*(.*)$/s.exec(input) ?? [];
      const door = `${scheme === 'rtmp' ? 'rtmp' : 'rtsp'}://${login}127.0.0.1:${tunnel.port}`;
      // To ffmpeg a backslash does not end the host.
      const inner = door + path.replace(/^\\/, '/');
      return { address: { ...address, input: inner }, leave: () => tunnel.close() };
    } catch (error) {
      if (error instanceof RefusedAddress)
        throw new StreamError(`${address.shown} ${error.message}.`, 'address_not_allowed');
      throw streamFault(address, faultWords(error));
    }
  }

  #openProxy(): Promise<ForwardProxy> {
    this.#proxy ??= startForwardProxy(this.#guard);
    return this.#proxy;
  }

  async close(): Promise<void> {
    await (await this.#proxy)?.close();
  }
}

/** Through a gate; or, where none is given (tools on videos of one's own), to wherever the address leads. */
export async function enterStream(
  address: StreamAddress,
  options: { gate?: StreamGate | undefined; binaries: FfmpegBinaries; timeoutMs: number },
): Promise<StreamEntry> {
  const { gate, binaries, timeoutMs } = options;
  if (gate) return gate.enter(address, timeoutMs);
  return { address: await resolveHost(address, binaries), leave: () => undefined };
}
