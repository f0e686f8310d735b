import ipaddr from 'ipaddr.js';
import { isSpecialRange, RANGES } from './network-policy.ts';

const MAX_NETWORKS = 50;

/**
 * Reads the networks that an operator names for a user: `public`, `private`, `multicast`, `none` or CIDR like 10.1.0.0/16.
 * @returns each network in its canonical spelling, or one sentence about the first fault
 */
export function parseNetworks(texts: readonly string[]): { networks: string[] } | { fault: string } {
  if (texts.length > MAX_NETWORKS)
    return { fault: `At most ${MAX_NETWORKS} networks can be named; received ${texts.length}.` };
  const networks: string[] = [];
  for (const text of texts) {
    const read = parseNetwork(text.trim().toLowerCase());
    if ('fault' in read) return { fault: `"${text.slice(0, 60)}" ${read.fault}.` };
    networks.push(read.network);
  }
  if (networks.includes('none') && networks.length > 1)
    return { fault: '"none" stands alone: it allows no network camera at all.' };
  return { networks: [...new Set(networks)] };
}

function parseNetwork(text: string): { network: string } | { fault: string } {
  if (RANGES.has(text)) return { network: text };
  // Plain decimal numbers only: the library reads `010.0.0.0` as 8.0.0.0.
  const isPlain = text.includes(':') || /^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}\/\d{1,3}$/.test(text);
  if (!isPlain || !ipaddr.isValidCIDR(text))
    return {
      fault: 'is neither public, private, multicast, none nor a network like 10.1.0.0/16 or fd12:3456::/48',
    };
  const [address, bits] = ipaddr.parseCIDR(text);
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress())
    return { fault: 'is an IPv4 network in the spelling of IPv6: write it like 10.1.0.0/16' };
  const first =
    address instanceof ipaddr.IPv4
      ? ipaddr.IPv4.networkAddressFromCIDR(text)
      : ipaddr.IPv6.networkAddressFromCIDR(text);
  const network = `${first.toString()}/${bits}`;
  if (first.toString() !== address.toString())
    return { fault: `names an address inside a network: for the network write ${network}` };
  if (bits > 0 && isSpecialRange(first))
    return {
      fault: `holds ${first.range()} addresses, which no user may name; STREAM_ALLOW_HOSTS opens a single host for all users`,
    };
  return { network };
}
