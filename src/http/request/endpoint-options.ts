import type { Context } from '../../platform/context.ts';
import type { Authenticate } from '../permission.ts';
import type { Route } from '../route.ts';
import type { RateLimit } from '../server/rate-limit.ts';
import type { Cookies } from '../session/cookies.ts';
import type { ZoneOf } from './local-days.ts';
import type { PaceLimits } from './upload-pace.ts';

export interface EndpointOptions {
  readonly context: Context;
  readonly authenticate: Authenticate;
  readonly zoneOf: ZoneOf;
  readonly cookies: Cookies;
  readonly requestLimit: RateLimit;
  /** For all keys and sessions of a user together. */
  readonly userLimit: RateLimit;
  readonly failureLimit: RateLimit;
  /** The limits that routes name in `limit`. */
  readonly extraLimits: Readonly<Record<NonNullable<Route['limit']>, RateLimit>>;
  /** Aborted when the program stops; endless answers then end. */
  readonly stopping: AbortSignal;
  /** Time between two heartbeats of an endless answer; each checks the API key or session again. */
  readonly heartbeatMs: number;
  /** An endless answer whose client reads nothing for so long is closed. */
  readonly stuckMs: number;
  /** How slowly an upload may come. */
  readonly uploadPace: PaceLimits;
  /** Checks every response against its schema; for tests. */
  readonly checkResponses: boolean;
}
