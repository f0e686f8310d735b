import { redactUrl } from '../platform/network/mask-address.ts';
import { StreamError, type StreamFault, type StreamFaultReason } from './frame-source.ts';
import type { StreamAddress } from './stream-url.ts';

/** Sentences' ends of streams that trying again will hardly mend. */
const NOT_A_VIDEO = 'sends something that is not a video ffmpeg can read.';
export const NO_FRAME = 'has no frame that can be decoded.';
export const NO_VIDEO = 'has no video that can be read.';

const NOTHING_BY_UDP =
  'does not answer in time, or its packets do not arrive over UDP: check its address and the firewalls between, or leave transport= out.';

export const isUndecodable = (sentence: string): boolean =>
  [NOT_A_VIDEO, NO_FRAME, NO_VIDEO].some((end) => sentence.endsWith(end));

/** What ffmpeg says → what that means for programs, and for the person who owns the camera. First match counts. */
const FAULTS: readonly (readonly [said: RegExp, reason: StreamFaultReason, sentence: string])[] = [
  [
    /(?<![:\d])401\b|unauthorized|authorization failed/i,
    'wrong_credentials',
    'asks for other credentials (401): check user and password in its address.',
  ],
  [
    /(?<![:\d])403\b|forbidden/i,
    'access_denied',
    'denies access (403): check the rights of the user in its address.',
  ],
  [
    /connection refused|error number -111/i,
    'connection_refused',
    'refuses connections: check host and port, and that the camera is on.',
  ],
  [
    /no route to host|network is unreachable/i,
    'unreachable',
    'cannot be reached from here: check its address and the network.',
  ],
  [
    /failed to resolve|name or service not known|name resolution|getaddrinfo/i,
    'host_unknown',
    'has a host name that is not known here: check its address.',
  ],
  [/(?<![:\d])404\b|no such file/i, 'no_such_stream', 'does not exist: check the path of its address.'],
  [
    /permission denied|is a directory/i,
    'access_denied',
    'is a file that cannot be read: check its path and rights.',
  ],
  [
    /nobody publishes/i,
    'timeout',
    'has nobody who sends to it: check that the camera or encoder publishes there.',
  ],
  [
    /timed out|timeout|immediate exit/i,
    'timeout',
    'does not answer in time: check its address and that the camera sends.',
  ],
  [
    /protocol not on whitelist|not on whitelist/i,
    'address_not_allowed',
    'points to a kind of address that is not allowed for it.',
  ],
  [
    /tls handshake failed/i,
    'tls_failed',
    'speaks no TLS that is known here: check port and scheme of its address (rtsp or rtsps, http or https).',
  ],
  [
    /unsupported transport/i,
    'unreadable',
    'does not send its packets in the way that transport= in its address asks for: allow it in the camera or leave it out.',
  ],
  [
    /server returned 5|\b50\d (?:internal|bad|service|gateway)/i,
    'server_error',
    'answers with a server error: look at the camera or its server.',
  ],
  [
    /server returned 4|\b4\d\d (?:bad|method|not acceptable)/i,
    'not_a_camera',
    'refuses to be asked for a stream: check scheme, port and path of its address.',
  ],
  [/no video/i, 'no_video', NO_VIDEO],
  [
    /invalid data|could not find codec|moov atom|no decoder|unknown format|misdetection/i,
    'not_a_camera',
    NOT_A_VIDEO,
  ],
  [
    /end of file|input\/output error|connection reset|broken pipe/i,
    'broken_off',
    'broke off while it was read.',
  ],
];

/**
 * Why a stream cannot be read, without credentials.
 * @param said what ffmpeg or ffprobe wrote
 */
export function explainFault(address: StreamAddress, said: string): StreamFault {
  const heard = withoutAddress(said, address);
  const found = FAULTS.find(([pattern]) => pattern.test(heard));
  // The camera may send well, and only the way be shut.
  if (found?.[1] === 'timeout' && address.transport !== undefined && address.transport !== 'tcp')
    return { reason: 'timeout', sentence: `${address.shown} ${NOTHING_BY_UDP}` };
  if (found) return { reason: found[1], sentence: `${address.shown} ${found[2]}` };
  const last =
    heard
      .trim()
      .split('\n')
      .at(-1)
      ?.replace(/^[:\s]+/, '') ?? '';
  const words = last === '' ? 'ffmpeg gives no reason' : redactUrl(last);
  return { reason: 'unreadable', sentence: `${address.shown} cannot be read: ${words}` };
}

/** The same as an error to throw. */
export function streamFault(address: StreamAddress, said: string): StreamError {
  const { reason, sentence } = explainFault(address, said);
  return new StreamError(sentence, reason);
}

/** A port or path such as `/404` is no fault. */
function withoutAddress(said: string, address: StreamAddress): string {
  return said.replaceAll(address.input, '').replaceAll(address.input.replace(/^file:/, ''), '');
}
