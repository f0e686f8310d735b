import { canonicalHost } from '../../platform/network/network-policy.ts';
import { StreamError } from '../stream-error.ts';
import type { StreamAddress } from '../stream-url.ts';

const PORTS = { rtsp: 554, rtsps: 322, rtmp: 1935, http: 80, https: 443, file: 0, sim: 0 } as const;

/** Where a stream's address leads, read as a web address whatever its scheme. */
export interface StreamTarget {
  /** http or https. */
  readonly url: URL;
  /** Canonical; empty where there is none. */
  readonly host: string;
  readonly port: number;
}

/** @throws StreamError when it is not an address */
export function streamTarget({ scheme, input, shown }: StreamAddress): StreamTarget {
  const web = input.replace(/^[a-z]+:/, scheme === 'https' ? 'https:' : 'http:');
  if (!URL.canParse(web)) throw new StreamError(`${shown} is not an address.`);
  const url = new URL(web);
  return { url, host: canonicalHost(url.hostname) ?? '', port: portOf(input, url) ?? PORTS[scheme] };
}

/** A port that is the default of HTTP is not one of RTSP, and `URL` leaves it out. */
function portOf(input: string, url: URL): number | null {
  if (url.port !== '') return Number(url.port);
  const written = /^[a-z]+:\/\/[^/?#\\]*:(\d+)(?:[/?#\\]|$)/.exec(input)?.[1];
  return written === undefined ? null : Number(written);
}
