import type { z } from 'zod';
import type { Context } from '../platform/context.ts';
import type { Tx } from '../platform/database/db.ts';
import type { ErrorCode } from './errors.ts';
import type { Page, PagingShape } from './paging.ts';
import type { Access, Caller, Scope } from './permission.ts';

export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete';

/** What a handler is given: everything is validated, the caller is known and has the route's scope. */
export interface RouteInput<Params, Query, Body, Who = Caller, Data = never> {
  readonly context: Context;
  /** Null exactly where the route's scope is null. */
  readonly caller: Who;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Of an event stream: where its client left off, as it says. */
  readonly lastEventId?: string | undefined;
  /** Aborted when the request ran out of time or its client went away; of an event stream, when it is to end. */
  readonly signal: AbortSignal;
  /**
   * Of a route with `idempotency`: the last step of the transaction that creates. It keeps the answer for whoever
   * repeats the call, so that a process that dies right after the commit makes nobody create a second time. The answer
   * that the handler returns may be a later one.
   */
  readonly keepAnswer: (tx: Tx, data: Data) => Promise<void>;
}

/** Data together with fields that belong into the envelope's `meta`. */
export class WithMeta<Data> {
  readonly data: Data;
  readonly meta: { readonly computeNodeId?: string };

  constructor(data: Data, meta: { readonly computeNodeId?: string }) {
    this.data = data;
    this.meta = meta;
  }
}

/** What a route with `produces` answers: bytes instead of an envelope. */
export class Binary {
  readonly bytes: Uint8Array;
  /** How long the client (no proxy) may keep it; 0: not at all. */
  readonly maxAgeSeconds: number;

  constructor(bytes: Uint8Array, { maxAgeSeconds = 0 }: { maxAgeSeconds?: number } = {}) {
    this.bytes = bytes;
    this.maxAgeSeconds = maxAgeSeconds;
  }
}

/** One server-sent event. */
export interface ServerEvent {
  /** Sent back as Last-Event-ID by a client that connects again. */
  readonly id?: string | undefined;
  readonly type: string;
  /** Sent as JSON. */
  readonly data: unknown;
}

/** What a field of a CSV can be, and a line of it. */
export type Cell = string | number | boolean | null | undefined;
export type CsvRow = Readonly<Record<string, Cell>>;

interface Shapes {
  readonly response?: z.ZodType | undefined;
  readonly paging?: PagingShape | undefined;
  readonly produces?: string | undefined;
  readonly events?: z.ZodType | undefined;
}

type Handled<S extends Shapes> = S['produces'] extends string
  ? Binary
  : S['events'] extends z.ZodType
    ? AsyncIterable<z.input<S['events']> & ServerEvent>
    : S['response'] extends z.ZodType
      ? S['paging'] extends PagingShape
        ? Page<z.input<S['response']>>
        : z.input<S['response']> | WithMeta<z.input<S['response']>>
      : // biome-ignore lint/suspicious/noConfusingVoidType: it stands inside the Promise a handler returns
        void;

/** One endpoint: all there is to know about it is here. */
interface RouteSpec<Params, Query, Body, Response, Paging, Produces, Events, Open> {
  readonly method: Method;
  /** Below `/api/v1`, parameters in braces: `/scenes/{id}`. */
  readonly path: string;
  /** What the key must be allowed to do; any one of several. Null: no key at all; then requests are limited by address. */
  readonly scope: Open;
  /** A few words for the documentation. */
  readonly summary: string;
  readonly description?: string;
  /** Of success; 200 unless told, 204 without a response. */
  readonly status?: 200 | 201 | 202;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Of `data`; of one item where the route is paged. None: 204. */
  readonly response?: Response;
  /** Instead of a response: the media type of the bytes; the handler returns a Binary. */
  readonly produces?: Produces;
  /** Instead of a response: server-sent events, each `{ id?, type, data }` of this schema; the handler returns an async iterable of them. */
  readonly events?: Events;
  /** A list: the handler returns a Page, the query has `page` and `limit`. */
  readonly paging?: Paging;
  /** A paged list without envelope: `{ data, pagination }`. */
  readonly bare?: true;
  /** A limit of its own beside that of all requests, shared by all API processes. */
  readonly limit?: 'search';
  /**
   * The route creates, and takes an Idempotency-Key: a call that is repeated is answered again. By whom it may be
   * repeated: any API key of the user, or only the one that made the first call, where the answer holds an API key.
   */
  readonly idempotency?: 'user' | 'key';
  /** Errors beyond those every route can give. */
  readonly errors?: readonly ErrorCode[];
}

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
/** What a handler answers, as JSON. */
type Data<Schema> = Schema extends z.ZodType ? z.input<Schema> | WithMeta<z.input<Schema>> : never;

/** A route as the kit handles it. */
export interface Route
  extends RouteSpec<
    z.ZodType,
    z.ZodType,
    z.ZodType,
    z.ZodType | undefined,
    PagingShape | undefined,
    string | undefined,
    z.ZodType | undefined,
    Access
  > {
  handler(input: RouteInput<unknown, unknown, unknown, Caller | null, unknown>): Promise<unknown>;
  csv?(input: RouteInput<unknown, unknown, unknown, Caller | null, unknown>): AsyncIterable<CsvRow>;
}

/** Declares an endpoint; the handler's types follow from its schemas. */
export function route<
  Params extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Response extends z.ZodType | undefined = undefined,
  Paging extends PagingShape | undefined = undefined,
  Produces extends string | undefined = undefined,
  Events extends z.ZodType | undefined = undefined,
  Open extends Access = Scope,
>(
  spec: RouteSpec<Params, Query, Body, Response, Paging, Produces, Events, Open> & {
    handler(
      input: RouteInput<
        Output<Params>,
        Output<Query>,
        Output<Body>,
        Open extends null ? null : Caller,
        Data<Response>
      >,
    ): Promise<Handled<{ response: Response; paging: Paging; produces: Produces; events: Events }>>;
    /** Of a list: all its items, not a page of them, for who asks with `Accept: text/csv`; the response's fields are the columns. */
    csv?(
      input: RouteInput<Output<Params>, Output<Query>, Output<Body>, Open extends null ? null : Caller>,
    ): AsyncIterable<Response extends z.ZodType ? z.input<Response> : never>;
  },
): Route {
  return spec as unknown as Route;
}
