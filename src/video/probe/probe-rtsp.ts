import type { Socket } from 'node:net';
import { Credentials, type Login } from '../../platform/network/credentials.ts';
import { isRedirect } from '../rtsp/redirect.ts';
import {
  challengesOf,
  headerOf,
  type RtspHeader,
  type RtspMessage,
  statusOf,
  writeMessage,
} from '../rtsp/rtsp-message.ts';
import { NotRtspError, RtspReader } from '../rtsp/rtsp-reader.ts';
import { type Finding, fault, statusFault } from './finding.ts';

const METHOD = 'DESCRIBE';

/** The camera sends its readers on. */
interface Moved {
  readonly what: 'moved';
  readonly location: string | undefined;
}

/**
 * Sends DESCRIBE, with a login if the camera demands one. Plays nothing.
 * @param uri without credentials
 */
export async function probeRtsp(socket: Socket, uri: string, login: Login | null): Promise<Finding | Moved> {
  const credentials = new Credentials(login);
  for (let answered = 0; ; answered++) {
    const authorization = credentials.authorization({ method: METHOD, uri });
    const headers: RtspHeader[] = [
      ['CSeq', String(answered + 1)],
      ['Accept', 'application/sdp'],
      ...(authorization === null ? [] : [['Authorization', authorization] as const]),
    ];
    writeMessage(socket, { first: `${METHOD} ${uri} RTSP/1.0`, headers });
    const reply = await nextReply(socket);
    const status = reply && statusOf(reply)?.status;
    if (!reply || !status) return fault('not_a_video');
    if (status === 401 && credentials.challenged(challengesOf(reply), answered)) continue;
    if (isRedirect(status)) return { what: 'moved', location: headerOf(reply, 'location') };
    if (status !== 200) return statusFault(status);
    return /^m=video/m.test(reply.body.toString('latin1')) ? { what: 'video' } : fault('no_video');
  }
}

/** @returns null when the other side does not speak RTSP */
async function nextReply(socket: Socket): Promise<RtspMessage | null> {
  const replies: RtspMessage[] = [];
  const reader = new RtspReader({
    packets: () => undefined,
    message: (message) => {
      if (statusOf(message)) replies.push(message);
    },
  });
  try {
    for await (const part of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      reader.push(part);
      if (replies[0]) return replies[0];
    }
  } catch (error) {
    if (error instanceof NotRtspError) return null;
    throw error;
  }
  throw Object.assign(new Error('the camera closed the connection'), { code: 'ECONNRESET' });
}
