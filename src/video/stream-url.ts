import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { redactUrl } from '../platform/network/mask-address.ts';
import { faultInWritten } from '../platform/network/written-address.ts';
import type { RtspTransport } from './proxy/rtsp/transport.ts';
import { StreamError } from './stream-error.ts';

export type Scheme = 'file' | 'rtsp' | 'rtsps' | 'rtmp' | 'http' | 'https' | 'sim';

export interface StreamAddress {
  readonly scheme: Scheme;
  /** ffmpeg's argument of `-i`: an address, or `file:` and an absolute path. */
  readonly input: string;
  /** For messages: the masked address; of a file only its name. */
  readonly shown: string;
  /** How an RTSP camera sends its packets; default `tcp`, within the connection. */
  readonly transport?: RtspTransport;
  /** HTTP: the host name, if `input` has an IP address instead. */
  readonly hostHeader?: string;
}

const NETWORK_SCHEMES: readonly Scheme[] = ['rtsp', 'rtsps', 'rtmp', 'http', 'https'];
const EXPLAINED = 'give rtsp://, rtsps://, rtmp://, http://, https://, sim: or a file';

/**
 * @param url address of a camera, `sim:…`, `file:…` or a plain path
 * @throws StreamError for everything else
 */
export function parseStreamUrl(url: string): StreamAddress {
  if (url === '' || url.includes('\0')) throw new StreamError(`The stream's address is empty; ${EXPLAINED}.`);
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined) return fileAddress(url);
  if (scheme === 'file')
    return fileAddress(/^file:\/\//i.test(url) ? pathOf(url) : url.slice('file:'.length));
  if (scheme === 'sim') return { scheme: 'sim', input: url, shown: url };
  if (!NETWORK_SCHEMES.includes(scheme as Scheme)) {
    throw new StreamError(`Streams of the kind "${scheme}:" are not read; ${EXPLAINED}.`);
  }
  if (!URL.canParse(url) || !/^[a-z]+:\/\/[^/?#]/i.test(url)) {
    const wrong = faultInWritten(url);
    if (wrong) throw new StreamError(`The stream's address ${wrong}.`);
    throw new StreamError(`"${redactUrl(url)}" is not an address; ${EXPLAINED}.`);
  }
  // ffmpeg accepts schemes only in lower case.
  const input = scheme + url.slice(scheme.length);
  const shown = redactUrl(input);
  const [, , transport] = scheme === 'rtsp' ? (TRANSPORT.exec(input) ?? []) : [];
  if (transport === undefined) return { scheme: scheme as Scheme, input, shown };
  // The camera does not get this parameter.
  const rest = input.replace(TRANSPORT, (_, lead: string, __, more?: string) => (more ? lead : ''));
  return { scheme: 'rtsp', input: rest, shown, transport: transport.toLowerCase() as RtspTransport };
}

/** Our own parameter of RTSP addresses. With another value the parameter belongs to the camera. */
const TRANSPORT = /([?&])transport=(tcp|udp|multicast)(?:(&)|(?=#|$))/i;

function pathOf(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    throw new StreamError(`"${url}" is not a file's address; write file:///path/to/video.mp4.`);
  }
}

function fileAddress(path: string): StreamAddress {
  const absolute = resolve(path);
  return { scheme: 'file', input: `file:${absolute}`, shown: basename(absolute) };
}
