import type { z } from 'zod';
import type { Context } from '../platform/context.ts';
import type { Tx } from '../platform/database/db.ts';
import type { ErrorCode } from './errors.ts';
import type { FileAnswer } from './file-answer.ts';
import type { Page, PagingShape } from './paging.ts';
import type { Part } from './part.ts';
import type { Access, Caller, Scope } from './permission.ts';
import type { Upload, UploadSpec } from './request/upload.ts';
import type { CookieName } from './session/cookies.ts';

export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete';

/** The client of a request, for calls that begin or end a session. */
export interface Client {
  /** Network address; null if the connection is closed. */
  readonly address: string | null;
  readonly userAgent: string | null;
  /** The cookie that marks a browser in which somebody has signed in before. */
  readonly device: string | undefined;
  /** Sets a cookie of the answer; null removes it. */
  setCookie(name: CookieName, value: string | null): void;
  /** Sets the session cookie of the request again, so that the browser keeps it longer. */
  keepSession(): void;
}

/** The input of a handler: validated, from an authenticated caller with the scope of the route. */
export interface RouteInput<Params, Query, Body, Who = Caller, Data = never> {
  readonly context: Context;
  /** Null if and only if the scope of the route is null. */
  readonly caller: Who;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** For routes with `upload`: the body as a stream. @throws Error for other routes */
  readonly upload: Upload;
  /** For event streams: the Last-Event-ID that the client sent. */
  readonly lastEventId?: string | undefined;
  readonly client: Client;
  /** Aborted when the request times out or the client disconnects; for endless answers, when the answer must end. */
  readonly signal: AbortSignal;
  /**
   * For routes with `idempotency`: the last step of the transaction that creates. It stores the answer for repetitions
   * of the call, so that nothing is created twice if the process dies right after the commit. The handler may return a
   * newer answer.
   */
  readonly keepAnswer: (tx: Tx, data: Data) => Promise<void>;
}

/** Data together with fields for `meta` of the envelope. */
export class WithMeta<Data> {
  readonly data: Data;
  readonly meta: { readonly computeNodeId?: string };

  constructor(data: Data, meta: { readonly computeNodeId?: string }) {
    this.data = data;
    this.meta = meta;
  }
}

interface BinaryOptions {
  /** How long the client, but no proxy, may cache it; 0 for not at all. */
  readonly maxAgeSeconds?: number;
  /** Headers that describe the bytes; the route lists their names in `headers`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The answer of a route with `produces`: bytes instead of an envelope. */
export class Binary {
  readonly bytes: Uint8Array;
  readonly maxAgeSeconds: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(bytes: Uint8Array, { maxAgeSeconds = 0, headers = {} }: BinaryOptions = {}) {
    this.bytes = bytes;
    this.maxAgeSeconds = maxAgeSeconds;
    this.headers = headers;
  }
}

/** The `produces` of a route whose answer has no end: each part replaces the one before. */
export const PARTS = 'multipart/x-mixed-replace';

/** One server-sent event. */
export interface ServerEvent {
  /** A client sends it as Last-Event-ID when it reconnects. */
  readonly id?: string | undefined;
  readonly type: string;
  /** Sent as JSON. */
  readonly data: unknown;
}

/** A field of a CSV row, and a row. */
export type Cell = string | number | boolean | null | undefined;
export type CsvRow = Readonly<Record<string, Cell>>;

interface Shapes {
  readonly response?: z.ZodType | undefined;
  readonly paging?: PagingShape | undefined;
  readonly produces?: string | undefined;
  readonly events?: z.ZodType | undefined;
}

type Handled<S extends Shapes> = S['produces'] extends string
  ? S['produces'] extends typeof PARTS
    ? AsyncIterable<Part>
    : Binary | FileAnswer
  : S['events'] extends z.ZodType
    ? AsyncIterable<z.input<S['events']> & ServerEvent>
    : S['response'] extends z.ZodType
      ? S['paging'] extends PagingShape
        ? Page<z.input<S['response']>>
        : z.input<S['response']> | WithMeta<z.input<S['response']>>
      : // biome-ignore lint/suspicious/noConfusingVoidType: it stands inside the Promise a handler returns
        void;

/** The declaration of one endpoint. */
interface RouteSpec<Params, Query, Body, Response, Paging, Produces, Events, Open, CsvEntry> {
  /** The operationId, a method name of generated clients: a verb and what it acts on, for example `listScenes`. Never changes. */
  readonly name: string;
  readonly method: Method;
  /** Path below `/api/v1`, with parameters in braces: `/scenes/{id}`. */
  readonly path: string;
  /** Required scope, or any one of several. Null for no authentication; requests are then limited by address. */
  readonly scope: Open;
  /** Short text for the documentation. */
  readonly summary: string;
  readonly description?: string;
  /** Status of a successful answer; default 200, or 204 without a response. */
  readonly status?: 200 | 201 | 202;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Instead of `body`: the body is a file, which the handler reads as a stream. The limits of a JSON body do not apply. */
  readonly upload?: UploadSpec;
  /** Schema of `data`, or of one item if the route is paged. Without it the status is 204. */
  readonly response?: Response;
  /** Instead of `response`: the media type of the bytes; the handler returns a Binary or a FileAnswer. For `PARTS` an async iterable of parts. */
  readonly produces?: Produces;
  /** Instead of `response`: schema of the server-sent events; the handler returns an async iterable of them. */
  readonly events?: Events;
  /** For lists: the handler returns a Page, and the query has `page` and `limit`. */
  readonly paging?: Paging;
  /** Schema of a row of the CSV, for routes whose `response` is not an entry of a list. */
  readonly csvRow?: CsvEntry | undefined;
  /** For paged lists without envelope: `{ data, pagination }`. */
  readonly bare?: true;
  /** An additional rate limit, shared by all API processes. */
  readonly limit?: 'search' | 'probe';
  /**
   * The route begins a session: it sets a cookie. Browsers may call it from our pages only, and failures count as failed
   * authentications of the network address.
   */
  readonly signsIn?: true;
  /**
   * The route creates something and accepts an Idempotency-Key: a repeated call gets the first answer again. `user`: any
   * API key of the user may repeat it. `key`: only the API key or session of the first call, because the answer contains
   * an API key or code.
   */
  readonly idempotency?: 'user' | 'key';
  /** Headers of the answer in addition to those of every route, documented in `openapi/prose.ts`. */
  readonly headers?: readonly 'X-Captured-At'[];
  /** Errors in addition to those of every route. */
  readonly errors?: readonly ErrorCode[];
}

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
/** The result of a handler. */
type Data<Schema> = Schema extends z.ZodType ? z.input<Schema> | WithMeta<z.input<Schema>> : never;

/** A route without the types of its handler. */
export interface Route
  extends RouteSpec<
    z.ZodType,
    z.ZodType,
    z.ZodType,
    z.ZodType | undefined,
    PagingShape | undefined,
    string | undefined,
    z.ZodType | undefined,
    Access,
    z.ZodType | undefined
  > {
  handler(input: RouteInput<unknown, unknown, unknown, Caller | null, unknown>): Promise<unknown>;
  csv?(input: RouteInput<unknown, unknown, unknown, Caller | null, unknown>): AsyncIterable<CsvRow>;
  html?(input: RouteInput<unknown, unknown, unknown, Caller | null, unknown>): Promise<string>;
}

/** The answer of the route has no end of its own. */
export const isEndless = ({ events, produces }: Pick<Route, 'events' | 'produces'>): boolean =>
  events !== undefined || produces === PARTS;

/** Declares an endpoint; the types of the handler follow from the schemas. */
export function route<
  Params extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Response extends z.ZodType | undefined = undefined,
  Paging extends PagingShape | undefined = undefined,
  Produces extends string | undefined = undefined,
  Events extends z.ZodType | undefined = undefined,
  Open extends Access = Scope,
  CsvEntry extends z.ZodType | undefined = undefined,
>(
  spec: RouteSpec<Params, Query, Body, Response, Paging, Produces, Events, Open, CsvEntry> & {
    handler(
      input: RouteInput<
        Output<Params>,
        Output<Query>,
        Output<Body>,
        Open extends null ? null : Caller,
        Data<Response>
      >,
    ): Promise<Handled<{ response: Response; paging: Paging; produces: Produces; events: Events }>>;
    /** For requests with `Accept: text/csv`: all items of all pages. The columns are the fields of `csvRow` or `response`. */
    csv?(
      input: RouteInput<Output<Params>, Output<Query>, Output<Body>, Open extends null ? null : Caller>,
    ): AsyncIterable<
      CsvEntry extends z.ZodType ? z.input<CsvEntry> : Response extends z.ZodType ? z.input<Response> : never
    >;
    /** For requests with `Accept: text/html`: a document that loads nothing and runs no script. */
    html?(
      input: RouteInput<Output<Params>, Output<Query>, Output<Body>, Open extends null ? null : Caller>,
    ): Promise<string>;
  },
): Route {
  return spec as unknown as Route;
}
