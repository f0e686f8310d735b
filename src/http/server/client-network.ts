import ipaddr from 'ipaddr.js';

/**
 * The network by which limits per address count a client: an IPv4 address, or the first 64 bits of an IPv6 address,
 * because the owner of one IPv6 address usually owns the whole /64 network.
 * @param ip from Express; undefined when the connection is closed
 */
export function clientNetwork(ip: string | undefined): string {
  if (!ip || !ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString()}/64`;
}

/** The network address as a person knows it: IPv4 without the prefix that IPv6 sockets give it. */
export const shownAddress = (address: string | null | undefined): string | null =>
  address && ipaddr.isValid(address) ? ipaddr.process(address).toString().slice(0, 45) : null;
