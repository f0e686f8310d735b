import type { Metrics } from '../catalogue/metrics/all.ts';
import type { Box } from '../vision/types.ts';
import type { Condition, LogicOperator } from './conditions.ts';

/** A person or vehicle in the frame that fired. */
export interface SeenTrack {
  readonly id: number;
  readonly box: Box;
  readonly zone: 'queue' | 'checkout' | null;
}

/** What was known when a rule fired. The writer of the insight gets this beside the images. Plain JSON. */
export interface AlertFacts {
  readonly version: 1;
  readonly ruleName: string;
  readonly conditions: readonly Condition[];
  readonly logicOperator: LogicOperator;
  readonly durationSeconds: number;
  /** ISO 8601, frame time. */
  readonly holdingSince: string;
  /** IANA zone of the schedule of the rule, else of the device; null where neither has one. */
  readonly timezone: string | null;
  readonly seen: 'person' | 'vehicle';
  readonly zones: readonly ('queueZone' | 'checkoutZone')[];
  readonly tracks: readonly SeenTrack[];
  readonly metrics: Metrics;
}

/** More cannot be told apart in one image. */
export const MOST_TRACKS = 100;

export const isAlertFacts = (value: unknown): value is AlertFacts =>
  typeof value === 'object' && value !== null && 'version' in value && value.version === 1;
