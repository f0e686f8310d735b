import { z } from 'zod';
import type { ApiError } from './errors.ts';
import { PAGINATION, type Page, type PageQuery, pagination } from './paging.ts';
import { type Route, WithMeta } from './route.ts';

const meta = z.object({
  timestamp: z.iso.datetime({ precision: 3 }).meta({ description: 'When it was answered, UTC' }),
  requestId: z.guid().meta({ description: 'X-Request-Id of the request, or a new one; also in the log' }),
});

/** The body of an error. */
export const errorEnvelope = z
  .strictObject({
    success: z.literal(false),
    statusCode: z.int(),
    message: z.string().meta({ description: 'What to do, in one sentence' }),
    error: z.strictObject({
      code: z.string().meta({ description: 'What happened, for programs' }),
      details: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
    }),
    meta: z.strictObject(meta.shape),
  })
  .meta({ id: 'Error' });

/** The HTTP status of a route's success. */
export const statusOf = ({ status, response, produces, events }: Route): number =>
  response || produces || events ? (status ?? 200) : 204;

/** The schema of a route's body on success: the envelope around its response, or the page alone where it is bare. */
export function successBody(route: Route & { response: z.ZodType }): z.ZodType {
  if (route.bare && route.paging) {
    return z.strictObject({
      data: z.array(route.response).meta({ description: 'The page' }),
      pagination: PAGINATION[route.paging],
    });
  }
  return z.strictObject({
    success: z.literal(true),
    statusCode: z.literal(statusOf(route)),
    data: route.paging ? z.array(route.response) : route.response,
    meta: route.paging
      ? z.strictObject({ ...meta.shape, pagination: PAGINATION[route.paging] })
      : z.strictObject({ ...meta.shape, computeNodeId: z.guid().optional() }),
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
