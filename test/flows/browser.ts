import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON; an empty object for an empty body. */
  readonly body: {
    // biome-ignore lint/suspicious/noExplicitAny: the tests know what each call answers
    readonly data?: any;
    readonly message?: string;
    readonly error?: { readonly code: string };
  };
}

export interface Sent {
  readonly method?: string;
  /** Below the address of the service. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is. */
  readonly text?: string;
  /** Instead of those that a browser sends; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

const agent = new Agent({ keepAlive: false });

/** A request with any headers, also Host, Origin and Cookie. @returns its answer, once the headers are there */
export function exchange(
  url: string,
  { method = 'GET', path, body, text, headers = {} }: Sent,
): Promise<IncomingMessage> {
  const bytes = body === undefined ? text : JSON.stringify(body);
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const given = Object.entries({ ...type, ...headers }).filter(([, value]) => value !== undefined);
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { method, agent, headers: Object.fromEntries(given) }, resolve);
    sent.on('error', reject);
    sent.end(bytes);
  });
}

export async function replyOf(response: IncomingMessage): Promise<Reply> {
  let text = '';
  for await (const chunk of response) text += String(chunk);
  const isJson = response.headers['content-type']?.startsWith('application/json');
  const { statusCode: status = 0, headers } = response;
  return { status, headers, text, body: isJson ? JSON.parse(text) : {} };
}

export interface Place {
  /** Where the server is. */
  readonly url: string;
  /** The address in the browser's address bar, if it differs. */
  readonly shown?: string;
  /** What a proxy adds to each request. */
  readonly added?: Readonly<Record<string, string>>;
  /** Whether the browser sends Sec-Fetch-Site, as it does on https and localhost. */
  readonly saysSite?: boolean;
}

/** A browser on a page of the service: it keeps cookies and sends the headers that browsers send. */
export class Browser {
  readonly cookies = new Map<string, string>();
  /** The Set-Cookie headers so far. */
  readonly received: string[] = [];
  readonly #place: Place;

  constructor(place: Place) {
    this.#place = place;
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** The headers of a request that a page of the service makes. */
  headers(method = 'GET'): Record<string, string> {
    const { url, shown = url, added = {}, saysSite = true } = this.#place;
    return {
      host: new URL(shown).host,
      'user-agent': 'Mozilla/5.0 (Test)',
      ...(this.cookies.size > 0 && { cookie: this.cookie }),
      ...(saysSite && { 'sec-fetch-site': 'same-origin' }),
      ...(method !== 'GET' && { origin: new URL(shown).origin }),
      ...added,
    };
  }

  async call(method: string, path: string, body?: unknown, headers: Sent['headers'] = {}): Promise<Reply> {
    const { url, shown = url } = this.#place;
    const sent = { method, path: `/api/v1${path}`, headers: { ...this.headers(method), ...headers } };
    const below = new URL(shown).pathname.replace(/\/$/, '');
    const reply = await replyOf(
      await exchange(url, { ...sent, path: `${below}${sent.path}`, ...(body !== undefined && { body }) }),
    );
    for (const line of reply.headers['set-cookie'] ?? []) this.#keep(line);
    return reply;
  }

  #keep(line: string): void {
    this.received.push(line);
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
    // What browsers demand of a name with this prefix.
    if (name!.startsWith('__Host-') && !/; Path=\/;.*Secure/.test(`${line};`))
      throw new Error(`A browser would refuse ${line}`);
    if (value === '') this.cookies.delete(name!);
    else this.cookies.set(name!, value!);
  }
}
