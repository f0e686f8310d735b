import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { faultInAddress, faultInHost, type NetworkPolicy } from './network-policy.ts';

/** The IP address that was checked and is to be connected to. */
export interface CheckedAddress {
  readonly address: string;
  readonly family: number;
}

/** The addresses of a part of this service, or of a server that it uses. */
interface OwnAddresses {
  readonly addresses: readonly string[];
  readonly port: number;
}

export type LookupAll = (name: string) => Promise<readonly CheckedAddress[]>;

/** A stream may not lead to this address. The message is the rest of a sentence and holds no credentials. */
export class RefusedAddress extends Error {}

/** Time limit of a look-up. The system's own limit may be half a minute. */
const LOOKUP_MS = 4_000;
/** How long the addresses of our own database, storage and model server are cached. */
const OWN_CACHED_MS = 60_000;

/** Decides before each connection whether a stream may connect to a host: by its name and by all its IP addresses. */
export class NetworkGuard {
  readonly #policy: NetworkPolicy;
  readonly #find: LookupAll;
  #own: { readonly atMs: number; readonly found: Promise<readonly OwnAddresses[]> } | null = null;

  constructor(
    policy: NetworkPolicy,
    find: LookupAll = (name) => lookup(name, { all: true, verbatim: false }),
    lookupMs = LOOKUP_MS,
  ) {
    this.#policy = policy;
    this.#find = (name) => withinLookupTime(name, find(name), lookupMs);
  }

  /**
   * Looks a host up and checks its addresses.
   * @param host canonical
   * @throws RefusedAddress; an error with ENOTFOUND when the name is unknown, or with EAI_AGAIN after the time limit
   */
  async resolve(host: string, port: number): Promise<CheckedAddress> {
    const fault = faultInHost(host, this.#policy);
    if (fault) throw new RefusedAddress(fault);
    const literal = { address: host, family: isIP(host) };
    const found = literal.family ? [literal] : await this.#find(host);
    const isAllowed = this.#policy.allowedHosts.includes(host);
    const own = await this.#ownAddresses();
    for (const { address } of found) {
      const isOpened = isAllowed || this.#policy.allowedHosts.includes(address);
      const wrong = isOpened ? null : faultInAddress(address, this.#policy);
      // An allowed host may run our own database: its port stays forbidden.
      const isOwn = own.some((part) => part.addresses.includes(address) && (!isOpened || part.port === port));
      if (isOwn) throw new RefusedAddress(`may not lead to ${host}: it is part of this service`);
      if (wrong) throw new RefusedAddress(wrong);
    }
    if (!found[0]) throw Object.assign(new Error(`${host} is not known`), { code: 'ENOTFOUND' });
    return found[0];
  }

  #ownAddresses(): Promise<readonly OwnAddresses[]> {
    const nowMs = performance.now();
    if (!this.#own || nowMs - this.#own.atMs > OWN_CACHED_MS) {
      const found = Promise.all(
        this.#policy.ownHosts.map(async ({ host, port }) => {
          if (isIP(host)) return { addresses: [host], port };
          const numbers = await this.#find(host).catch(() => []);
          return { addresses: numbers.map(({ address }) => address), port };
        }),
      );
      this.#own = { atMs: nowMs, found };
    }
    return this.#own.found;
  }
}

async function withinLookupTime<Found>(
  name: string,
  found: Promise<Found>,
  lookupMs: number,
): Promise<Found> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = Object.assign(new Error(`No name server answers for ${name}`), { code: 'EAI_AGAIN' });
    timer = setTimeout(() => reject(error), lookupMs);
  });
  return Promise.race([found, late]).finally(() => clearTimeout(timer));
}
