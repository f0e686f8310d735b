import type { Config } from '../../platform/config.ts';

/** The address at which people reach the service. */
export const addressOf = ({ publicUrl, host, port }: Pick<Config, 'host' | 'port' | 'publicUrl'>): string =>
  (publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`).replace(/\/$/, '');
