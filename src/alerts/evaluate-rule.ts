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

/** What of a rule is evaluated. */
export interface RuleTerms {
  readonly conditions: readonly Condition[];
  readonly logicOperator: LogicOperator;
  /** From the last emitted event. */
  readonly cooldownMinutes: number;
  /** How long the conditions must hold before the rule fires. */
  readonly durationSeconds: number;
  /** Outside its windows nothing holds. */
  readonly schedule: Schedule | null;
}

/** What a rule remembers from tick to tick; times are frame times in ms. */
export interface RuleState {
  /** Since when the conditions hold without a break. */
  readonly holdingSinceMs: number | null;
  /** The conditions hold, and have for `durationSeconds`. */
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

/** The metrics at a moment of frame time. */
export interface Tick {
  readonly atMs: number;
  /** Watched without a break since then; `atMs` itself where not given. */
  readonly watchedSinceMs?: number;
  readonly measure: Measure;
}

export interface Evaluation {
  readonly state: RuleState;
  /** The first true condition if the rule fires now. */
  readonly fired: HeldCondition | null;
}

/**
 * One step of a rule. It fires while its conditions have held for `durationSeconds`, at once and again whenever
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
