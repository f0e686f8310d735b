import type { VlmError } from '../../platform/prisma-client/client.ts';

/** What the caller of a model is told when it gave nothing that can be used. */
export class VlmFailure extends Error {
  readonly code: VlmError;
  /** The server asked to be left alone for so long; null where it did not say. */
  readonly retryAfterSeconds: number | null;

  constructor(code: VlmError, message: string, retryAfterSeconds: number | null = null) {
    super(message);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Whether the same question may be answered later. */
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
