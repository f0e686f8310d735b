import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { createSecureContext, rootCertificates } from 'node:tls';
import { ForbiddenAddressError, guardedLookup, type Resolve } from '../platform/network/address-guard.ts';
import { hostOf } from '../platform/network/network-policy.ts';
import { faultInWebhookUrl } from './webhook-url.ts';

/** Of an answer; the rest is not read. */
const MAX_ANSWER_BYTES = 20_000;
const IDLE_CONNECTION_MS = 30_000;

export interface SenderOptions {
  /** Names and addresses that the operator opened. */
  readonly allowedHosts: readonly string[];
  /** PEM file of certificates trusted beside the public authorities. */
  readonly caFile?: string | undefined;
  /** How names that the operator did not open are found. */
  readonly resolve?: Resolve;
}

export interface Outgoing {
  readonly url: string;
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  /** For all of it: finding the name, connecting, sending and the whole answer. */
  readonly timeoutMs: number;
}

/** What became of a request. */
export interface Answer {
  readonly httpStatusCode: number | null;
  /** Its first 20,000 bytes. */
  readonly responseBody: string | null;
  readonly responseTimeMs: number;
  readonly retryAfter: string | null;
  /** Why no whole answer came, one sentence; null when one did, whatever it says. */
  readonly errorMessage: string | null;
}

/** An answer as far as it has come. */
interface Arriving {
  status: number | null;
  retryAfter: string | null;
  chunks: Buffer[];
  bytes: number;
}

/** Sends deliveries: https only, to public or opened addresses only, never further by a redirect. */
export class Sender {
  readonly #agent: Agent;
  readonly #allowedHosts: readonly string[];

  /** @throws Error when the file of certificates cannot be read */
  constructor({ allowedHosts, caFile, resolve }: SenderOptions) {
    this.#allowedHosts = allowedHosts;
    this.#agent = new Agent({
      keepAlive: true,
      timeout: IDLE_CONNECTION_MS,
      lookup: guardedLookup(allowedHosts, resolve),
      // Made once: an agent that is given `ca` reads all authorities again for each connection, and looks for a kept
      // one by the text of them all.
      secureContext: createSecureContext(
        caFile ? { ca: [...rootCertificates, readCertificates(caFile)] } : {},
      ),
    });
  }

  /** Never rejects, but with the reason of `signal`. */
  async send(outgoing: Outgoing, signal?: AbortSignal): Promise<Answer> {
    const startedAt = performance.now();
    const arriving: Arriving = { status: null, retryAfter: null, chunks: [], bytes: 0 };
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), outgoing.timeoutMs);
    const end = () => deadline.abort();
    signal?.addEventListener('abort', end, { once: true });
    let errorMessage = faultInWebhookUrl(outgoing.url, this.#allowedHosts);
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
  }

  #post(outgoing: Outgoing, arriving: Arriving, signal: AbortSignal): Promise<void> {
    const { url, headers, body } = outgoing;
    return new Promise((resolve, reject) => {
      const posted = request(url, {
        method: 'POST',
        agent: this.#agent,
        headers: { ...headers, 'Content-Length': body.byteLength, 'User-Agent': 'video-analytics-webhook/1' },
        signal,
      });
      posted.on('response', (response) => receive(response, arriving).then(resolve, reject));
      posted.on('error', (error: NodeJS.ErrnoException) => {
        // The receiver closed a kept connection just as it was used again: nobody's failure.
        const isStale = posted.reusedSocket && error.code === 'ECONNRESET' && arriving.status === null;
        if (isStale && !signal.aborted) this.#post(outgoing, arriving, signal).then(resolve, reject);
        else reject(error);
      });
      posted.end(body);
    });
  }
}

/** Reads an answer to its end, or as much of it as is kept. */
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

/** PostgreSQL keeps no NUL in a text. */
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

/** @param error of the connection; its words may tell inner addresses, so only its code is used */
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

function readCertificates(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new Error(`WEBHOOK_CA_FILE: ${file} cannot be read`);
  }
}
