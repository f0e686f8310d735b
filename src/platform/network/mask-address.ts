/**
 * Masks camera addresses for responses, messages and logs. Cameras accept passwords in every part of an address: before the
 * host, in the query, in the path (`/user=admin_password=X_channel=1.sdp`, `/live/STREAMKEY`). So everything is masked
 * except what is known to be harmless: scheme, host, port, and words and numbers that select a stream.
 */

/** Words in the addresses of camera makers. */
const WORDS = new Set(
  `live stream streams streaming channel channels chn ch main sub av video videos media medias input mediainput cam
  camera cameras monitor real realmonitor onvif profile axis cgi bin track id trackid unicast ucast multicast mcast play
  playlist index hls dash rtsp rtmp http sdp default primary secondary first second third image img snapshot low high hd
  sd mpeg mpegts mjpeg mjpg jpeg jpg h hevc avc preview psia isapi tcp udp bcs test demo m u ts mp flv mkv webm asp php
  html htm nphmpeg nph`.split(/\s+/),
);

/** Query parameters whose values select a stream and are no secrets. */
const PARAMETERS = new Set(
  `channel channels ch chn camera cam camid subtype stream streamtype substream profile resolution res size width height
  fps framerate codec videocodec quality compression unicast multicast proto transport transportmode audio video seed
  start`.split(/\s+/),
);

const ADDRESS = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi;
const PARTS = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/i;
const HIDDEN = '***';

/** Masks every address in `text`, and the values of parameters that look secret outside addresses. */
export function redactUrl(text: string): string {
  return text
    .replace(ADDRESS, (found) => {
      const address = found.replace(/[:.,;)\]]*$/, '');
      return maskAddress(address) + found.slice(address.length);
    })
    .replace(
      /([?&;](?:[\w-]*(?:token|key|password|passwd|pwd|pass|secret|auth|sig|signature)[\w-]*|user(?:name)?)=)[^&\s;'"]+/gi,
      `$1${HIDDEN}`,
    );
}

function maskAddress(address: string): string {
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] = PARTS.exec(address) ?? [];
  if (scheme.toLowerCase() === 'file') return `file:${path.slice(path.lastIndexOf('/') + 1)}`;
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  // With an @ further on, or a port that is no number, the password may contain the character that ended the host.
  const isUnclear =
    `${path}${query}${fragment}`.includes('@') || !/^(?:\[[\da-f:.%]+\]|[^:[\]]+)(?::\d{1,5})?$/i.test(host);
  if (isUnclear) return `${scheme}://${HIDDEN}`;
  const login = authority.includes('@') ? `${HIDDEN}:${HIDDEN}@` : '';
  return `${scheme}://${login}${host}${maskPath(path)}${maskQuery(query)}${fragment && `#${HIDDEN}`}`;
}

const maskPath = (path: string): string =>
  path
    .split('/')
    .map((segment) => (isHarmlessSegment(segment) ? segment : HIDDEN))
    .join('/');

/** `Channels`, `101`, `h264Preview_01_main`, `stream1.m3u8`; not `1234`, which may be a PIN. */
function isHarmlessSegment(segment: string): boolean {
  if (/^\d*$/.test(segment)) return segment.length <= 3;
  if (!/^[\w.-]+$/.test(segment)) return false;
  const words = segment.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? [];
  return words.every((word) => (/^\d/.test(word) ? word.length <= 4 : WORDS.has(word.toLowerCase())));
}

function maskQuery(query: string): string {
  if (query === '') return '';
  const parts = query.slice(1).split(/([&;])/);
  return `?${parts.map((part) => (/^[&;]$/.test(part) ? part : maskParameter(part))).join('')}`;
}

function maskParameter(parameter: string): string {
  const [, name = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(parameter) ?? [];
  if (PARAMETERS.has(name.toLowerCase()) && (value === undefined || /^[\w.-]{0,12}$/.test(value)))
    return parameter;
  if (value === undefined) return HIDDEN;
  // A parameter keeps its name only if that looks like a name.
  return /^[A-Za-z_-]{1,30}$/.test(name) ? `${name}=${HIDDEN}` : HIDDEN;
}
