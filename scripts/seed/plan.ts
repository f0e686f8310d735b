/** The contents of a seeded database. All rows follow from these numbers alone, except the API keys. */
export interface SeedPlan {
  readonly seed: number;
  readonly users: number;
  /** Of each user; the largest user has ten times as many. A device has one scene. */
  readonly devices: number;
  /** Alert events, each with its insight. */
  readonly alerts: number;
  /** How many of the newest alert events have rows of images. */
  readonly pictured: number;
  /** Metric snapshots. One in twenty belongs to the largest user's first scene. */
  readonly snapshots: number;
  readonly rolling: number;
  /** Occupancy minutes, the same number for each scene; none by default. */
  readonly minutes?: number;
  /** Decided visits, within the same time as the occupancy minutes; none by default. */
  readonly visits?: number;
  /** Ended runs. */
  readonly tasks: number;
  /** Attribute records, of the LEVEL_02 devices; none by default. */
  readonly attributes?: number;
  /** Usage events with their ledger. */
  readonly usage: number;
  /** The usage events lie within so many days before `until`. */
  readonly usageDays: number;
  /** All rows lie before this time. */
  readonly until: Date;
}

/** All rows except usage, occupancy minutes and visits lie within so many days before `until`. */
export const SPAN_DAYS = 30;

/** One alert event in so many belongs to the largest user. */
export const LARGEST_OWNS_ONE_IN = 10;

/** The last midnight, UTC. */
export const lastMidnight = (): Date => new Date(new Date().setUTCHours(0, 0, 0, 0));

export const emailOf = (user: number): string => `seed-${String(user).padStart(5, '0')}@example.com`;

/** Every device has one scene. */
export const scenesOf = (plan: SeedPlan): number => devicesOf(plan, 1) + (plan.users - 1) * plan.devices;

/** Devices of a user, numbered from 1; the first user is the largest. */
export const devicesOf = (plan: SeedPlan, user: number): number => plan.devices * (user === 1 ? 10 : 1);
