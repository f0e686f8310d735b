import { isWithinSchedule, type Schedule } from '../platform/jobs/schedule.ts';
import {
  type Condition,
  firstHeld,
  type HeldCondition,
  type LogicOperator,
  type Measure,
} from './conditions.ts';

/** After a longer time without a frame `durationSeconds` starts anew. */
const LONGEST_BREAK_MS = 5_000;

/** The parts of a rule that decide when it fires. */
export interface RuleTerms {
  readonly conditions: readonly Condition[];
  readonly logicOperator: LogicOperator;
  /** Minutes since the last event after which the rule may fire again. */
  readonly cooldownMinutes: number;
  /** Seconds for which the conditions must hold before the rule fires. */
  readonly durationSeconds: number;
  /** Outside of its windows the conditions do not hold. */
  readonly schedule: Schedule | null;
}

/** The state of a rule between two ticks. Times are frame times in ms. */
export interface RuleState {
  /** Since when the conditions hold without a break. */
  readonly holdingSinceMs: number | null;
  /** The conditions hold, and have held for `durationSeconds`. */
  readonly isFiring: boolean;
  readonly lastTriggeredMs: number | null;
  readonly lastTickMs: number | null;
}

export const FRESH_STATE: RuleState = {
  holdingSinceMs: null,
  isFiring: false,
  lastTriggeredMs: null,
  lastTickMs: null,
};

/** The metrics at one moment of frame time. */
export interface Tick {
  readonly atMs: number;
  /** Frames arrived without a break since then; by default `atMs`. */
  readonly watchedSinceMs?: number;
  readonly measure: Measure;
}

export interface Evaluation {
  readonly state: RuleState;
  /** The first true condition if the rule fires now, else null. */
  readonly fired: HeldCondition | null;
}

/**
 * One step of a rule. The rule fires as soon as its conditions have held for `durationSeconds`, and again each time
 * `cooldownMinutes` have passed since its last event. A tick that is not newer than the last one changes nothing.
 */
export function evaluateRule(terms: RuleTerms, state: RuleState, tick: Tick): Evaluation {
  const { atMs } = tick;
  if (state.lastTickMs !== null && atMs <= state.lastTickMs) return { state, fired: null };
  const isOpen = terms.schedule === null || isWithinSchedule(terms.schedule, atMs);
  const held = isOpen ? firstHeld(terms.conditions, terms.logicOperator, tick.measure) : null;
  if (held === null) {
    return { state: { ...state, holdingSinceMs: null, isFiring: false, lastTickMs: atMs }, fired: null };
  }
  const holdingSinceMs = (isAfterGap(state, tick) ? null : state.holdingSinceMs) ?? atMs;
  const isFiring = atMs - holdingSinceMs >= terms.durationSeconds * 1000;
  const cooldownMs = terms.cooldownMinutes * 60_000;
  const isCool = state.lastTriggeredMs === null || atMs - state.lastTriggeredMs >= cooldownMs;
  const fires = isFiring && isCool;
  const lastTriggeredMs = fires ? atMs : state.lastTriggeredMs;
  return {
    state: { holdingSinceMs, isFiring, lastTriggeredMs, lastTickMs: atMs },
    fired: fires ? held : null,
  };
}

function isAfterGap({ lastTickMs }: RuleState, { atMs, watchedSinceMs = atMs }: Tick): boolean {
  return lastTickMs !== null && watchedSinceMs - lastTickMs > LONGEST_BREAK_MS;
}
