import type { Config } from '../config.ts';
import { canonicalHost, type NetworkPolicy } from '../vision/frames/gate/network-policy.ts';
import { StreamGate } from '../vision/frames/gate/stream-gate.ts';
import type { StreamPolicy } from './stream-url.ts';

const PORTS: Readonly<Record<string, number>> = {
  'postgresql:': 5432,
  'postgres:': 5432,
  'https:': 443,
  'http:': 80,
};

/** Where streams may lead on this installation. */
export function networkPolicy(config: Config): NetworkPolicy {
  return {
    networks: config.streamNetworks,
    allowedHosts: config.streamAllowHosts,
    ownHosts: Object.entries(config).flatMap(([name, value]) => ownHost(name, value)),
  };
}

/** What a stream address is held against before it is kept. */
export const streamPolicy = (config: Config): StreamPolicy => ({
  mediaRoot: config.mediaRoot,
  network: networkPolicy(config),
});

/** Database, image storage, language model: every address in the configuration but the public one. */
function ownHost(name: string, value: unknown): { host: string; port: number }[] {
  if (!/(Url|Endpoint)$/.test(name) || name === 'publicUrl') return [];
  if (typeof value !== 'string' || !URL.canParse(value)) return [];
  const { protocol, hostname, port } = new URL(value);
  const host = canonicalHost(decodeURIComponent(hostname));
  return host === null ? [] : [{ host, port: Number(port || (PORTS[protocol] ?? 0)) }];
}

const gates = new WeakMap<Config, StreamGate>();

/** The gate of this process; one is enough. */
export function streamGate(config: Config): StreamGate {
  const known = gates.get(config);
  if (known) return known;
  const gate = new StreamGate(networkPolicy(config));
  gates.set(config, gate);
  return gate;
}
