/** Every error code of the API with its HTTP status and its meaning for the documentation. */
export const ERRORS = {
  VALIDATION_ERROR: {
    status: 400,
    meaning: 'a parameter or field is missing, malformed or out of its range',
  },
  INVALID_JSON: { status: 400, meaning: 'the body is not JSON' },
  INVALID_BILLING_PERIOD: { status: 400, meaning: 'a billing period is not YYYY-MM' },
  INVALID_DATE_RANGE: { status: 400, meaning: 'a range starts after its end or is too long' },
  INVALID_METRIC_PATH: { status: 400, meaning: 'a condition names a metric that does not exist' },
  IMMUTABLE_FIELD: {
    status: 400,
    meaning: 'a field that cannot change after creation was sent with another value',
  },
  SCENE_ANALYSIS_ACTIVE: {
    status: 400,
    meaning: 'the scene is starting, running or stopping: stop it first',
  },
  UPLOAD_INCOMPLETE: {
    status: 400,
    meaning:
      'the upload broke off, no byte came for UPLOAD_IDLE_SECONDS, or fewer than UPLOAD_MIN_BYTES_PER_SECOND came: send the file again',
  },
  UNREADABLE_VIDEO: {
    status: 400,
    meaning: 'the file is no video that can be analysed; `error.details` has the reason',
  },
  UNAUTHORIZED: { status: 401, meaning: 'no valid API key or session was sent' },
  QUOTA_EXCEEDED: { status: 402, meaning: 'the quota is used up, or the device is disabled' },
  FORBIDDEN: { status: 403, meaning: 'the plan does not include this, or this kind of caller may not do it' },
  INSUFFICIENT_SCOPE: { status: 403, meaning: 'the API key or session does not have the scope of this call' },
  CROSS_ORIGIN: {
    status: 403,
    meaning:
      'a call with a session cookie does not come from a page of this service; calls with an API key are not affected',
  },
  NOT_FOUND: { status: 404, meaning: 'the resource does not exist or belongs to another user' },
  METHOD_NOT_ALLOWED: { status: 405, meaning: 'the path does not support this method' },
  ALREADY_RUNNING: { status: 409, meaning: 'analysis of this scene is already queued or running' },
  DEVICE_OFFLINE: {
    status: 409,
    meaning: 'no video can be read from the device; `error.details` has the reason and what to do',
  },
  NO_ACTIVE_SCENES: { status: 409, meaning: 'the scene is not active, or belongs to another device' },
  NOT_RUNNING: { status: 409, meaning: 'no analysis is running' },
  TASK_NOT_CANCELLABLE: { status: 409, meaning: 'only a queued task can be cancelled' },
  TASK_ACTIVE: { status: 409, meaning: 'the task is queued or processing: stop it first' },
  ERASURE_STARTED: {
    status: 409,
    meaning: 'the erasure has begun or is over: it cannot be cancelled',
  },
  WEBHOOK_EXISTS: { status: 409, meaning: 'the user already has a webhook: change it instead' },
  LIMIT_REACHED: {
    status: 409,
    meaning: 'the user has reached the maximum number of these resources, or of their bytes',
  },
  WEBHOOK_DISABLED: { status: 409, meaning: 'the webhook is disabled: enable it first' },
  EMAIL_NOT_CONFIGURED: { status: 409, meaning: 'the operator has not set up e-mail (SMTP_URL)' },
  CHANNEL_EXISTS: { status: 409, meaning: 'the user already has a channel with this address' },
  CHANNEL_CONFIRMED: { status: 409, meaning: 'the channel needs no code' },
  CHANNEL_NOT_ENABLED: { status: 409, meaning: 'the channel is not confirmed, or was disabled' },
  CODE_EXPIRED: {
    status: 409,
    meaning: 'the code has expired or was wrong too often: ask for a new one',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    meaning: 'the Idempotency-Key was already used for another request: use a new key',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    meaning:
      'the first call with this Idempotency-Key is still running: try again after the seconds in Retry-After',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    meaning:
      'the body is larger than 256 KB (16 KB of a call without key or session), or a recording is larger than RECORDING_MAX_BYTES',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    meaning: 'the body is not sent as application/json in UTF-8, or an upload not as bytes of a file',
  },
  RATE_LIMITED: { status: 429, meaning: 'too many requests: wait for the seconds in Retry-After' },
  INTERNAL_ERROR: { status: 500, meaning: 'an error in the service; the log has it under the requestId' },
  STORAGE_FULL: {
    status: 507,
    meaning: 'the storage has no room for the file: tell the operator, or delete recordings',
  },
  NO_COMPUTE_NODE: {
    status: 503,
    meaning: 'no compute node is online: start one, or try again after the seconds in Retry-After',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    meaning: 'the database or another part of the service is not available: try again soon',
  },
} as const;

export type ErrorCode = keyof typeof ERRORS;

export interface ErrorDetail {
  /** Field or parameter, parts separated by dots; empty for the whole. */
  readonly path: string;
  readonly message: string;
  /** Reason as a code, if the error code has several reasons. */
  readonly reason?: string;
  /** What is allowed at most and what is used of it, if a limit in bytes was reached. */
  readonly limit?: number;
  readonly used?: number;
}

/** An error answer. The message is for people: one sentence that says what to do. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];
  /** Value of the header Retry-After; null for no header. */
  readonly retryAfterSeconds: number | null;

  constructor(
    code: ErrorCode,
    message: string,
    details: readonly ErrorDetail[] = [],
    { retryAfterSeconds = null }: { retryAfterSeconds?: number | null } = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** A fault of one field that the schema cannot find. @param message without the name of the field */
export const invalidField = (path: string, message: string, code: ErrorCode = 'VALIDATION_ERROR'): ApiError =>
  new ApiError(code, `${path}: ${message}`, [{ path, message }]);

/**
 * @param what for example `Scene`; the resource of another user gets the same answer
 * @param field of the body or query that names it; left out where the path does
 */
export const notFound = (what: string, field?: string): ApiError =>
  new ApiError(
    'NOT_FOUND',
    `${what} not found`,
    field === undefined
      ? []
      : [{ path: field, message: `names a ${what.toLowerCase()} that does not exist` }],
  );

/** @returns the row. @throws ApiError NOT_FOUND when it is null */
export function orNotFound<Row>(row: Row | null, what: string, field?: string): Row {
  if (row === null) throw notFound(what, field);
  return row;
}
