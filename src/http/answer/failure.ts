import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Context } from '../../platform/context.ts';
import { isDatabaseAway, isDatabaseBusy } from '../../platform/database/database-away.ts';
import { explainPath } from '../../platform/explain/explain-path.ts';
import { ApiError } from '../errors.ts';
import { wrapError } from './envelope.ts';

/** Handles requests for unknown paths. @param known all paths, with parameters in braces */
export const noSuchPath =
  (known: readonly string[]): RequestHandler =>
  (request) => {
    throw new ApiError('NOT_FOUND', explainPath(request.path, known));
  };

/** Handles requests whose path exists for other methods only. */
export function wrongMethod(methods: readonly string[]): RequestHandler {
  const allowed = methods.map((method) => method.toUpperCase());
  return (request, response) => {
    response.setHeader('Allow', allowed.join(', '));
    throw new ApiError(
      'METHOD_NOT_ALLOWED',
      `${request.method} is not allowed for this path. Use ${inWords(allowed)}`,
    );
  };
}

/** `GET, PATCH or DELETE` */
const inWords = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(' or ');

/** Answers every thrown error with the error envelope. Details of internal errors go to the log only. */
export function answerFailure({ logger, clock }: Pick<Context, 'clock' | 'logger'>): ErrorRequestHandler {
  return (thrown: unknown, _request, response, next) => {
    // Nobody is there to be answered, and what the leaving of the client ended is no fault.
    if (response.closed && thrown instanceof Error && thrown.name === 'AbortError') return;
    const error = asApiError(thrown);
    if (error.status >= 500)
      logger.error({ err: thrown, requestId: response.locals.requestId }, error.message);
    if (response.headersSent) return next(thrown);
    if (error.code === 'UNAUTHORIZED') response.setHeader('WWW-Authenticate', 'Bearer');
    response.status(error.status).setHeader('Cache-Control', 'no-store');
    if (error.retryAfterSeconds !== null) response.setHeader('Retry-After', String(error.retryAfterSeconds));
    const requestId = response.locals.requestId as string;
    response.json(wrapError(error, { requestId, now: clock.now() }));
  };
}

function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  // Express throws this for a path that does not decode, like /scenes/%E0%A4%A.
  if (thrown instanceof URIError)
    return new ApiError('VALIDATION_ERROR', 'The path is not valid percent-encoding: write % as %25');
  if (isDatabaseAway(thrown))
    return new ApiError('SERVICE_UNAVAILABLE', 'The database is not available: try again soon');
  if (isDatabaseBusy(thrown)) {
    return new ApiError(
      'SERVICE_UNAVAILABLE',
      'Other calls have locked the data that this call needs: try again soon',
    );
  }
  return new ApiError('INTERNAL_ERROR', 'An internal error occurred; report the requestId to the operator');
}
