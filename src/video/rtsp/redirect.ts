import type { Socket } from 'node:net';
import { type Login, loginOf, withoutLogin } from '../../platform/network/credentials.ts';
import { type NetworkGuard, RefusedAddress } from '../../platform/network/network-guard.ts';
import { openSocket } from '../../platform/network/open-socket.ts';
import { streamTarget } from '../proxy/stream-target.ts';
import { StreamError } from '../stream-error.ts';
import { parseStreamUrl } from '../stream-url.ts';

/** Where an RTSP camera sends its readers on. */
export interface Redirected {
  readonly socket: Socket;
  /** Without a login. */
  readonly address: string;
  /** The IP address that was checked. */
  readonly checked: string;
  readonly login: Login | null;
}

export interface RedirectFrom {
  /** Without a login. */
  readonly address: string;
  readonly login: Login | null;
}

export const isRedirect = (status: number): boolean => status >= 300 && status < 400 && status !== 304;

/**
 * Connects to the address that a reply names, if streams may lead there. The login goes along only to the same host, and never
 * from TLS to a connection without it.
 * @param location header of the reply; undefined: it names none
 * @throws RefusedAddress, or an error of the connection
 */
export async function followRedirect(
  guard: NetworkGuard,
  { from, location }: { from: RedirectFrom; location: string | undefined },
  signal: AbortSignal,
): Promise<Redirected> {
  const to = parsed(location ?? '');
  const before = parsed(from.address);
  if (to.scheme !== 'rtsps' && (to.scheme !== 'rtsp' || before.scheme === 'rtsps'))
    throw new RefusedAddress('leads on to an address of another kind');
  const { address: checked } = await guard.resolve(to.host, to.port);
  const tlsName = to.scheme === 'rtsps' ? to.host : null;
  const socket = await openSocket({ address: checked, port: to.port, tlsName }, signal);
  const login = loginOf(to.input) ?? (to.host === before.host ? from.login : null);
  return { socket, checked, login, address: withoutLogin(to.input) };
}

function parsed(address: string) {
  try {
    if (/[\s\p{Cc}]/u.test(address)) throw new StreamError('no address');
    const stream = parseStreamUrl(address);
    return { ...stream, ...streamTarget(stream) };
  } catch {
    throw new RefusedAddress('leads on to something that is no address');
  }
}
