import { randomUUID } from 'node:crypto';

/** The API gives up a call sooner, with an answer that says so. */
const LIMIT_MS = 120_000;

/** A client of our HTTP API for the demo, the benches and the chaos parts. It does what any client can do. */
export class ApiClient {
  readonly #baseUrl: string;
  readonly #key: string;

  /** @param baseUrl e.g. `http://127.0.0.1:8080`; @param key an API key */
  constructor(baseUrl: string, key: string) {
    this.#baseUrl = baseUrl;
    this.#key = key;
  }

  get<T>(path: string): Promise<T> {
    return this.#call<T>('GET', path);
  }

  /** Repeats a call once when its connection breaks. With the Idempotency-Key the API creates only once. */
  async post<T>(path: string, body: unknown): Promise<T> {
    const key = randomUUID();
    try {
      return await this.#call<T>('POST', path, body, key);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return this.#call<T>('POST', path, body, key);
    }
  }

  patch<T>(path: string, body: unknown): Promise<T> {
    return this.#call<T>('PATCH', path, body);
  }

  /** @returns `data` of the envelope. @throws ApiCallError with the API's own code and message */
  async #call<T>(method: string, path: string, body?: unknown, idempotencyKey?: string): Promise<T> {
    const response = await fetch(`${this.#baseUrl}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(LIMIT_MS),
    }).catch((error: Error) => {
      if (error.name !== 'TimeoutError') throw error;
      throw new Error(`${method} ${path} was not answered within ${LIMIT_MS / 1000} s.`);
    });
    const envelope = (await response.json()) as {
      data?: T;
      message?: string;
      error?: { code: string; details?: { path: string; message: string }[] };
    };
    if (response.ok) return envelope.data as T;
    const details = envelope.error?.details?.map((d) => `${d.path}: ${d.message}`).join('; ');
    throw new ApiCallError(
      envelope.error?.code ?? `HTTP_${response.status}`,
      [`${method} ${path}: ${envelope.message ?? response.status}`, details].filter(Boolean).join(' — '),
    );
  }
}

export class ApiCallError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(`${message} (${code})`);
    this.code = code;
  }
}
