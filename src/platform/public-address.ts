import type { Config } from './config.ts';

/** The address that clients use, without a slash at its end: PUBLIC_URL, or where the API listens. */
export const publicAddress = ({
  publicUrl,
  host,
  port,
}: Pick<Config, 'publicUrl' | 'host' | 'port'>): string =>
  publicUrl?.replace(/\/+$/, '') ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
