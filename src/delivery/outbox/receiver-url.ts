import ipaddr from 'ipaddr.js';
import { hostOf, isPublicAddress } from '../../platform/network/network-policy.ts';

const OPENED = 'the operator allows hosts of the own network with WEBHOOK_ALLOW_HOSTS';

/**
 * Checks the address of a webhook. Every delivery checks again where the host name leads.
 * @param allowedHosts names and addresses that the operator allows, also without TLS
 * @returns the end of a sentence about the fault; null when the address is allowed
 */
export function faultInReceiverUrl(text: string, allowedHosts: readonly string[]): string | null {
  if (/[\s\p{Cc}]/u.test(text)) return 'must hold no spaces and no control characters';
  const url = URL.canParse(text) ? new URL(text) : null;
  const host = hostOf(url?.hostname ?? '');
  const isAllowed = allowedHosts.includes(host);
  if (url?.protocol === 'http:' && !isAllowed)
    return 'must be an https:// address; http:// is only for hosts that the operator names in WEBHOOK_ALLOW_HOSTS';
  if (!url || !/^https?:$/.test(url.protocol)) return 'must be an https:// address';
  if (url.username !== '' || url.password !== '')
    return 'may hold no user and password: check our signature instead';
  if (isAllowed) return null;
  if (/(^|\.)(localhost|local|internal|localdomain|home\.arpa)$/.test(host))
    return `may not lead to ${host}: ${OPENED}`;
  const isLiteral = ipaddr.isValid(host);
  if (isLiteral && !isPublicAddress(host))
    return `may not lead to ${host}: it is no address of the public internet; ${OPENED}`;
  if (!isLiteral && !host.includes('.'))
    return `must name a host of the public internet, like hooks.example.com; ${OPENED}`;
  return null;
}
