/** How much of what a seeded database holds. Everything follows from these and nothing else, but for the API keys. */
export interface SeedPlan {
  readonly seed: number;
  readonly users: number;
  /** Of each user; the largest has ten times as many. A device has one scene. */
  readonly devices: number;
  /** Alert events; each with its insight. One in ten is the largest user's. */
  readonly alerts: number;
  /** The newest alert events have rows of pictures. */
  readonly pictured: number;
  /** One in twenty is of the largest user's first scene. */
  readonly snapshots: number;
  readonly rolling: number;
  /** Ended runs. */
  readonly tasks: number;
  /** Attribute records, of the LEVEL_02 devices; none by default. */
  readonly attributes?: number;
  /** Usage events with their ledger. */
  readonly usage: number;
  /** They lie within so many days before `until`. */
  readonly usageDays: number;
  /** Everything lies before this time. */
  readonly until: Date;
}

/** Everything lies within so many days before `until`. */
export const SPAN_DAYS = 30;

/** The largest user owns one alert event in so many. */
export const LARGEST_OWNS_ONE_IN = 10;

export const emailOf = (user: number): string => `seed-${String(user).padStart(5, '0')}@example.com`;

/** Devices of a user, numbered from 1; the first user is the largest. */
export const devicesOf = (plan: SeedPlan, user: number): number => plan.devices * (user === 1 ? 10 : 1);
