import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import { type BegunCsv, beginCsv, sendCsv } from '../answer/csv.ts';
import { csvFormat } from '../answer/csv-format.ts';
import { type EndlessFormat, sendEndless } from '../answer/endless.ts';
import { bodySchema } from '../answer/envelope.ts';
import { EVENT_STREAM } from '../answer/event-stream.ts';
import { formatOf } from '../answer/format.ts';
import { MULTIPART } from '../answer/multipart.ts';
import { send, sendHtml, sendJson } from '../answer/send.ts';
import { sendFile } from '../answer/send-file.ts';
import { ApiError } from '../errors.ts';
import type { Format } from '../fields.ts';
import { FileAnswer } from '../file-answer.ts';
import { beginCall } from '../idempotency/begin-call.ts';
import { FirstCall } from '../idempotency/first-call.ts';
import { HEADER, REPLAYED, readKey } from '../idempotency/idempotency-key.ts';
import type { Part } from '../part.ts';
import { isEndless, type Route, type ServerEvent } from '../route.ts';
import { clientNetwork } from '../server/client-network.ts';
import { admit, stillAllowed } from './admit.ts';
import type { EndpointOptions } from './endpoint-options.ts';
import { HandlerInput } from './handler-input.ts';
import { readJsonBody } from './json-body.ts';
import { withLocalDays } from './local-days.ts';
import { discardRest, openUpload } from './upload.ts';

/** The request handler of a route: authenticates, limits, validates, calls the handler and sends its answer. */
export function endpoint(route: Route, options: EndpointOptions): RequestHandler {
  const check = options.checkResponses ? bodySchema(route) : undefined;
  return async (request, response) => {
    response.locals.route = route;
    if (route.upload) discardRest(request, response);
    const caller = await admit(route, request, { response, options });
    const body = route.body && (await readJsonBody(request, response, caller !== null));
    const upload = route.upload && openUpload(request, route.upload, options.uploadPace);
    const aborter = new AbortController();
    const { context, zoneOf } = options;
    const local = await withLocalDays(route, { request, body, caller, db: context.db, zoneOf });
    const input = new HandlerInput(route, {
      request,
      response,
      caller,
      body,
      local,
      upload,
      aborter,
      options,
    });
    if (route.limit)
      await options.extraLimits[route.limit].consume(caller?.userId ?? clientNetwork(request.ip), response);
    if (route.signsIn) {
      const address = clientNetwork(request.ip);
      // Paid before the work; who succeeds gets the point back.
      await options.failureLimit.consume(address, response);
      const result = await inTime(route.handler(input), { response, aborter, options });
      await options.failureLimit.giveBack(address, response);
      const now = options.context.clock.now();
      send(route, result, { response, now, query: input.query, check });
      return;
    }
    const key = route.idempotency ? readKey(request.get(HEADER)) : null;
    if (key !== null) {
      const { params, query } = input;
      const call = {
        context: options.context,
        route,
        caller: caller!,
        key,
        // The bytes of an upload cannot be compared without reading them.
        request: { params, query, body: upload ? { length: upload.length } : body },
      };
      const requestId = response.locals.requestId as string;
      const begun = await beginCall({ ...call, requestId, check });
      if (!(begun instanceof FirstCall)) response.setHeader(REPLAYED, 'true');
      if (begun instanceof FirstCall) input.keepAnswer = (tx, data) => begun.keep(tx, data);
      const run = () =>
        (begun as FirstCall).run(() => route.handler(input), { isLong: upload !== undefined });
      const answer =
        begun instanceof FirstCall
          ? await inTime(run(), { response, aborter, options, isLong: upload !== undefined })
          : begun;
      response.statusCode = answer.status;
      sendJson(response, answer.body);
      return;
    }
    if (route.csv || route.html) response.vary('Accept');
    const format = formatOf(route, request, input.query);
    const result = await inTime(ANSWER[format](route, input), {
      ...{ response, aborter, options },
      isLong: upload !== undefined,
    });
    if (format === 'html') return sendHtml(response, result as string);
    if (format === 'csv') {
      const { checkResponses: check } = options;
      const format = csvFormat.parse(request.query);
      return sendCsv(route, result as BegunCsv, { response, format, check, signal: aborter.signal });
    }
    if (result instanceof FileAnswer) return sendFile(route, result, { response, signal: aborter.signal });
    if (!isEndless(route)) {
      const now = options.context.clock.now();
      send(route, result, { response, now, query: input.query, check });
      return;
    }
    const run = { request, response, aborter, options };
    if (!route.events) return sendUntilEnd(route, result as AsyncIterable<Part>, MULTIPART, run);
    const events = result as AsyncIterable<ServerEvent>;
    const all = options.checkResponses ? checked(route.events, events) : events;
    return sendUntilEnd(route, all, EVENT_STREAM, run);
  };
}

/** Calls the handler of a format. */
const ANSWER: Readonly<Record<Format, (route: Route, input: HandlerInput) => Promise<unknown>>> = {
  json: (route, input) => route.handler(input),
  csv: (route, input) => beginCsv(route.csv!(input)),
  html: (route, input) => route.html!(input),
};

interface Run {
  readonly response: Response;
  /** The handler has its signal. */
  readonly aborter: AbortController;
  readonly options: EndpointOptions;
  /** An upload: the time between its bytes is limited instead. */
  readonly isLong?: boolean;
}

/** @throws ApiError SERVICE_UNAVAILABLE when the work takes longer than REQUEST_TIMEOUT_SECONDS */
async function inTime<Result>(
  work: Promise<Result>,
  { response, aborter, options, isLong = false }: Run,
): Promise<Result> {
  const timeLimitMs = options.context.config.requestTimeoutSeconds * 1000;
  response.once('close', () => {
    // Abort only if the handler may still be at work, because an abort creates an error with its stack.
    if (!response.writableFinished) aborter.abort();
  });
  if (isLong) return work;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      aborter.abort();
      reject(
        new ApiError('SERVICE_UNAVAILABLE', `No answer within ${timeLimitMs / 1000} seconds: try again`),
      );
    }, timeLimitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Sends an endless answer, until its caller may no longer open the route or the program stops. */
async function sendUntilEnd<Item>(
  route: Route,
  items: AsyncIterable<Item>,
  format: EndlessFormat<Item>,
  { request, response, aborter, options }: Run & { request: Request },
): Promise<void> {
  const stop = () => aborter.abort();
  if (options.stopping.aborted) stop();
  options.stopping.addEventListener('abort', stop);
  try {
    await sendEndless(items, format, {
      response,
      ended: aborter,
      heartbeatMs: options.heartbeatMs,
      isStillAllowed: stillAllowed(route, request, options),
      stuckMs: options.stuckMs,
    });
  } finally {
    options.stopping.removeEventListener('abort', stop);
  }
}

async function* checked(schema: z.ZodType, events: AsyncIterable<ServerEvent>): AsyncGenerator<ServerEvent> {
  for await (const event of events) {
    schema.parse(event);
    yield event;
  }
}
