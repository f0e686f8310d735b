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
