import type { Config } from '../platform/config.ts';
import { canonicalHost, type NetworkPolicy } from '../platform/network/network-policy.ts';
import { policyFor } from '../video/proxy/camera-proxies.ts';
import type { StreamPolicy } from './stream-url.ts';

const PORTS: Readonly<Record<string, number>> = {
  'postgresql:': 5432,
  'postgres:': 5432,
  'https:': 443,
  'http:': 80,
};

/** Where camera streams may lead, for users without networks of their own. */
export function networkPolicy(config: Config): NetworkPolicy {
  const { databaseUrl, directDatabaseUrl, s3Endpoint, vlmUrl } = config;
  return {
    networks: config.streamNetworks,
    allowedHosts: config.streamAllowHosts,
    refusesOldFfmpeg: config.nodeEnv === 'production' && !config.allowOldFfmpeg,
    ownHosts: [databaseUrl, directDatabaseUrl, s3Endpoint, vlmUrl].flatMap(ownHost),
  };
}

/** The rules for a new stream address. @param networks of the user; empty if they have none of their own */
export const streamPolicy = (config: Config, networks: readonly string[]): StreamPolicy => ({
  mediaRoot: config.mediaRoot,
  network: policyFor(networkPolicy(config), networks),
});

function ownHost(address: string | undefined): { host: string; port: number }[] {
  if (address === undefined || !URL.canParse(address)) return [];
  const { protocol, hostname, port } = new URL(address);
  const host = canonicalHost(decodeURIComponent(hostname));
  return host === null ? [] : [{ host, port: Number(port || (PORTS[protocol] ?? 0)) }];
}
