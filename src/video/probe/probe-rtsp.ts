import type { Socket } from 'node:net';
import { answerChallenge, type Login } from '../../platform/network/credentials.ts';
import type { Finding } from './finding.ts';

const MAX_ANSWER_BYTES = 64 * 1024;

interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/**
 * Asks a camera what it would send (RTSP DESCRIBE), with a password where it wants one. Nothing is played.
 * @param uri without credentials
 */
export async function describeRtsp(socket: Socket, uri: string, login: Login | null): Promise<Finding> {
  let answer = await ask(socket, uri, { sequence: 1, authorization: null });
  if (answer.status === 401 && login) {
    const challenges = [...answer.head.matchAll(/^www-authenticate: *(.*)$/gim)].map(([, text]) =>
      text!.trim(),
    );
    const authorization = answerChallenge(challenges, login, { method: 'DESCRIBE', uri });
    if (authorization) answer = await ask(socket, uri, { sequence: 2, authorization });
  }
  if (answer.status === 0) return { what: 'fault', said: 'invalid data: not RTSP' };
  if (answer.status !== 200) return { what: 'fault', said: `server returned ${answer.status}` };
  return /^m=video/m.test(answer.body) ? { what: 'video' } : { what: 'fault', said: 'no video' };
}

async function ask(
  socket: Socket,
  uri: string,
  { sequence, authorization }: { sequence: number; authorization: string | null },
): Promise<Answer> {
  const lines = [`DESCRIBE ${uri} RTSP/1.0`, `CSeq: ${sequence}`, 'Accept: application/sdp'];
  if (authorization) lines.push(`Authorization: ${authorization}`);
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  let text = '';
  for await (const part of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    text += part.toString('latin1');
    const answer = whole(text);
    if (answer) return answer;
    if (text.length > MAX_ANSWER_BYTES) throw Object.assign(new Error('too long'), { code: 'EPIPE' });
  }
  throw Object.assign(new Error('the camera hung up'), { code: 'ECONNRESET' });
}

/** @returns null while something is missing */
function whole(text: string): Answer | null {
  const end = /\r?\n\r?\n/.exec(text);
  if (!end) return null;
  const head = text.slice(0, end.index);
  const body = text.slice(end.index + end[0].length);
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  const status = Number(/^RTSP\/\d\.\d +(\d{3})/i.exec(head)?.[1] ?? 0);
  return body.length < length ? null : { status, head, body };
}
