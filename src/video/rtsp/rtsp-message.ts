import type { Socket } from 'node:net';
import { challengesIn } from '../../platform/network/credentials.ts';

export type RtspHeader = readonly [name: string, value: string];

/** A request or a reply. */
export interface RtspMessage {
  /** The request line or status line. */
  readonly first: string;
  readonly headers: readonly RtspHeader[];
  readonly body: Buffer;
}

/** The first header of this name. @param name in lower case */
export const headerOf = ({ headers }: Pick<RtspMessage, 'headers'>, name: string): string | undefined =>
  headers.find(([known]) => known.toLowerCase() === name)?.[1];

/** @returns null for a request */
export function statusOf({ first }: RtspMessage): { status: number; reason: string } | null {
  const [, status, reason = ''] = /^RTSP\/\d\.\d +(\d{3})\s*(.*)$/.exec(first) ?? [];
  return status === undefined ? null : { status: Number(status), reason };
}

/** The challenges of a reply with status 401. */
export const challengesOf = ({ headers }: RtspMessage): string[] =>
  headers.filter(([name]) => /^www-authenticate$/i.test(name)).flatMap(([, value]) => challengesIn(value));

/** Writes a request or a reply, with `Content-Length` where there is a body. */
export function writeMessage(
  socket: Socket,
  { first, headers, body }: Omit<RtspMessage, 'body'> & { body?: Buffer },
): void {
  const length: RtspHeader[] = body && body.length > 0 ? [['Content-Length', String(body.length)]] : [];
  const lines = [first, ...[...headers, ...length].map(([name, value]) => `${name}: ${value}`)];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  if (body && body.length > 0) socket.write(body);
}
