import { Agent, request } from 'undici';

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below `/api/v1`, with its query. */
  readonly path: string;
  readonly key?: string | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
}

export interface Answer {
  readonly status: number;
  /** Of an event stream: nothing. */
  readonly text: string;
  /** Of an error. */
  readonly code: string | undefined;
}

const agent = new Agent({ connections: 32, keepAliveTimeout: 60_000 });

/** One request over a kept-alive connection; of an event stream the beginning. */
export async function send(url: string, { method, path, key, body }: Call): Promise<Answer> {
  const response = await request(`${url}/api/v1${path}`, {
    dispatcher: agent,
    method,
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (String(response.headers['content-type']).startsWith('text/event-stream')) {
    response.body.on('error', () => undefined).destroy();
    return { status: response.statusCode, text: '', code: undefined };
  }
  const text = await response.body.text();
  const isJson = String(response.headers['content-type']).startsWith('application/json');
  const code = isJson ? (JSON.parse(text) as { error?: { code: string } }).error?.code : undefined;
  return { status: response.statusCode, text, code };
}
