import type { VlmError } from '../prisma-client/client.ts';

/** A request to a model that gave no usable answer. */
export class VlmFailure extends Error {
  readonly code: VlmError;
  /** Seconds that the server asks to wait; 0 where it does not. */
  readonly retryAfterSeconds: number;

  constructor(code: VlmError, message: string, retryAfterSeconds = 0) {
    super(message);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Whether a later attempt may succeed. */
  get isPassing(): boolean {
    return PASSING.has(this.code);
  }
}

const PASSING: ReadonlySet<VlmError> = new Set([
  'VLM_TIMEOUT',
  'VLM_CONNECTION',
  'VLM_RATE_LIMITED',
  'VLM_SERVER_ERROR',
]);
