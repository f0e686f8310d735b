import { existsSync } from 'node:fs';
import { loginOf, withoutLogin } from '../../platform/network/credentials.ts';
import { type NetworkGuard, RefusedAddress } from '../../platform/network/network-guard.ts';
import { openSocket } from '../../platform/network/open-socket.ts';
import { faultError, faultFromError } from '../camera-fault.ts';
import { streamTarget } from '../proxy/stream-target.ts';
import { followRedirect } from '../rtsp/redirect.ts';
import type { StreamError, StreamFault } from '../stream-error.ts';
import { parseStreamUrl, type StreamAddress } from '../stream-url.ts';
import { type Finding, fault } from './finding.ts';
import { probeHttp } from './probe-http.ts';
import { probeRtsp } from './probe-rtsp.ts';
import { probeRtmp } from './rtmp/probe-rtmp.ts';

/** `unknown`: a host answers, but does not say whether it has a video. */
export type QuickProbeResult =
  | { readonly onlineStatus: 'online' | 'unknown'; readonly fault: null }
  | { readonly onlineStatus: 'offline'; readonly fault: StreamFault };

const ONLINE: QuickProbeResult = { onlineStatus: 'online', fault: null };
const UNKNOWN: QuickProbeResult = { onlineStatus: 'unknown', fault: null };
const offline = ({ fault }: StreamError): QuickProbeResult => ({ onlineStatus: 'offline', fault });

/**
 * Whether a camera is online, by one small request and without ffmpeg: RTSP DESCRIBE, the headers and first bytes over HTTP
 * (of HLS those of the newest segment), and the first messages after RTMP `play`.
 */
export async function quickProbe(
  url: string,
  { guard, timeoutMs }: { guard: NetworkGuard; timeoutMs: number },
): Promise<QuickProbeResult> {
  const address = parseStreamUrl(url);
  if (address.scheme === 'sim') return ONLINE;
  if (address.scheme === 'file') {
    const exists = existsSync(address.input.slice('file:'.length));
    return exists ? ONLINE : offline(faultError(address, 'no_such_stream'));
  }
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const finding = await find(address, guard, signal);
    if (finding.what === 'fault') return offline(faultError(address, finding.kind, finding.detail));
    return finding.what === 'video' ? ONLINE : UNKNOWN;
  } catch (error) {
    const isLate = signal.aborted && !(error instanceof RefusedAddress);
    return offline(isLate ? faultError(address, 'timeout') : faultFromError(address, error));
  }
}

async function find(address: StreamAddress, guard: NetworkGuard, signal: AbortSignal): Promise<Finding> {
  const { scheme, input } = address;
  const { url, host, port } = streamTarget(address);
  const login = loginOf(input);
  if (scheme === 'http' || scheme === 'https') return probeHttp(guard, url, { login, signal });
  const checked = await guard.resolve(host, port);
  const tlsName = scheme === 'rtsps' ? host : null;
  const socket = await openSocket({ address: checked.address, port, tlsName }, signal);
  try {
    if (scheme === 'rtmp') return await probeRtmp(socket, url);
    const from = { address: withoutLogin(input), login };
    const found = await probeRtsp(socket, from.address, login);
    return found.what === 'moved'
      ? await probeMoved(guard, { from, location: found.location }, signal)
      : found;
  } finally {
    socket.destroy();
  }
}

/** One redirect is followed. */
async function probeMoved(
  guard: NetworkGuard,
  how: Parameters<typeof followRedirect>[1],
  signal: AbortSignal,
): Promise<Finding> {
  const { socket, address, login } = await followRedirect(guard, how, signal);
  try {
    const found = await probeRtsp(socket, address, login);
    return found.what === 'moved' ? fault('moved_often') : found;
  } finally {
    socket.destroy();
  }
}
