import type { LookupAll } from '../../platform/network/network-guard.ts';
import type { NetworkPolicy } from '../../platform/network/network-policy.ts';
import { CameraProxy } from './camera-proxy.ts';

/** More are not kept; who is on the way through one that is forgotten has it still. */
const MOST = 200;

/** The cameraProxies of a process: users may have networks of their own, and those with the same share a cameraProxy. */
export class CameraProxies {
  readonly #policy: NetworkPolicy;
  readonly #find: LookupAll | undefined;
  /** The one that was used longest ago comes first. */
  readonly #cameraProxies = new Map<string, CameraProxy>();

  /** @param policy its networks are those of whoever has none of their own */
  constructor(policy: NetworkPolicy, find?: LookupAll) {
    this.#policy = policy;
    this.#find = find;
  }

  /** @param networks of the user; empty: none of their own */
  of(networks: readonly string[]): CameraProxy {
    const key = networks.join();
    const known = this.#cameraProxies.get(key);
    const cameraProxy = known ?? new CameraProxy(policyFor(this.#policy, networks), this.#find);
    this.#cameraProxies.delete(key);
    this.#cameraProxies.set(key, cameraProxy);
    const [oldest] = this.#cameraProxies.keys();
    if (this.#cameraProxies.size > MOST && oldest !== undefined) this.#cameraProxies.delete(oldest);
    return cameraProxy;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#cameraProxies.values()].map((cameraProxy) => cameraProxy.close()));
  }
}

/** What holds for a user. */
export const policyFor = (policy: NetworkPolicy, networks: readonly string[]): NetworkPolicy =>
  networks.length > 0 ? { ...policy, networks } : policy;
