import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { faultError } from '../camera-fault.ts';
import type { FfmpegBinaries } from '../ffmpeg/ffmpeg-binaries.ts';
import type { StreamAddress } from '../stream-url.ts';

/** Scheme and credentials, then the host: a name, an IPv4 address or `[IPv6]`. */
const HOST = /^([a-z]+:\/\/(?:[^/?#]*@)?)(\[[^\]]*\]|[^/?#:]*)/;
const STATIC_BUILD_MAJOR = 4;

export type Lookup = (name: string) => Promise<{ address: string; family: number }>;

/**
 * Looks a host name up for ffmpeg, because the static builds of npm crash when they do it. IPv4 comes first, because few
 * cameras speak IPv6. With TLS a newer ffmpeg keeps the name, which it needs for the certificate.
 * @returns the address with the IP address of the host, and the name for the HTTP Host header
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
  if (!found) throw faultError(address, 'host_unknown');
  const number = found.family === 6 ? `[${found.address}]` : found.address;
  return {
    ...address,
    input: address.input.replace(HOST, `$1${number}`),
    ...(address.scheme.startsWith('http') ? { hostHeader: new URL(address.input).host } : {}),
  };
}
