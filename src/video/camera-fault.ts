import { redactUrl } from '../platform/network/mask-address.ts';
import { RefusedAddress } from '../platform/network/network-guard.ts';
import { StreamError, type StreamFaultReason } from './stream-error.ts';
import type { StreamAddress } from './stream-url.ts';

interface Kind {
  readonly reason: StreamFaultReason;
  /** The rest of a sentence that begins with the address. */
  readonly sentence: string;
  /** What ffmpeg or ffprobe writes about it. */
  readonly log?: RegExp;
  readonly isUndecodable?: true;
}

/** Every kind of fault, finer than the reasons for programs. A log gets the first kind whose pattern matches. */
const KINDS = {
  wrong_credentials: {
    reason: 'wrong_credentials',
    sentence: 'asks for other credentials (401): check user and password in its address.',
    log: /(?<![:\d])401\b|unauthorized|authorization failed/i,
  },
  access_denied: {
    reason: 'access_denied',
    sentence: 'denies access (403): check the rights of the user in its address.',
    log: /(?<![:\d])403\b|forbidden/i,
  },
  connection_refused: {
    reason: 'connection_refused',
    sentence: 'refuses connections: check host and port, and that the camera is on.',
    log: /connection refused|error number -111/i,
  },
  unreachable: {
    reason: 'unreachable',
    sentence: 'cannot be reached from here: check its address and the network.',
    log: /no route to host|network is unreachable/i,
  },
  host_unknown: {
    reason: 'host_unknown',
    sentence: 'has a host name that is not known here: check its address.',
    log: /failed to resolve|name or service not known|name resolution|getaddrinfo/i,
  },
  no_such_stream: {
    reason: 'no_such_stream',
    sentence: 'does not exist: check the path of its address.',
    log: /(?<![:\d])404\b|no such file/i,
  },
  file_denied: {
    reason: 'access_denied',
    sentence: 'is a file that cannot be read: check its path and rights.',
    log: /permission denied|is a directory/i,
  },
  unpublished: {
    reason: 'timeout',
    sentence: 'has nobody who sends to it: check that the camera or encoder publishes there.',
  },
  timeout: {
    reason: 'timeout',
    sentence: 'does not answer in time: check its address and that the camera sends.',
    log: /timed out|timeout|immediate exit/i,
  },
  udp_timeout: {
    reason: 'timeout',
    sentence:
      'does not answer in time, or its packets do not arrive over UDP: check its address and the firewalls between, or leave transport= out.',
  },
  codec_not_allowed: {
    reason: 'unreadable',
    sentence: 'has a codec that is not read here: convert it to H.264, or let the camera send H.264.',
    log: /codec \([^)]*\) not on whitelist/i,
    isUndecodable: true,
  },
  address_not_allowed: {
    reason: 'address_not_allowed',
    sentence: 'points to a kind of address that is not allowed for it.',
    log: /not on whitelist/i,
  },
  tls_failed: {
    reason: 'tls_failed',
    sentence:
      'speaks no TLS that is known here: check port and scheme of its address (rtsp or rtsps, http or https).',
    log: /tls handshake failed/i,
  },
  transport_refused: {
    reason: 'unreadable',
    sentence:
      'does not send its packets in the way that transport= in its address asks for: allow it in the camera or leave it out.',
    log: /unsupported transport/i,
  },
  hung_up: {
    reason: 'broken_off',
    sentence: 'closes the connection without an answer: check host and port, or restart the camera.',
    log: /hung up/i,
  },
  moved_often: {
    reason: 'unreadable',
    sentence: 'leads on to another address, and that one too: use the last address itself.',
    log: /too many redirects/i,
  },
  too_many_viewers: {
    reason: 'too_many_viewers',
    sentence:
      'has too many viewers already (453): close other players and recorders, or allow more of them in the camera.',
    log: /(?<![:\d])453\b|not enough bandwidth/i,
  },
  server_error: {
    reason: 'server_error',
    sentence: 'answers with a server error: look at the camera or its server.',
    log: /server returned 5|\b50\d (?:internal|bad|service|gateway)/i,
  },
  request_refused: {
    reason: 'not_a_camera',
    sentence: 'refuses to be asked for a stream: check scheme, port and path of its address.',
    log: /server returned 4|\b4\d\d (?:bad|method|not acceptable)/i,
  },
  no_video: {
    reason: 'no_video',
    sentence: 'has no video that can be read.',
    log: /no video/i,
    isUndecodable: true,
  },
  /** Its sentence ends with a detail. */
  no_such_track: {
    reason: 'no_video',
    sentence: 'has no video track of this number; it has ',
    isUndecodable: true,
  },
  too_many_frames: {
    reason: 'unreadable',
    sentence: 'claims more frames than a file of its size can have.',
    isUndecodable: true,
  },
  too_much_memory: {
    reason: 'unreadable',
    sentence: 'needs more memory than a video may: send smaller frames.',
    log: /cannot allocate memory/i,
    isUndecodable: true,
  },
  no_index: {
    reason: 'unreadable',
    sentence: 'has no index: its recording was broken off before it was finished.',
  },
  not_a_video: {
    reason: 'not_a_camera',
    sentence: 'sends something that is not a video ffmpeg can read.',
    log: /invalid data|could not find codec|moov atom|no decoder|unknown format|misdetection/i,
    isUndecodable: true,
  },
  broken_off: {
    reason: 'broken_off',
    sentence: 'broke off while it was read.',
    log: /end of file|input\/output error|connection reset|broken pipe/i,
  },
  no_frame: {
    reason: 'unreadable',
    sentence: 'has no frame that can be decoded.',
    isUndecodable: true,
  },
  /** Its sentence ends with a detail. */
  unknown: { reason: 'unreadable', sentence: 'cannot be read: ' },
} as const satisfies Record<string, Kind>;
export type FaultKind = keyof typeof KINDS;

const BY_LOG = (Object.entries(KINDS) as [FaultKind, Kind][]).flatMap(([kind, { log }]) =>
  log ? [{ kind, log }] : [],
);

/** @param detail completes the sentence of `unknown` */
export function faultError(address: StreamAddress, kind: FaultKind, detail = ''): StreamError {
  const isUdp = address.transport !== undefined && address.transport !== 'tcp';
  // The camera may work while a firewall blocks its packets.
  const found: Kind = KINDS[kind === 'timeout' && isUdp ? 'udp_timeout' : kind];
  return new StreamError(
    `${address.shown} ${found.sentence}${detail}`,
    found.reason,
    found.isUndecodable ?? false,
    kind,
  );
}

/** @param log what ffmpeg or ffprobe wrote */
export function faultFromLog(address: StreamAddress, log: string): StreamError {
  // A port or path such as `/404` is no fault.
  const text = log.replaceAll(address.input, '').replaceAll(address.input.replace(/^file:/, ''), '');
  const found = BY_LOG.find(({ log }) => log.test(text));
  if (found) return faultError(address, found.kind);
  const lastLine =
    text
      .trim()
      .split('\n')
      .at(-1)
      ?.replace(/^[:\s]+/, '') ?? '';
  return faultError(address, 'unknown', redactUrl(lastLine) || 'ffmpeg gives no reason');
}

/** @param status of HTTP or RTSP, not a success; null where it says nothing about the kind of fault */
export function kindOfStatus(status: number): FaultKind | null {
  if (status === 401) return 'wrong_credentials';
  if (status === 403) return 'access_denied';
  if (status === 404) return 'no_such_stream';
  if (status === 453) return 'too_many_viewers';
  if (status >= 500) return 'server_error';
  return status >= 400 ? 'request_refused' : null;
}

const BY_CODE: Readonly<Record<string, FaultKind>> = {
  ECONNREFUSED: 'connection_refused',
  ETIMEDOUT: 'timeout',
  ABORT_ERR: 'timeout',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENOTFOUND: 'host_unknown',
  EAI_AGAIN: 'host_unknown',
};

/** Why a connection could not be made. */
function kindOfError(error: unknown): FaultKind {
  if (error instanceof RefusedAddress) return 'address_not_allowed';
  const { code, name } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError') return 'timeout';
  if (typeof code !== 'string') return 'broken_off';
  return /^(EPROTO$|ERR_SSL_)/.test(code) ? 'tls_failed' : (BY_CODE[code] ?? 'broken_off');
}

/** @param error of a connection to the camera */
export function faultFromError(address: StreamAddress, error: unknown): StreamError {
  if (error instanceof RefusedAddress)
    return new StreamError(`${address.shown} ${error.message}.`, 'address_not_allowed');
  return faultError(address, kindOfError(error));
}

/** The kinds of `kindOfError` in words that `faultFromLog` recognises when ffmpeg repeats them. Holds no address. */
const PHRASES: Partial<Record<FaultKind, string>> = {
  connection_refused: 'Connection refused',
  timeout: 'Connection timed out',
  unreachable: 'No route to host',
  host_unknown: 'Name or service not known',
  tls_failed: 'TLS handshake failed',
  address_not_allowed: 'Address not on whitelist',
};

/** Why a connection could not be made, as the status text of a reply to ffmpeg. */
export const faultPhrase = (error: unknown): string => PHRASES[kindOfError(error)] ?? 'Input/output error';
