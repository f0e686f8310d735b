import ipaddr from 'ipaddr.js';

const MOST_ADDRESSES = 256;
const FEWEST_BITS = 24;

/** The addresses of a network that are asked one by one. @returns the rest of a sentence about a fault */
export function askedAddresses(network: string): { addresses: string[] } | { fault: string } {
  const isPlain = /^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}\/\d{1,2}$/.test(network);
  if (!isPlain || !ipaddr.IPv4.isValidCIDR(network))
    return { fault: 'must be an IPv4 network like 192.168.1.0/24' };
  const [, bits] = ipaddr.IPv4.parseCIDR(network);
  if (bits < FEWEST_BITS)
    return {
      fault: `must have at most ${MOST_ADDRESSES} addresses: a network like 192.168.1.0/24 or smaller`,
    };
  const first = ipaddr.IPv4.networkAddressFromCIDR(network).toByteArray();
  return {
    addresses: Array.from({ length: 2 ** (32 - bits) }, (_, at) =>
      [...first.slice(0, 3), ...first.slice(3).map((last) => last + at)].join('.'),
    ),
  };
}
