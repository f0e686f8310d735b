import type { Config } from '../config.ts';
import { canonicalHost, type NetworkPolicy } from '../platform/network/network-policy.ts';
import { CameraProxies, policyFor } from '../video/proxy/camera-proxies.ts';
import type { CameraProxy } from '../video/proxy/camera-proxy.ts';
import type { StreamPolicy } from './stream-url.ts';

const PORTS: Readonly<Record<string, number>> = {
  'postgresql:': 5432,
  'postgres:': 5432,
  'https:': 443,
  'http:': 80,
};

/** Where streams of users without networks of their own may lead. */
export function networkPolicy(config: Config): NetworkPolicy {
  return {
    networks: config.streamNetworks,
    allowedHosts: config.streamAllowHosts,
    refusesOldFfmpeg: config.nodeEnv === 'production' && !config.allowOldFfmpeg,
    ownHosts: Object.entries(config).flatMap(([name, value]) => ownHost(name, value)),
  };
}

/** What a stream address is held against before it is kept. @param networks of its user; empty: none of their own */
export const streamPolicy = (config: Config, networks: readonly string[]): StreamPolicy => ({
  mediaRoot: config.mediaRoot,
  network: policyFor(networkPolicy(config), networks),
});

/** Database, image storage, language model: every address in the configuration but the public one. */
function ownHost(name: string, value: unknown): { host: string; port: number }[] {
  if (!/(Url|Endpoint)$/.test(name) || name === 'publicUrl') return [];
  if (typeof value !== 'string' || !URL.canParse(value)) return [];
  const { protocol, hostname, port } = new URL(value);
  const host = canonicalHost(decodeURIComponent(hostname));
  return host === null ? [] : [{ host, port: Number(port || (PORTS[protocol] ?? 0)) }];
}

const cameraProxies = new WeakMap<Config, CameraProxies>();

/** The cameraProxy of this process for a user's streams. @param networks of the user; empty: none of their own */
export function cameraProxyFor(config: Config, networks: readonly string[]): CameraProxy {
  const known = cameraProxies.get(config) ?? new CameraProxies(networkPolicy(config));
  cameraProxies.set(config, known);
  return known.of(networks);
}
