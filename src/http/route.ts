import type { z } from 'zod';
import type { Context } from '../platform/context.ts';
import type { ErrorCode } from './errors.ts';
import type { Page, PagingShape } from './paging.ts';
import type { Caller, Scope } from './permission.ts';

export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete';

/** What a handler is given: everything is validated, the caller is known and has the route's scope. */
export interface RouteInput<Params, Query, Body> {
  readonly context: Context;
  readonly caller: Caller;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Aborted when the request ran out of time or its client went away. */
  readonly signal: AbortSignal;
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

type Handled<Response, Paging> = Response extends z.ZodType
  ? Paging extends PagingShape
    ? Page<z.input<Response>>
    : z.input<Response> | WithMeta<z.input<Response>>
  : // biome-ignore lint/suspicious/noConfusingVoidType: it stands inside the Promise a handler returns
    void;

/** One endpoint: all there is to know about it is here. */
interface RouteSpec<Params, Query, Body, Response, Paging> {
  readonly method: Method;
  /** Below `/api/v1`, parameters in braces: `/scenes/{id}`. */
  readonly path: string;
  readonly scope: Scope;
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
  /** A list: the handler returns a Page, the query has `page` and `limit`. */
  readonly paging?: Paging;
  /** Errors beyond those every route can give. */
  readonly errors?: readonly ErrorCode[];
}

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** A route as the kit handles it. */
export interface Route
  extends RouteSpec<z.ZodType, z.ZodType, z.ZodType, z.ZodType | undefined, PagingShape | undefined> {
  handler(input: RouteInput<unknown, unknown, unknown>): Promise<unknown>;
}

/** Declares an endpoint; the handler's types follow from its schemas. */
export function route<
  Params extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Response extends z.ZodType | undefined = undefined,
  Paging extends PagingShape | undefined = undefined,
>(
  spec: RouteSpec<Params, Query, Body, Response, Paging> & {
    handler(
      input: RouteInput<Output<Params>, Output<Query>, Output<Body>>,
    ): Promise<Handled<Response, Paging>>;
  },
): Route {
  return spec as unknown as Route;
}
