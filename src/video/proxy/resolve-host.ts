import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { streamFault } from '../camera-fault.ts';
import type { FfmpegBinaries } from '../ffmpeg/ffmpeg-binaries.ts';
import type { StreamAddress } from '../stream-url.ts';

/** Scheme and credentials, then the host: a name, an IPv4 address or `[IPv6]`. */
const HOST = /^([a-z]+:\/\/(?:[^/?#]*@)?)(\[[^\]]*\]|[^/?#:]*)/;
const STATIC_BUILD_MAJOR = 4;

export type Lookup = (name: string) => Promise<{ address: string; family: number }>;

/**
 * Looks the host name up here instead of in ffmpeg: the static builds of npm crash when they do it themselves, and
 * what was looked up is what is connected to (IPv4 first: few cameras speak more). TLS needs the name where ffmpeg can look it up.
 * @returns the address with the host's number, and the name for HTTP's Host header
 * @throws StreamError when the name is not known
 */
export async function resolveHost(
  address: StreamAddress,
  binaries: FfmpegBinaries,
  find: Lookup = (name) => lookup(name, { verbatim: false }),
): Promise<StreamAddress> {
  const host = HOST.exec(address.input)?.[2] ?? '';
  const isTls = address.scheme === 'https' || address.scheme === 'rtsps';
  const leaveIt = isTls && binaries.ffmpeg.major > STATIC_BUILD_MAJOR;
  if (address.scheme === 'file' || host === '' || host.startsWith('[') || isIP(host) || leaveIt)
    return address;
  const found = await find(host).catch(() => null);
  if (!found) {
    throw streamFault(address, 'getaddrinfo');
  }
  const number = found.family === 6 ? `[${found.address}]` : found.address;
  return {
    ...address,
    input: address.input.replace(HOST, `$1${number}`),
    ...(address.scheme.startsWith('http') ? { hostHeader: new URL(address.input).host } : {}),
  };
}
