import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { faultInAddress, faultInHost, type NetworkPolicy } from './network-policy.ts';

/** The number to connect to: the one that was checked. */
export interface CheckedAddress {
  readonly address: string;
  readonly family: number;
}

export type LookupAll = (name: string) => Promise<readonly CheckedAddress[]>;

/** A stream may not lead there. The message is a sentence's end that says so, without credentials. */
export class RefusedAddress extends Error {}

/** A name server that says nothing for so long knows no answer: the system's own patience may be half a minute. */
const LOOKUP_MS = 4_000;
/** Addresses of our own parts are asked for again after so long. */
const OWN_KNOWN_MS = 60_000;

/** Decides, each time anew, where a stream may connect to: by its name, and by every number the name stands for. */
export class NetworkGuard {
  readonly #policy: NetworkPolicy;
  readonly #find: LookupAll;
  #own: { readonly atMs: number; readonly found: Promise<readonly (readonly string[])[]> } | null = null;

  constructor(
    policy: NetworkPolicy,
    find: LookupAll = (name) => lookup(name, { all: true, verbatim: false }),
    lookupMs = LOOKUP_MS,
  ) {
    this.#policy = policy;
    this.#find = (name) => withinLookupTime(name, find(name), lookupMs);
  }

  /**
   * Looks a host up and checks what was found.
   * @param host canonical
   * @throws RefusedAddress; an error with ENOTFOUND when the name is not known, EAI_AGAIN when nobody says so in time
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
      // A host the operator has opened may still run our database: that port stays shut.
      const isOwn = this.#policy.ownHosts.some(
        (part, at) => own[at]!.includes(address) && (!isOpened || part.port === port),
      );
      if (isOwn) throw new RefusedAddress(`may not lead to ${host}: it is part of this service`);
      if (wrong) throw new RefusedAddress(wrong);
    }
    if (!found[0]) throw Object.assign(new Error(`${host} is not known`), { code: 'ENOTFOUND' });
    return found[0];
  }

  /** Of each own part, in the order of the policy. */
  #ownAddresses(): Promise<readonly (readonly string[])[]> {
    const nowMs = performance.now();
    if (!this.#own || nowMs - this.#own.atMs > OWN_KNOWN_MS) {
      const found = Promise.all(
        this.#policy.ownHosts.map(async ({ host }) => {
          if (isIP(host)) return [host];
          const numbers = await this.#find(host).catch(() => []);
          return numbers.map(({ address }) => address);
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
