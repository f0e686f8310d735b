import { canonicalHost } from '../../platform/network/network-policy.ts';
import { StreamError } from '../stream-error.ts';
import type { StreamAddress } from '../stream-url.ts';

const PORTS = { rtsp: 554, rtsps: 322, rtmp: 1935, http: 80, https: 443, file: 0, sim: 0 } as const;

/** Where the address of a stream leads. */
export interface StreamTarget {
  /** The address with http or https as its scheme. */
  readonly url: URL;
  /** Canonical; empty if there is none. */
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

/** `URL` leaves out the default port of HTTP, which is not the default of RTSP. */
function portOf(input: string, url: URL): number | null {
  if (url.port !== '') return Number(url.port);
  const written = /^[a-z]+:\/\/[^/?#\\]*:(\d+)(?:[/?#\\]|$)/.exec(input)?.[1];
  return written === undefined ? null : Number(written);
}
