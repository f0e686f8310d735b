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
import type { Format } from '../fields.ts';
import { FileAnswer } from '../file-answer.ts';
import { beginCall } from '../idempotency/begin-call.ts';
import { FirstCall } from '../idempotency/first-call.ts';
import { HEADER, REPLAYED, readKey } from '../idempotency/idempotency-key.ts';
import type { Part } from '../part.ts';
import type { Caller } from '../permission.ts';
import { isEndless, type Route, type ServerEvent } from '../route.ts';
import { clientNetwork } from '../server/client-network.ts';
import { admit, stillAllowed } from './admit.ts';
import type { EndpointOptions } from './endpoint-options.ts';
import { HandlerInput } from './handler-input.ts';
import { inTime } from './in-time.ts';
import { readJsonBody } from './json-body.ts';
import { withLocalDays } from './local-days.ts';
import { discardRest, openUpload, type Upload } from './upload.ts';

/** The request handler of a route: authenticates, validates, limits, calls the handler and sends its answer. */
export function endpoint(route: Route, options: EndpointOptions): RequestHandler {
  const check = options.checkResponses ? bodySchema(route) : undefined;
  return async (request, response) => {
    response.locals.route = route;
    const call = await readCall({ route, request, response, options, check });
    if (call.caller === null && route.scope !== null) return sendData(call, null);
    await payExtraLimit(call);
    if (route.signsIn) return answerSignIn(call);
    const key = route.idempotency ? readKey(request.get(HEADER)) : null;
    if (key !== null) return answerOnce(call, key);
    return answer(call);
  };
}

interface Arrived {
  readonly route: Route;
  readonly request: Request;
  readonly response: Response;
  readonly options: EndpointOptions;
  /** Checks the answer; for tests. */
  readonly check: z.ZodType | undefined;
}

/** A request whose caller may open the route, and whose parts are valid. */
interface Call extends Arrived {
  readonly caller: Caller | null;
  readonly body: unknown;
  readonly upload: Upload | undefined;
  readonly aborter: AbortController;
  readonly input: HandlerInput;
}

async function readCall(arrived: Arrived): Promise<Call> {
  const { route, request, response, options } = arrived;
  if (route.upload) discardRest(request, response);
  const caller = await admit(route, request, { response, options });
  const body = route.body && (await readJsonBody(request, response, caller !== null));
  const upload = route.upload && openUpload(request, route.upload, options.uploadPace);
  const { db } = options.context;
  const local = await withLocalDays(route, { request, body, caller, db, zoneOf: options.zoneOf });
  const parts = { ...arrived, caller, body, upload, aborter: new AbortController() };
  return { ...parts, input: new HandlerInput(route, { ...parts, local }) };
}

async function payExtraLimit({ route, request, response, caller, options }: Call): Promise<void> {
  if (!route.limit) return;
  await options.extraLimits[route.limit].consume(caller?.userId ?? clientNetwork(request.ip), response);
}

async function answerSignIn(call: Call): Promise<void> {
  const { route, request, response, input, options } = call;
  const address = clientNetwork(request.ip);
  // Paid before the work; who succeeds gets the point back.
  await options.failureLimit.consume(address, response);
  const result = await inTime(route.handler(input), call);
  await options.failureLimit.giveBack(address, response);
  return sendData(call, result);
}

/** Runs the handler at the first call with this Idempotency-Key; a later one gets the same answer. */
async function answerOnce(call: Call, key: string): Promise<void> {
  const { route, response, options, check, caller, upload, input, body } = call;
  const { params, query } = input;
  const begun = await beginCall({
    ...{ context: options.context, route, key, check },
    caller: caller!,
    // The bytes of an upload cannot be compared without reading them.
    request: { params, query, body: upload ? { length: upload.length } : body },
    requestId: response.locals.requestId as string,
  });
  const { status, body: answered } =
    begun instanceof FirstCall ? await runFirst(begun, call) : replayed(begun, response);
  response.statusCode = status;
  return sendJson(response, answered);
}

function runFirst(first: FirstCall, call: Call) {
  const { route, input, upload } = call;
  input.keepAnswer = (tx, data) => first.keep(tx, data);
  return inTime(
    first.run(() => route.handler(input), { isLong: upload !== undefined }),
    call,
  );
}

function replayed<Answer>(kept: Answer, response: Response): Answer {
  response.setHeader(REPLAYED, 'true');
  return kept;
}

/** Calls the handler of a format. */
const HANDLER: Readonly<Record<Format, (route: Route, input: HandlerInput) => Promise<unknown>>> = {
  json: (route, input) => route.handler(input),
  csv: (route, input) => beginCsv(route.csv!(input)),
  html: (route, input) => route.html!(input),
};

async function answer(call: Call): Promise<void> {
  const { route, request, response, input, options, aborter } = call;
  if (route.csv || route.html) response.vary('Accept');
  const format = formatOf(route, request, input.query);
  const result = await inTime(HANDLER[format](route, input), call);
  if (format === 'html') return sendHtml(response, result as string);
  if (format === 'csv') {
    const { checkResponses: check } = options;
    const csv = csvFormat.parse(request.query);
    return sendCsv(route, result as BegunCsv, { response, format: csv, check, signal: aborter.signal });
  }
  if (result instanceof FileAnswer) return sendFile(route, result, { response, signal: aborter.signal });
  if (!isEndless(route)) return sendData(call, result);
  if (!route.events) return sendUntilEnd(call, result as AsyncIterable<Part>, MULTIPART);
  const events = result as AsyncIterable<ServerEvent>;
  return sendUntilEnd(call, options.checkResponses ? checked(route.events, events) : events, EVENT_STREAM);
}

function sendData({ route, response, input, options, check }: Call, result: unknown): Promise<void> {
  const now = options.context.clock.now();
  return send(route, result, { response, now, query: input.query, check });
}

/** Sends an endless answer, until its caller may no longer open the route or the program stops. */
async function sendUntilEnd<Item>(
  { route, request, response, aborter, options }: Call,
  items: AsyncIterable<Item>,
  format: EndlessFormat<Item>,
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
