import ipaddr from 'ipaddr.js';

/** A part of this service, or a server that it uses. */
export interface OwnHost {
  /** Canonical. */
  readonly host: string;
  readonly port: number;
}

/** Where camera streams may lead. */
export interface NetworkPolicy {
  /** `public`, `private`, `multicast`, `none` or networks like 10.1.0.0/16. */
  readonly networks: readonly string[];
  /** Host names and IP addresses that are always allowed. */
  readonly allowedHosts: readonly string[];
  /** What this service uses: database, image storage, model server, mail server and others. */
  readonly ownHosts: readonly OwnHost[];
  /** Whether an ffmpeg without security fixes may not read network streams. */
  readonly refusesOldFfmpeg?: boolean | undefined;
}

/** The ranges of each named network. Loopback, link-local and other special ranges are in none. */
const NAMED_RANGES = {
  public: ['unicast'],
  private: ['private', 'uniqueLocal', 'carrierGradeNat'],
  multicast: ['multicast'],
  none: [],
} as const;
export const RANGES: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(NAMED_RANGES));
/** Ranges that no network may include: this machine, its link, and IPv6 spellings of IPv4 addresses. */
const SPECIAL_RANGES: readonly string[] = [
  ...['loopback', 'linkLocal', 'unspecified', 'broadcast'],
  ...['ipv4Mapped', 'rfc6052', 'rfc6145', '6to4', 'teredo'],
];
const METADATA_NAMES = new Set(['metadata.google.internal', 'metadata.goog']);
/**
 * Metadata and name services of clouds outside the link-local range, addresses for documentation, and the multicast groups
 * of a local network.
 */
const INNER_NETWORKS = [
  '224.0.0.0/24',
  '100.100.100.200/32',
  '168.63.129.16/32',
  'fd00:ec2::/32',
  'fd20:ce::254/128',
  '3fff::/20',
] as const;

export const isNetwork = (text: string): boolean => RANGES.has(text) || ipaddr.isValidCIDR(text);

export const isSpecialRange = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  SPECIAL_RANGES.includes(address.range());

/** The host name of a parsed URL in lower case, without brackets and final dot. */
export const hostOf = (hostname: string): string =>
  hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();

/**
 * The host as the connection will use it: `0x7f.1` becomes 127.0.0.1. Without brackets and final dot.
 * @returns null if there is none
 */
export function canonicalHost(host: string): string | null {
  const bare = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
  const name = hostOf(bare);
  return name === '' ? null : name;
}

/**
 * Why a host is refused before its name is looked up.
 * @param host canonical
 * @returns the rest of a sentence; null if it is allowed so far
 */
export function faultInHost(host: string, policy: NetworkPolicy): string | null {
  if (policy.allowedHosts.includes(host)) return null;
  if (METADATA_NAMES.has(host)) return `may not lead to ${host}`;
  if (host === 'localhost' || host.endsWith('.localhost'))
    return `may not lead to ${host}: ${openedBy('loopback')}`;
  if (policy.ownHosts.some((own) => own.host === host))
    return `may not lead to ${host}: it is part of this service`;
  return ipaddr.isValid(host) ? faultInAddress(host, policy) : null;
}

/** Hosts of these ranges are named one by one, other ranges as networks. */
const openedBy = (range: string): string =>
  `${range} addresses are refused; ${
    SPECIAL_RANGES.includes(range)
      ? 'the operator allows a single host with STREAM_ALLOW_HOSTS'
      : 'the operator allows networks with STREAM_NETWORKS'
  }`;

/** Why an IP address is refused. @returns the rest of a sentence; null if it is allowed */
export function faultInAddress(address: string, { networks, allowedHosts }: NetworkPolicy): string | null {
  // A zone (`%eth0`) only selects the interface.
  const parsed = ipaddr.process(address.replace(/%.*$/, ''));
  const plain = parsed.toString();
  if (allowedHosts.includes(plain)) return null;
  if (INNER_NETWORKS.some((network) => isInNetwork(parsed, network))) return `may not lead to ${address}`;
  const range = parsed.range();
  const isGlobal = parsed instanceof ipaddr.IPv4 || parsed.match(ipaddr.IPv6.parse('2000::'), 3);
  // IPv6 addresses outside the global range may be old spellings of IPv4, such as ::127.0.0.1.
  const isOldSpelling = range === 'unicast' && !isGlobal;
  const isIn = (network: string) => RANGES.get(network)?.includes(range) ?? isInNetwork(parsed, network);
  if (!isOldSpelling && !isSpecialRange(parsed) && networks.some(isIn)) return null;
  const isNamable = [...NAMED_RANGES.public, ...NAMED_RANGES.private].some((name) => name === range);
  // Other addresses of this kind are allowed.
  if (!isOldSpelling && isNamable && networks.some((network) => !RANGES.has(network)))
    return `may not lead to ${address}: it lies in none of the networks that are allowed here`;
  return `may not lead to ${address}: ${isOldSpelling ? 'such addresses are refused' : openedBy(range)}`;
}

const PUBLIC: NetworkPolicy = { networks: ['public'], allowedHosts: [], ownHosts: [] };

/**
 * Whether an address belongs to the public internet. All others (private, loopback, link-local with the metadata services,
 * IPv6 spellings of them, multicast) could lead into the operator's own network.
 */
export const isPublicAddress = (address: string): boolean =>
  ipaddr.isValid(address) && faultInAddress(address, PUBLIC) === null;

function isInNetwork(address: ipaddr.IPv4 | ipaddr.IPv6, network: string): boolean {
  const [base, bits] = ipaddr.parseCIDR(network);
  return base.kind() === address.kind() && address.match(base, bits);
}
