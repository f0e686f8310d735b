import ipaddr from 'ipaddr.js';

/** Where streams may lead; given to a lane as it is. */
export interface NetworkPolicy {
  /** `public`, `private`, `multicast`, `none` or networks such as 10.1.0.0/16. */
  readonly networks: readonly string[];
  /** Names and addresses allowed whatever they are. */
  readonly allowedHosts: readonly string[];
  /** The service's own parts: database, image storage, language model. */
  readonly ownHosts: readonly { readonly host: string; readonly port: number }[];
  /** An ffmpeg that is no longer mended reads no network stream. */
  readonly refusesOldFfmpeg?: boolean | undefined;
}

/** Private networks are where cameras live. Loopback, link-local, unspecified and all special ranges are in neither. */
export const RANGES: Readonly<Record<string, readonly string[]>> = {
  public: ['unicast'],
  private: ['private', 'uniqueLocal', 'carrierGradeNat'],
  /** Groups that cameras send to. */
  multicast: ['multicast'],
  none: [],
};
/** In no network that can be named: this machine, its link, and spellings of IPv4 that others translate. */
const SPECIAL_RANGES: readonly string[] = [
  ...['loopback', 'linkLocal', 'unspecified', 'broadcast'],
  ...['ipv4Mapped', 'rfc6052', 'rfc6145', '6to4', 'teredo'],
];
const METADATA_NAMES = new Set(['metadata.google.internal', 'metadata.goog']);
/**
 * A cloud's metadata and name services beyond the link-local range, what is only for documents, and the groups by which
 * machines of one network find one another.
 */
const INNER_NETWORKS = [
  '224.0.0.0/24',
  '100.100.100.200/32',
  '168.63.129.16/32',
  'fd00:ec2::/32',
  'fd20:ce::254/128',
  '3fff::/20',
] as const;

export const isNetwork = (text: string): boolean => Object.hasOwn(RANGES, text) || ipaddr.isValidCIDR(text);

export const isSpecialRange = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  SPECIAL_RANGES.includes(address.range());

/** The host name of a parsed URL in lower case, without brackets and without the last dot. */
export const hostOf = (hostname: string): string =>
  hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();

/**
 * The host of an address as the connection will use it: `0x7f.1` is 127.0.0.1 by then. Without brackets and last dot.
 * @returns null where there is none
 */
export function canonicalHost(host: string): string | null {
  const bare = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
  const name = hostOf(bare);
  return name === '' ? null : name;
}

/**
 * What is wrong with a host before its name is looked up.
 * @param host canonical
 * @returns one sentence's end; null when nothing is
 */
export function faultInHost(host: string, policy: NetworkPolicy): string | null {
  if (policy.allowedHosts.includes(host)) return null;
  if (host === 'localhost' || host.endsWith('.localhost') || METADATA_NAMES.has(host))
    return `may not lead to ${host}`;
  if (policy.ownHosts.some((own) => own.host === host))
    return `may not lead to ${host}: it is part of this service`;
  return ipaddr.isValid(host) ? faultInAddress(host, policy) : null;
}

/** The same of a number that a name was found to stand for. */
export function faultInAddress(address: string, { networks, allowedHosts }: NetworkPolicy): string | null {
  // A zone (`%eth0`) only says which way to go.
  const parsed = ipaddr.process(address.replace(/%.*$/, ''));
  const plain = parsed.toString();
  if (allowedHosts.includes(plain)) return null;
  if (INNER_NETWORKS.some((network) => isInNetwork(parsed, network))) return `may not lead to ${address}`;
  const range = parsed.range();
  const isGlobal = parsed instanceof ipaddr.IPv4 || parsed.match(ipaddr.IPv6.parse('2000::'), 3);
  // Outside what is handed out lie old spellings of IPv4, such as ::127.0.0.1.
  const isOldSpelling = range === 'unicast' && !isGlobal;
  const isIn = (network: string) =>
    Object.hasOwn(RANGES, network) ? RANGES[network]!.includes(range) : isInNetwork(parsed, network);
  if (!isOldSpelling && !isSpecialRange(parsed) && networks.some(isIn)) return null;
  const isNamable = RANGES.public!.includes(range) || RANGES.private!.includes(range);
  // Some of its kind are allowed.
  if (!isOldSpelling && isNamable && networks.some((network) => !Object.hasOwn(RANGES, network)))
    return `may not lead to ${address}: it lies in none of the networks that are allowed here`;
  return `may not lead to ${address}: ${isOldSpelling ? 'such' : range} addresses are refused`;
}

const PUBLIC: NetworkPolicy = { networks: ['public'], allowedHosts: [], ownHosts: [] };

/**
 * Whether an address is one of the public internet. Anything else (private, loopback, link-local with the metadata
 * services, mapped and translated spellings of them, multicast, …) could lead back into the operator's own network.
 */
export const isPublicAddress = (address: string): boolean =>
  ipaddr.isValid(address) && faultInAddress(address, PUBLIC) === null;

function isInNetwork(address: ipaddr.IPv4 | ipaddr.IPv6, network: string): boolean {
  const [base, bits] = ipaddr.parseCIDR(network);
  return base.kind() === address.kind() && address.match(base, bits);
}
