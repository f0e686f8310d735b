import type { z } from 'zod';
import type { Context } from '../platform/context.ts';
import type { Tx } from '../platform/database/db.ts';
import type { ErrorCode } from './errors.ts';
import type { FileAnswer } from './file-answer.ts';
import type { Page, PagingShape } from './paging.ts';
import type { Part } from './part.ts';
import type { Access, Caller } from './permission.ts';
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
export interface RouteInput {
  readonly context: Context;
  /** Null if and only if the scope of the route is null. */
  readonly caller: Caller | null;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
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
  keepAnswer(tx: Tx, data: unknown): Promise<void>;
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

/** The declaration of one endpoint. */
export interface RouteSpec {
  /** The operationId, a method name of generated clients: a verb and what it acts on, for example `listScenes`. Never changes. */
  readonly name: string;
  readonly method: Method;
  /** Path below `/api/v1`, with parameters in braces: `/scenes/{id}`. */
  readonly path: string;
  /** Required scope, or any one of several. Null for no authentication; requests are then limited by address. */
  readonly scope: Access;
  /** Short text for the documentation. */
  readonly summary: string;
  readonly description?: string;
  /** Status of a successful answer; default 200, or 204 without a response. */
  readonly status?: 200 | 201 | 202;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Instead of `body`: the body is a file, which the handler reads as a stream. The limits of a JSON body do not apply. */
  readonly upload?: UploadSpec;
  /** Schema of `data`, or of one item if the route is paged. Without it the status is 204. */
  readonly response?: z.ZodType | undefined;
  /** Instead of `response`: the media type of the bytes; the handler returns a Binary or a FileAnswer. For `PARTS` an async iterable of parts. */
  readonly produces?: string;
  /** Instead of `response`: schema of the server-sent events; the handler returns an async iterable of them. */
  readonly events?: z.ZodType;
  /** For lists: the handler returns a Page, and the query has `page` and `limit`. */
  readonly paging?: PagingShape | undefined;
  /** Schema of a row of the CSV, for routes whose `response` is not an entry of a list. */
  readonly csvRow?: z.ZodType | undefined;
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
  /**
   * With `orNothing` in its query the handler may return null: 204, where browsers would write an error to the console.
   * `signedOut`: who sends neither a key nor a session gets 204, and the handler is not called.
   */
  readonly orNothing?: true | 'signedOut';
  /** Headers of the answer in addition to those of every route, documented in `openapi/prose.ts`. */
  readonly headers?: readonly 'X-Captured-At'[];
  /** Errors in addition to those of every route. */
  readonly errors?: readonly ErrorCode[];
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type Given<Schema> = Schema extends z.ZodType ? z.input<Schema> : never;

type CallerOf<Spec extends RouteSpec> = null extends Spec['scope']
  ? Spec['scope'] extends null
    ? null
    : Caller | null
  : Caller;

/** The input with the types that follow from the declaration. */
interface Typed<Spec extends RouteSpec> {
  readonly caller: CallerOf<Spec>;
  readonly params: Parsed<Spec['params']>;
  readonly query: Parsed<Spec['query']>;
  readonly body: Parsed<Spec['body']>;
  keepAnswer(tx: Tx, data: DataOf<Spec>): Promise<void>;
}
type InputOf<Spec extends RouteSpec> = Omit<RouteInput, keyof Typed<Spec>> & Typed<Spec>;

/** `data` of the envelope. */
type DataOf<Spec extends RouteSpec> = Given<Spec['response']> | WithMeta<Given<Spec['response']>>;

/** What a handler returns. */
type AnswerOf<Spec extends RouteSpec> = Spec['produces'] extends string
  ? Spec['produces'] extends typeof PARTS
    ? AsyncIterable<Part>
    : Binary | FileAnswer
  : Spec['events'] extends z.ZodType
    ? AsyncIterable<Given<Spec['events']> & ServerEvent>
    : Spec['response'] extends z.ZodType
      ? Spec['paging'] extends PagingShape
        ? Page<Given<Spec['response']>>
        : DataOf<Spec>
      : // biome-ignore lint/suspicious/noConfusingVoidType: it stands inside the Promise a handler returns
        void;

/** What a row of the CSV is. */
type RowOf<Spec extends RouteSpec> = Spec['csvRow'] extends z.ZodType
  ? Given<Spec['csvRow']>
  : Given<Spec['response']>;

interface Handlers<Spec extends RouteSpec> {
  handler(input: InputOf<Spec>): Promise<AnswerOf<Spec> | (Spec['orNothing'] extends true ? null : never)>;
  /** For requests with `Accept: text/csv`: all items of all pages. The columns are the fields of `csvRow` or `response`. */
  csv?(input: InputOf<Spec>): AsyncIterable<RowOf<Spec> & CsvRow>;
  /** For requests with `Accept: text/html`: a document that loads nothing and runs no script. */
  html?(input: InputOf<Spec>): Promise<string>;
}

/** Refuses properties that a route does not have: they would be misspelt. */
type Known<Spec> = {
  readonly [Name in Exclude<keyof Spec, keyof RouteSpec | keyof Handlers<RouteSpec>>]: never;
};

/** A route without the types of its handler. */
export interface Route extends RouteSpec {
  handler(input: RouteInput): Promise<unknown>;
  csv?(input: RouteInput): AsyncIterable<CsvRow>;
  html?(input: RouteInput): Promise<string>;
}

/** The answer of the route has no end of its own. */
export const isEndless = ({ events, produces }: Pick<Route, 'events' | 'produces'>): boolean =>
  events !== undefined || produces === PARTS;

/** Declares an endpoint; the types of its handlers follow from the schemas. */
export const route = <const Spec extends RouteSpec>(spec: Spec & Known<Spec>) => ({
  /** @param answer the handler, or with it those of other formats */
  answers(answer: Handlers<Spec> | Handlers<Spec>['handler']): Route {
    return typeof answer === 'function' ? { ...spec, handler: answer } : { ...spec, ...answer };
  },
});
