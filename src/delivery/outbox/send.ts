import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent, request } from 'node:https';
import { ForbiddenAddressError, guardedLookup, type Resolve } from '../../platform/network/address-guard.ts';
import { hostOf } from '../../platform/network/network-policy.ts';
import { trust } from '../../platform/network/trust.ts';
import { faultInReceiverUrl } from './receiver-url.ts';

/** Only so many bytes of an answer are read. */
const MAX_ANSWER_BYTES = 20_000;
const IDLE_CONNECTION_MS = 30_000;

export interface SenderOptions {
  /** Names and addresses that the operator allows. */
  readonly allowedHosts: readonly string[];
  /** PEM file with certificates that are trusted in addition to the public authorities. */
  readonly caFile?: string | undefined;
  /** Resolves names that the operator has not allowed. */
  readonly resolve?: Resolve;
}

export interface Outgoing {
  readonly url: string;
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  /** Covers everything: name lookup, connection, request and the whole answer. */
  readonly timeoutMs: number;
}

/** The result of a request. */
export interface Answer {
  readonly httpStatusCode: number | null;
  /** The first 20,000 bytes of the answer. */
  readonly responseBody: string | null;
  readonly responseTimeMs: number;
  readonly retryAfter: string | null;
  /** One sentence that says why no complete answer came; null when one came, whatever its status. */
  readonly errorMessage: string | null;
}

/** The part of an answer that has arrived. */
interface Arriving {
  status: number | null;
  retryAfter: string | null;
  chunks: Buffer[];
  bytes: number;
}

/** Sends deliveries, only to public or allowed addresses, to the latter also without TLS. It follows no redirect. */
export class Sender {
  readonly #agent: Agent;
  readonly #plainAgent: PlainAgent;
  readonly #allowedHosts: readonly string[];

  /** @throws Error when the certificate file cannot be read */
  constructor({ allowedHosts, caFile, resolve }: SenderOptions) {
    this.#allowedHosts = allowedHosts;
    const options = {
      keepAlive: true,
      timeout: IDLE_CONNECTION_MS,
      lookup: guardedLookup(allowedHosts, resolve),
    };
    this.#plainAgent = new PlainAgent(options);
    this.#agent = new Agent({
      ...options,
      // One secure context for all connections. With the option `ca` the agent would parse all authorities for each
      // connection and use their whole text as the key of its connection pool.
      secureContext: trust({ path: caFile, variable: 'WEBHOOK_CA_FILE' }),
    });
  }

  /** Rejects only with the reason of `signal`. */
  async send(outgoing: Outgoing, signal?: AbortSignal): Promise<Answer> {
    const startedAt = performance.now();
    const arriving: Arriving = { status: null, retryAfter: null, chunks: [], bytes: 0 };
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), outgoing.timeoutMs);
    const end = () => deadline.abort();
    signal?.addEventListener('abort', end, { once: true });
    let errorMessage = faultInReceiverUrl(outgoing.url, this.#allowedHosts);
    try {
      if (errorMessage === null) await this.#post(outgoing, arriving, deadline.signal);
      else errorMessage = `url: ${errorMessage}`;
    } catch (error) {
      signal?.throwIfAborted();
      errorMessage = deadline.signal.aborted ? late(outgoing, arriving) : sentence(error, outgoing.url);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    }
    const { status, retryAfter, chunks } = arriving;
    return {
      httpStatusCode: status,
      responseBody: status === null ? null : textOf(chunks),
      responseTimeMs: Math.round(performance.now() - startedAt),
      retryAfter,
      errorMessage,
    };
  }

  close(): void {
    this.#agent.destroy();
    this.#plainAgent.destroy();
  }

  #post(outgoing: Outgoing, arriving: Arriving, signal: AbortSignal): Promise<void> {
    const { url, headers, body } = outgoing;
    return new Promise((resolve, reject) => {
      const isPlain = /^http:/i.test(url);
      const posted = (isPlain ? plainRequest : request)(url, {
        method: 'POST',
        agent: isPlain ? this.#plainAgent : this.#agent,
        headers: { 'User-Agent': 'video-analytics-webhook/1', ...headers, 'Content-Length': body.byteLength },
        signal,
      });
      posted.on('response', (response) => receive(response, arriving).then(resolve, reject));
      posted.on('error', (error: NodeJS.ErrnoException) => {
        // The receiver closed an idle connection just as it was used again, so the request is repeated on a new one.
        const isStale = posted.reusedSocket && error.code === 'ECONNRESET' && arriving.status === null;
        if (isStale && !signal.aborted) this.#post(outgoing, arriving, signal).then(resolve, reject);
        else reject(error);
      });
      posted.end(body);
    });
  }
}

/** Reads an answer to its end, or up to the limit. */
function receive(response: IncomingMessage, arriving: Arriving): Promise<void> {
  arriving.status = response.statusCode ?? null;
  arriving.retryAfter = response.headers['retry-after'] ?? null;
  return new Promise((resolve, reject) => {
    response.on('data', (chunk: Buffer) => {
      arriving.chunks.push(chunk.subarray(0, MAX_ANSWER_BYTES - arriving.bytes));
      arriving.bytes += chunk.length;
      if (arriving.bytes < MAX_ANSWER_BYTES) return;
      resolve();
      response.destroy();
    });
    response.on('end', resolve);
    response.on('error', reject);
    response.on('close', () => reject(new Error('The answer broke off.')));
  });
}

/** PostgreSQL text cannot contain NUL. */
const textOf = (chunks: readonly Buffer[]): string =>
  Buffer.concat(chunks).toString('utf8').replaceAll('\0', '\u{fffd}');

const late = ({ timeoutMs }: Outgoing, { status }: Arriving): string =>
  status === null
    ? `No answer within ${timeoutMs} ms (timeoutMs).`
    : `The answer was not complete within ${timeoutMs} ms (timeoutMs).`;

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The receiver refuses the connection.',
  ECONNRESET: 'The receiver closed the connection without an answer.',
  EHOSTUNREACH: 'The receiver cannot be reached.',
  ENETUNREACH: 'The receiver cannot be reached.',
  ETIMEDOUT: 'The receiver cannot be reached.',
  EPIPE: 'The receiver closed the connection without an answer.',
  ECANCELLED: 'The name server does not answer.',
  ESERVFAIL: 'The name server fails.',
  EAI_AGAIN: 'The name server does not answer.',
};
const UNKNOWN_NAME = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/** @param error its message may reveal internal addresses, so only its code is used */
function sentence(error: unknown, url: string): string {
  if (error instanceof ForbiddenAddressError) return error.message;
  const { code = '' } = error as NodeJS.ErrnoException;
  if (UNKNOWN_NAME.has(code)) return `No address is known of ${hostOf(new URL(url).hostname)}.`;
  if (/CERT|SIGNATURE|ISSUER|ALTNAME/.test(code))
    return `The receiver’s certificate is not trusted (${code}).`;
  if (/^(ERR_SSL|EPROTO)/.test(code)) return `The receiver speaks no TLS that we know (${code}).`;
  if (code.startsWith('HPE_')) return `The receiver’s answer is no HTTP (${code}).`;
  return SENTENCES[code] ?? `The delivery broke off${code && ` (${code})`}.`;
}
