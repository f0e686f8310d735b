import ipaddr from 'ipaddr.js';
import { hostOf, isPublicAddress } from '../platform/network/network-policy.ts';

/**
 * Checks the address of a webhook. Every delivery checks again where the host name leads.
 * @param allowedHosts names and addresses that the operator allows
 * @returns the end of a sentence about the fault; null when the address is allowed
 */
export function faultInReceiverUrl(text: string, allowedHosts: readonly string[]): string | null {
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
