import { z } from 'zod';
import { type ApiError, ERRORS, type ErrorCode } from '../errors.ts';
import { PAGINATION, type Page, type PageQuery, pagination } from '../paging.ts';
import { type Route, WithMeta } from '../route.ts';

const meta = {
  timestamp: z.iso.datetime({ precision: 3 }).meta({ description: 'When it was answered, UTC' }),
  requestId: z.guid().meta({ description: 'X-Request-Id of the request, or a new one; also in the log' }),
};

const computeNodeId = z
  .guid()
  .optional()
  .meta({ description: 'Id of the compute node that is concerned, where there is one' });

const detail = z.strictObject({
  path: z.string().meta({ description: 'Field or parameter, parts separated by dots; empty for the whole' }),
  message: z.string().meta({ description: 'What is wrong with it' }),
  reason: z
    .string()
    .optional()
    .meta({ description: 'Why, for programs, where the code leaves several reasons open' }),
});

const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** The body of an error. */
export const errorEnvelope = z
  .strictObject({
    success: z.literal(false).meta({ description: 'It did not succeed' }),
    statusCode: z.int().meta({ description: 'The HTTP status' }),
    message: z.string().meta({ description: 'What to do, in one sentence' }),
    error: z
      .strictObject({
        code: z.enum(ERROR_CODES).meta({ description: 'What happened, for programs' }),
        details: z.array(detail).optional().meta({ description: 'Every fault of the request' }),
      })
      .meta({ description: 'What happened' }),
    meta: z.strictObject(meta).meta({ description: 'About this answer' }),
  })
  .meta({ id: 'Error' });

/** The HTTP status of a route's success. */
export const statusOf = ({ status, response, produces, events }: Route): number =>
  response || produces || events ? (status ?? 200) : 204;

/** The schema of a route's JSON body on success: the envelope around its response, or the page alone where it is bare. */
export function bodySchema(route: Route): z.ZodType | undefined {
  if (!route.response) return undefined;
  if (route.bare && route.paging) {
    return z.strictObject({
      data: z.array(route.response).meta({ description: 'The page' }),
      pagination: PAGINATION[route.paging],
    });
  }
  return z.strictObject({
    success: z.literal(true).meta({ description: 'It succeeded' }),
    statusCode: z.literal(statusOf(route)).meta({ description: 'The HTTP status' }),
    data: route.paging ? z.array(route.response).meta({ description: 'The page' }) : route.response,
    meta: z
      .strictObject({
        ...meta,
        ...(route.paging ? { pagination: PAGINATION[route.paging] } : { computeNodeId }),
      })
      .meta({ description: 'About this answer' }),
  });
}

const now = (requestId: string) => ({ timestamp: new Date().toISOString(), requestId });

/** Wraps what a handler returned. */
export function wrap(route: Route, result: unknown, request: { requestId: string; query: unknown }) {
  const about = now(request.requestId);
  const success = { success: true, statusCode: statusOf(route) } as const;
  if (route.paging) {
    const { items, total } = result as Page<unknown>;
    const paging = pagination(route.paging, request.query as PageQuery, total);
    if (route.bare) return { data: items, pagination: paging };
    return { ...success, data: items, meta: { ...about, pagination: paging } };
  }
  if (result instanceof WithMeta)
    return { ...success, data: result.data, meta: { ...about, ...result.meta } };
  return { ...success, data: result, meta: about };
}

export function wrapError(error: ApiError, requestId: string): z.output<typeof errorEnvelope> {
  return {
    success: false,
    statusCode: error.status,
    message: error.message,
    error: { code: error.code, ...(error.details.length > 0 && { details: [...error.details] }) },
    meta: now(requestId),
  };
}
