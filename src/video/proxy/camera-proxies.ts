import type { LookupAll } from '../../platform/network/network-guard.ts';
import type { NetworkPolicy } from '../../platform/network/network-policy.ts';
import { CameraProxy } from './camera-proxy.ts';

const MAX_PROXIES = 200;

/** The camera proxies of a process. Users may have networks of their own; users with the same networks share a proxy. */
export class CameraProxies {
  readonly #policy: NetworkPolicy;
  readonly #find: LookupAll | undefined;
  /** The one that was not used for the longest time comes first. */
  readonly #proxies = new Map<string, CameraProxy>();

  /** @param policy its networks hold for users without networks of their own */
  constructor(policy: NetworkPolicy, find?: LookupAll) {
    this.#policy = policy;
    this.#find = find;
  }

  /** @param networks of the user; empty if they have none of their own */
  of(networks: readonly string[]): CameraProxy {
    const key = networks.join();
    const proxy = this.#proxies.get(key) ?? new CameraProxy(policyFor(this.#policy, networks), this.#find);
    this.#proxies.delete(key);
    this.#proxies.set(key, proxy);
    const [oldest] = this.#proxies.keys();
    // A proxy that is dropped here still serves its open connections.
    if (this.#proxies.size > MAX_PROXIES && oldest !== undefined) this.#proxies.delete(oldest);
    return proxy;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#proxies.values()].map((proxy) => proxy.close()));
  }
}

/** The policy for a user. */
export const policyFor = (policy: NetworkPolicy, networks: readonly string[]): NetworkPolicy =>
  networks.length > 0 ? { ...policy, networks } : policy;
