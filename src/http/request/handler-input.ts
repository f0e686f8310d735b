import type { Request, Response } from 'express';
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/database/db.ts';
import type { Caller } from '../permission.ts';
import type { Client, Route, RouteInput } from '../route.ts';
import { RequestClient } from '../session/request-client.ts';
import type { EndpointOptions } from './endpoint-options.ts';
import type { Sent } from './local-days.ts';
import { validateQuery } from './query.ts';
import type { Upload } from './upload.ts';
import { validate } from './validate.ts';

/** For calls without an Idempotency-Key. */
const keepNothing = async () => {};

interface Parts {
  readonly request: Request;
  readonly response: Response;
  readonly caller: Caller | null;
  /** Query and body with times instead of dates. */
  readonly local: Sent;
  /** The body as JSON; undefined for a route without one. */
  readonly body: unknown;
  /** Only for a route with `upload`. */
  readonly upload: Upload | undefined;
  readonly aborter: AbortController;
  readonly options: EndpointOptions;
}

/**
 * What a handler gets. It is a class because of its getters: each object literal with a getter keeps its request in memory
 * until the next full garbage collection, which costs as much processor time as a fifth of the call.
 */
export class HandlerInput implements RouteInput {
  readonly context: Context;
  readonly caller: Caller | null;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly lastEventId: string | undefined;
  keepAnswer: (tx: Tx, data: unknown) => Promise<void> = keepNothing;
  readonly #parts: Parts;

  /** @throws ApiError VALIDATION_ERROR, or the code that a custom issue names */
  constructor(route: Route, parts: Parts) {
    const { request, caller, body, local, options } = parts;
    this.context = options.context;
    this.caller = caller;
    this.params = route.params && validate(route.params, request.params);
    this.query = validateQuery(route, request, local.query);
    this.body = route.body && validate(route.body, local.body, { sent: body });
    this.lastEventId = request.get('Last-Event-ID');
    this.#parts = parts;
  }

  /** Made at its first use: few handlers need it, and it costs more than validating an id. */
  get signal(): AbortSignal {
    return this.#parts.aborter.signal;
  }

  get upload(): Upload {
    const { upload } = this.#parts;
    if (!upload) throw new Error('The route takes no upload');
    return upload;
  }

  get client(): Client {
    const { request, response, options } = this.#parts;
    return new RequestClient(request, response, options.cookies);
  }
}
