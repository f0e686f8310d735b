import type { LookupAll } from '../../platform/network/network-guard.ts';
import type { NetworkPolicy } from '../../platform/network/network-policy.ts';
import { StreamGate } from './camera-proxy.ts';

/** More are not kept; who is on the way through one that is forgotten has it still. */
const MOST = 200;

/** The gates of a process: users may have networks of their own, and those with the same share a gate. */
export class StreamGates {
  readonly #policy: NetworkPolicy;
  readonly #find: LookupAll | undefined;
  /** The one that was used longest ago comes first. */
  readonly #gates = new Map<string, StreamGate>();

  /** @param policy its networks are those of whoever has none of their own */
  constructor(policy: NetworkPolicy, find?: LookupAll) {
    this.#policy = policy;
    this.#find = find;
  }

  /** @param networks of the user; empty: none of their own */
  of(networks: readonly string[]): StreamGate {
    const key = networks.join();
    const known = this.#gates.get(key);
    const gate = known ?? new StreamGate(policyFor(this.#policy, networks), this.#find);
    this.#gates.delete(key);
    this.#gates.set(key, gate);
    const [oldest] = this.#gates.keys();
    if (this.#gates.size > MOST && oldest !== undefined) this.#gates.delete(oldest);
    return gate;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#gates.values()].map((gate) => gate.close()));
  }
}

/** What holds for a user. */
export const policyFor = (policy: NetworkPolicy, networks: readonly string[]): NetworkPolicy =>
  networks.length > 0 ? { ...policy, networks } : policy;
