import { z } from 'zod';
import { type ApiError, ERRORS, type ErrorCode } from '../errors.ts';
import { PAGINATION, type Page, type PageQuery, pagination } from '../paging.ts';
import { type Route, WithMeta } from '../route.ts';

const meta = {
  timestamp: z.iso.datetime({ precision: 3 }).meta({ description: 'Time of the answer, UTC' }),
  requestId: z.guid().meta({
    description: 'X-Request-Id of the request if it was a UUID, otherwise a new one; the log has it too',
  }),
};

const computeNodeId = z
  .guid()
  .optional()
  .meta({ description: 'Id of the compute node that the answer is about; absent if there is none' });

const detail = z.strictObject({
  path: z.string().meta({
    description: 'Path of the field or parameter, parts separated by dots; empty for the whole body',
  }),
  message: z.string().meta({ description: 'What is wrong with the field' }),
  reason: z
    .string()
    .optional()
    .meta({ description: 'Reason as a code, if the error code has several reasons' }),
  limit: z
    .number()
    .optional()
    .meta({ description: 'What is allowed at most, if a limit in bytes was reached' }),
  used: z.number().optional().meta({ description: 'What is used of this limit' }),
});

const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** The body of an error answer. */
export const errorEnvelope = z
  .strictObject({
    success: z.literal(false).meta({ description: 'Always false for an error' }),
    statusCode: z.int().meta({ description: 'HTTP status' }),
    message: z.string().meta({ description: 'What is wrong and what to do, in one sentence' }),
    error: z
      .strictObject({
        code: z.enum(ERROR_CODES).meta({ description: 'Error code' }),
        details: z.array(detail).optional().meta({ description: 'All faults of the request' }),
      })
      .meta({ description: 'The error' }),
    meta: z.strictObject(meta).meta({ description: 'Information about the answer' }),
  })
  .meta({ id: 'Error' });

/** The HTTP status of a successful answer. */
export const statusOf = ({ status, response, produces, events }: Route): number =>
  response || produces || events ? (status ?? 200) : 204;

/** The schema of the JSON body of a successful answer: the envelope around the response, or only the page if the route is bare. */
export function bodySchema(route: Route): z.ZodType | undefined {
  if (!route.response) return undefined;
  if (route.bare && route.paging) {
    return z.strictObject({
      data: z.array(route.response).meta({ description: 'Entries of the page' }),
      pagination: PAGINATION[route.paging],
    });
  }
  return z.strictObject({
    success: z.literal(true).meta({ description: 'Always true for success' }),
    statusCode: z.literal(statusOf(route)).meta({ description: 'HTTP status' }),
    data: route.paging
      ? z.array(route.response).meta({ description: 'Entries of the page' })
      : route.response,
    meta: z
      .strictObject({
        ...meta,
        ...(route.paging ? { pagination: PAGINATION[route.paging] } : { computeNodeId }),
      })
      .meta({ description: 'Information about the answer' }),
  });
}

/** What the `meta` of an answer says about its request. */
export interface Answered {
  readonly requestId: string;
  readonly now: Date;
}

const metaOf = ({ requestId, now }: Answered) => ({ timestamp: now.toISOString(), requestId });

/** Puts the result of a handler into the envelope. */
export function wrap(route: Route, result: unknown, request: Answered & { query: unknown }) {
  const about = metaOf(request);
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

export function wrapError(error: ApiError, request: Answered): z.output<typeof errorEnvelope> {
  return {
    success: false,
    statusCode: error.status,
    message: error.message,
    error: { code: error.code, ...(error.details.length > 0 && { details: [...error.details] }) },
    meta: metaOf(request),
  };
}
