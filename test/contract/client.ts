import { Agent, request } from 'undici';
import { withCookie } from '../support/rows/sessions.ts';

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below `/api/v1`, with its query. */
  readonly path: string;
  readonly key?: string | undefined;
  /** Value of the session cookie, sent as a page of the service sends it. */
  readonly session?: string | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is. */
  readonly text?: string;
  /** Sent as it is, as bytes of a file. */
  readonly file?: Uint8Array | undefined;
  /** Beside or instead of those that follow from the rest. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  /** Of an endless answer: nothing. */
  readonly text: string;
  readonly isJson: boolean;
  /** Of an error. */
  readonly code: string | undefined;
}

/** What a browser sends for a page of somebody else, and a request that does not say where it comes from. */
export const HOSTILE: readonly Readonly<Record<string, string>>[] = [
  { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' },
  { origin: 'null', 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' },
  { 'sec-fetch-site': 'none' },
  { 'sec-fetch-site': '' },
];

const agent = new Agent({ connections: 32, keepAliveTimeout: 60_000 });

/** One request over a kept-alive connection; of an endless answer the beginning. */
export async function send(url: string, call: Call): Promise<Answer> {
  const {
    method,
    path,
    key,
    session,
    body,
    file,
    text = body === undefined ? undefined : JSON.stringify(body),
  } = call;
  const response = await request(`${url}/api/v1${path}`, {
    dispatcher: agent,
    method,
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(session && withCookie(session)),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(file !== undefined && { 'content-type': 'application/octet-stream' }),
      ...call.headers,
    },
    ...(text !== undefined && { body: text }),
    ...(file !== undefined && { body: Buffer.from(file) }),
  });
  const status = response.statusCode;
  const type = String(response.headers['content-type']);
  if (/^(text\/event-stream|multipart\/)/.test(type)) {
    response.body.on('error', () => undefined).destroy();
    return { status, text: '', isJson: false, code: undefined };
  }
  const answer = await response.body.text();
  const isJson = type.startsWith('application/json');
  const code = isJson ? (JSON.parse(answer) as { error?: { code: string } }).error?.code : undefined;
  return { status, text: answer, isJson, code };
}
