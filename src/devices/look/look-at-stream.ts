import { existsSync } from 'node:fs';
import { faultWords } from '../../vision/frames/gate/connection-faults.ts';
import { type NetworkGuard, RefusedAddress } from '../../vision/frames/gate/network-guard.ts';
import { streamTarget } from '../../vision/frames/gate/stream-target.ts';
import { explainFault } from '../../vision/frames/stream-faults.ts';
import { parseStreamUrl, type StreamAddress } from '../../vision/frames/stream-url.ts';
import { loginOf } from './answer-challenge.ts';
import { askHttp } from './ask-http.ts';
import { describeRtsp } from './describe-rtsp.ts';
import { openSocket } from './open-socket.ts';

/**
 * Whether a camera is there, at the cost of one small question: RTSP DESCRIBE, the headers of HTTP, a connection to
 * RTMP. No ffmpeg is started and no picture sent.
 * @returns one sentence without credentials that says why not; null when it is
 */
export async function lookAtStream(
  url: string,
  { guard, timeoutMs }: { guard: NetworkGuard; timeoutMs: number },
): Promise<string | null> {
  const address = parseStreamUrl(url);
  if (address.scheme === 'sim') return null;
  if (address.scheme === 'file') {
    return existsSync(address.input.slice('file:'.length)) ? null : explainFault(address, 'no such file');
  }
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const fault = await ask(address, guard, signal);
    return fault === null ? null : explainFault(address, fault);
  } catch (error) {
    if (error instanceof RefusedAddress) return `${address.shown} ${error.message}.`;
    return explainFault(address, signal.aborted ? 'timed out' : faultWords(error));
  }
}

async function ask(address: StreamAddress, guard: NetworkGuard, signal: AbortSignal): Promise<string | null> {
  const { scheme, input } = address;
  const { url, host, port } = streamTarget(address);
  const login = loginOf(input);
  if (scheme === 'http' || scheme === 'https') return askHttp(guard, url, { login, signal });
  const checked = await guard.resolve(host, port);
  const tlsHost = scheme === 'rtsps' ? host : null;
  const socket = await openSocket({ address: checked.address, port, tlsHost, signal });
  try {
    if (scheme === 'rtmp') return null;
    const uri = input.replace(/^([a-z]+:\/\/)[^/?#]*@/, '$1');
    return await describeRtsp(socket, uri, login);
  } finally {
    socket.destroy();
  }
}
