import { promises as dns, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { hostOf, isPublicAddress } from './network-policy.ts';

/** A name leads to an address that deliveries may not reach. */
export class ForbiddenAddressError extends Error {
  constructor(host: string) {
    // The address is left out: answers of an internal name server are not for users.
    super(
      `${host} leads to an address that is not of the public internet. The operator allows hosts with WEBHOOK_ALLOW_HOSTS.`,
    );
  }
}

/** Resolves a name to addresses. @throws an error of `node:dns` */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/**
 * Asks name servers directly. The system's lookup has only four threads, and a few names without an answer would block
 * all other deliveries.
 */
const publicResolver = new dns.Resolver({ timeout: 2_000, tries: 3 });

const resolvePublicly: Resolve = async (host) => {
  const [v4, v6] = await Promise.allSettled([publicResolver.resolve4(host), publicResolver.resolve6(host)]);
  const addresses = [
    ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
    ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (addresses.length === 0 && v4.status === 'rejected') throw v4.reason;
  return addresses;
};

/** The lookup of the system, with its hosts file. */
const resolveLocally: Resolve = (host) => dns.lookup(host, { all: true });

/**
 * The lookup of a connection. The connection uses exactly the addresses that were checked, so a second answer of the
 * name server has no effect. One forbidden address among several refuses the name.
 * @param allowedHosts names that the operator allows, wherever they lead
 */
export function guardedLookup(
  allowedHosts: readonly string[],
  resolve: Resolve = resolvePublicly,
): LookupFunction {
  const find = async (hostname: string): Promise<readonly LookupAddress[]> => {
    const host = hostOf(hostname);
    if (allowedHosts.includes(host)) return resolveLocally(host);
    const addresses = await resolve(host);
    if (!addresses.every(({ address }) => isPublicAddress(address))) throw new ForbiddenAddressError(host);
    return addresses;
  };
  return (hostname, options, callback) => {
    find(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (!first) callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '');
        else if (options.all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}
