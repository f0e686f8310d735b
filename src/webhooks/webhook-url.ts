import ipaddr from 'ipaddr.js';

/** Public by number, inner by use: Azure's host of metadata and names; documentation of IPv6. */
const INNER = ['168.63.129.16/32', '3fff::/20'].map((range) => ipaddr.parseCIDR(range));

/**
 * Whether an address is one of the public internet. Anything else (private, loopback, link-local with the metadata
 * services, mapped and translated spellings of them, multicast, …) could lead back into the operator's own network.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  // All that is handed out so far; outside lie old spellings of IPv4 such as ::127.0.0.1.
  const isGlobal = parsed instanceof ipaddr.IPv4 || parsed.match(ipaddr.IPv6.parse('2000::'), 3);
  return (
    isGlobal &&
    parsed.range() === 'unicast' &&
    !INNER.some(([range, bits]) => parsed.kind() === range.kind() && parsed.match(range, bits))
  );
}

/**
 * What a webhook's address may look like; where its name leads is looked up again at every delivery.
 * @param allowedHosts names and addresses that the operator opened
 * @returns one sentence that says what is wrong with it; null when nothing is
 */
export function faultInWebhookUrl(text: string, allowedHosts: readonly string[]): string | null {
  if (/[\s\p{Cc}]/u.test(text)) return 'must hold no spaces and no control characters';
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:') return 'must be an https:// address';
  if (url.username !== '' || url.password !== '')
    return 'may hold no user and password: check our signature instead';
  const host = hostOf(url.hostname);
  if (allowedHosts.includes(host)) return null;
  if (/(^|\.)(localhost|local|internal|localdomain|home\.arpa)$/.test(host)) return `may not lead to ${host}`;
  const isLiteral = ipaddr.isValid(host);
  if (isLiteral && !isPublicAddress(host))
    return `may not lead to ${host}: it is no address of the public internet`;
  if (!isLiteral && !host.includes('.'))
    return 'must name a host of the public internet, like hooks.example.com';
  return null;
}

/** As the connection will use it: `0x7f.1` is 127.0.0.1 by now; without brackets and the last dot. */
export const hostOf = (hostname: string): string =>
  hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
