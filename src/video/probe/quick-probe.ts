import { existsSync } from 'node:fs';
import { faultWords } from '../../platform/network/connection-faults.ts';
import { loginOf } from '../../platform/network/credentials.ts';
import { type NetworkGuard, RefusedAddress } from '../../platform/network/network-guard.ts';
import { explainFault } from '../camera-fault.ts';
import type { StreamFault } from '../frame-source.ts';
import { streamTarget } from '../proxy/stream-target.ts';
import { parseStreamUrl, type StreamAddress } from '../stream-url.ts';
import type { Finding } from './finding.ts';
import { openSocket } from './open-socket.ts';
import { askHttp } from './probe-http.ts';
import { describeRtsp } from './probe-rtsp.ts';
import { playRtmp } from './rtmp/probe-rtmp.ts';

/** `unknown`: somebody is there, but nobody said that there is a video. */
export type QuickProbeResult =
  | { readonly onlineStatus: 'online' | 'unknown'; readonly fault: null }
  | { readonly onlineStatus: 'offline'; readonly fault: StreamFault };

const ONLINE: QuickProbeResult = { onlineStatus: 'online', fault: null };
const UNKNOWN: QuickProbeResult = { onlineStatus: 'unknown', fault: null };
const offline = (fault: StreamFault): QuickProbeResult => ({ onlineStatus: 'offline', fault });

/**
 * Whether a camera is there, at the cost of one small question: RTSP DESCRIBE, the headers and first bytes of HTTP (of
 * HLS those of its newest segment), the first that RTMP tells when it is asked to play. No ffmpeg is started and no picture sent.
 */
export async function quickProbe(
  url: string,
  { guard, timeoutMs }: { guard: NetworkGuard; timeoutMs: number },
): Promise<QuickProbeResult> {
  const address = parseStreamUrl(url);
  if (address.scheme === 'sim') return ONLINE;
  if (address.scheme === 'file') {
    return existsSync(address.input.slice('file:'.length))
      ? ONLINE
      : offline(explainFault(address, 'no such file'));
  }
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const seen = await ask(address, guard, signal);
    if (seen.what === 'fault') return offline(explainFault(address, seen.said));
    return seen.what === 'video' ? ONLINE : UNKNOWN;
  } catch (error) {
    if (error instanceof RefusedAddress)
      return offline({ reason: 'address_not_allowed', sentence: `${address.shown} ${error.message}.` });
    return offline(explainFault(address, signal.aborted ? 'timed out' : faultWords(error)));
  }
}

async function ask(address: StreamAddress, guard: NetworkGuard, signal: AbortSignal): Promise<Finding> {
  const { scheme, input } = address;
  const { url, host, port } = streamTarget(address);
  const login = loginOf(input);
  if (scheme === 'http' || scheme === 'https') return askHttp(guard, url, { login, signal });
  const checked = await guard.resolve(host, port);
  const tlsHost = scheme === 'rtsps' ? host : null;
  const socket = await openSocket({ address: checked.address, port, tlsHost, signal });
  try {
    if (scheme === 'rtmp') return await playRtmp(socket, url);
    const uri = input.replace(/^([a-z]+:\/\/)[^/?#]*@/, '$1');
    return await describeRtsp(socket, uri, login);
  } finally {
    socket.destroy();
  }
}
