import type { Config } from '../../platform/config.ts';
import { canonicalHost, type NetworkPolicy, type OwnHost } from '../../platform/network/network-policy.ts';
import { policyFor } from '../../video/proxy/camera-proxies.ts';
import type { StreamPolicy } from './stream-url.ts';

const PORTS: Readonly<Record<string, number>> = {
  'postgresql:': 5432,
  'postgres:': 5432,
  'https:': 443,
  'http:': 80,
};

/** Where camera streams may lead, for users without networks of their own. */
export function networkPolicy(config: Config): NetworkPolicy {
  const { databaseUrl, directDatabaseUrl, s3Endpoint, vlmUrl, smtpUrl, mqttUrl } = config;
  const { otelExporterOtlpEndpoint, otelExporterOtlpTracesEndpoint, metricsHost, metricsPort } = config;
  const addresses = [databaseUrl, directDatabaseUrl, s3Endpoint, vlmUrl];
  const collectors = [otelExporterOtlpEndpoint, otelExporterOtlpTracesEndpoint];
  const metrics = metricsPort === undefined ? undefined : { host: metricsHost, port: metricsPort };
  return {
    networks: config.streamNetworks,
    allowedHosts: config.streamAllowHosts,
    refusesOldFfmpeg: config.nodeEnv === 'production' && !config.allowOldFfmpeg,
    ownHosts: [
      ...[...addresses, ...collectors].flatMap(ofAddress),
      ...[smtpUrl, mqttUrl, metrics].flatMap(ofServer),
    ],
  };
}

/** The rules for a new stream address. @param networks of the user; empty if they have none of their own */
export const streamPolicy = (config: Config, networks: readonly string[]): StreamPolicy => ({
  mediaRoot: config.mediaRoot,
  network: policyFor(networkPolicy(config), networks),
});

function ofAddress(address: string | undefined): OwnHost[] {
  if (address === undefined || !URL.canParse(address)) return [];
  const { protocol, hostname, port } = new URL(address);
  return ofServer({ host: decodeURIComponent(hostname), port: Number(port || (PORTS[protocol] ?? 0)) });
}

function ofServer(server: OwnHost | null | undefined): OwnHost[] {
  if (!server) return [];
  const host = canonicalHost(server.host);
  return host === null ? [] : [{ host, port: server.port }];
}
