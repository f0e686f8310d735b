import createFetchClient, { type ClientOptions } from 'openapi-fetch';
import type { components, paths } from './generated/schema.ts';

export type { components, operations, paths } from './generated/schema.ts';

/** A resource of the API by the name of its schema, for example `Resource<'Scene'>`. */
export type Resource<Name extends keyof components['schemas']> = components['schemas'][Name];

export interface ApiOptions extends Omit<ClientOptions, 'baseUrl' | 'headers'> {
  /** Address of the service without `/api/v1`, for example `https://video.example.com`. In a web page of the service: `.` */
  readonly url: string;
  /** An API key. A web page needs none: the browser sends the cookie of its session. */
  readonly apiKey?: string;
}

/**
 * A client of the API. Each call is named by its path, and its parameters, body and answer are checked by the compiler:
 * `await api.GET('/scenes/{id}', { params: { path: { id } } })` gives `{ data, error, response }`.
 */
export function createApi({ url, apiKey, ...options }: ApiOptions) {
  return createFetchClient<paths>({
    ...options,
    baseUrl: `${url.replace(/\/+$/, '')}/api/v1`,
    ...(apiKey !== undefined && { headers: { Authorization: `Bearer ${apiKey}` } }),
  });
}

export type Api = ReturnType<typeof createApi>;

/** What `openapi-fetch` gives for a call. */
interface Called<Body> {
  readonly data?: Body;
  readonly error?: Resource<'Error'>;
  readonly response: Response;
}

/**
 * The answer of a call.
 * @throws ApiFailure when the API answered with an error; TypeError when it cannot be reached
 */
export async function answerOf<Body>(call: Promise<Called<Body>>): Promise<Body> {
  const { data, error, response } = await call;
  if (response.ok) return data as Body;
  throw new ApiFailure(response, error);
}

/**
 * The field `data` of the answer of a call.
 * @throws like answerOf
 */
export async function dataOf<Data>(call: Promise<Called<{ data: Data }>>): Promise<Data> {
  return (await answerOf(call)).data;
}

/** An error that the API answered, or that a proxy before it answered in its own form. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly status: number;
  /** The code of the API, for example `NOT_FOUND`; `HTTP_502` for an answer that is not of the API. */
  readonly code: string;
  /** What is wrong with which field of the request. */
  readonly details: NonNullable<Resource<'Error'>['error']['details']>;
  /** The id under which the service logged the request. */
  readonly requestId: string | null;
  /** When the client may repeat the call; null if the API does not say it. */
  readonly retryAfterSeconds: number | null;

  constructor(response: Response, body: Resource<'Error'> | undefined) {
    super(body?.message ?? `The service answered with status ${response.status}`);
    this.status = response.status;
    this.code = body?.error?.code ?? `HTTP_${response.status}`;
    this.details = body?.error?.details ?? [];
    this.requestId = body?.meta?.requestId ?? response.headers.get('X-Request-Id');
    const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : null;
  }
}
