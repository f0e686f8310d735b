import ipaddr from 'ipaddr.js';

/**
 * The network that limits per address count a client by: its address, or of an IPv6 address the first 64 bits, because
 * whoever has one such address usually has the whole network.
 * @param ip as Express gives it; undefined when the connection has gone
 */
export function clientNetwork(ip: string | undefined): string {
  if (!ip || !ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString()}/64`;
}
