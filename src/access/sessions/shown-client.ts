import ipaddr from 'ipaddr.js';

const LONGEST_USER_AGENT = 200;

/** The network address as a person knows it: IPv4 without the prefix that IPv6 sockets give it. */
export const shownAddress = (address: string | null | undefined): string | null =>
  address && ipaddr.isValid(address) ? ipaddr.process(address).toString().slice(0, 45) : null;

/** The program, printable and bounded; a client may send anything. */
export const shownUserAgent = (text: string | null | undefined): string | null =>
  text?.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, LONGEST_USER_AGENT) || null;
