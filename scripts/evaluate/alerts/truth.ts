import { meanOfKnown } from '../../support/numbers.ts';
import { type ShopTruth, visitStays } from '../shop/truth.ts';

// This file scores src/vision, src/metrics and src/alerts, so it shares no code with them.

/** A visit with the moments at which a perfect observer knows about it; seconds. */
interface TrueVisit {
  /** When the person entered the queue; null where they were served at once. */
  readonly enteredAt: number | null;
  /** Counted as waiting in `[from, until)`. */
  readonly waitsFrom: number;
  readonly waitsUntil: number;
  /** When the outcome is decided. It lies after the end of the script where the script ends first. */
  readonly decidedAt: number;
  readonly isCompleted: boolean;
  readonly waitSeconds: number | null;
}

export interface TrueRule {
  readonly conditions: readonly {
    readonly metricPath: string;
    readonly operator: 'GT' | 'GTE' | 'LT' | 'NEQ';
    readonly threshold: number;
  }[];
  readonly logicOperator: 'AND' | 'OR';
  readonly cooldownMinutes: number;
  readonly durationSeconds: number;
}

/** Longer after the end of the script than any threshold. */
const NEVER_SECONDS = 3600;

/** The visits of everybody by the definitions: entered after the entry threshold, left after the exit threshold. */
export function trueVisits(truth: ShopTruth): TrueVisit[] {
  const {
    entryThresholdSeconds: entry,
    exitThresholdSeconds: exit,
    trackingMaxAgeSeconds,
  } = truth.parameters;
  return visitStays(truth, truth.seconds + NEVER_SECONDS).map(({ wait, service, nextWaitAt }): TrueVisit => {
    const servedFrom = service ? service[0] : Number.POSITIVE_INFINITY;
    const abandonedAt = wait && Math.min(wait[1] + exit + trackingMaxAgeSeconds, nextWaitAt + entry);
    return {
      enteredAt: wait?.[0] ?? null,
      waitsFrom: wait ? wait[0] + entry : 0,
      waitsUntil: wait ? Math.min(wait[1] + exit, servedFrom + entry) : 0,
      decidedAt: service ? service[1] + exit : abandonedAt!,
      isCompleted: service !== null,
      waitSeconds: wait && (service ? service[0] : wait[1]) - wait[0],
    };
  });
}

const WINDOW_SECONDS = 300;

/** The metrics that the rules use, at one second of the script. */
function metricsAt(visits: readonly TrueVisit[], at: number): TrueMoment['metrics'] {
  const waiting = visits.filter(({ waitsFrom, waitsUntil }) => waitsFrom <= at && at < waitsUntil);
  const waits = waiting.map(({ enteredAt }) => at - enteredAt!);
  const decided = visits.filter(({ decidedAt }) => decidedAt <= at && decidedAt > at - WINDOW_SECONDS);
  const completed = decided.filter(({ isCompleted }) => isCompleted);
  return {
    'current.inQueue': waiting.length,
    'current.avgWaitSeconds': meanOfKnown(waits),
    'current.maxWaitSeconds': waits.length === 0 ? null : Math.max(...waits),
    'rolling5Min.abandoned.count': decided.length - completed.length,
    'rolling5Min.abandonmentRate': meanOfKnown(decided.map(({ isCompleted }) => (isCompleted ? 0 : 1))),
    'rolling5Min.completed.avgWaitSeconds': meanOfKnown(completed.map(({ waitSeconds }) => waitSeconds)),
  };
}

function holds({ conditions, logicOperator }: TrueRule, metrics: TrueMoment['metrics']): boolean {
  const results = conditions.map(({ metricPath, operator, threshold }) => {
    const value = metrics[metricPath];
    if (value === undefined) throw new Error(`The truth has no metric ${metricPath}`);
    if (value === null) return false;
    if (operator === 'GT') return value > threshold;
    if (operator === 'GTE') return value >= threshold;
    return operator === 'LT' ? value < threshold : value !== threshold;
  });
  return logicOperator === 'AND' ? results.every(Boolean) : results.some(Boolean);
}

export interface AlertScore {
  readonly fired: number;
  /** When the rule had to fire and did not within the tolerance. */
  readonly missed: readonly number[];
  /** Firings at a time when the conditions do not hold, nor near it. */
  readonly unfounded: readonly number[];
  readonly withinCooldown: readonly number[];
  /** The longest time from the moment at which the rule had to fire to the firing. */
  readonly latestSeconds: number;
}

const TOLERANCE_SECONDS = 2;
/** Rules are evaluated once a second, so they may not notice a shorter interruption. */
const TICK_SECONDS = 1;
const STEP_SECONDS = 0.2;

export interface TrueMoment {
  readonly at: number;
  readonly metrics: Readonly<Record<string, number | null>>;
}

export function trueMoments(visits: readonly TrueVisit[], seconds: number): TrueMoment[] {
  return Array.from({ length: Math.ceil(seconds / STEP_SECONDS) }, (_, step) => {
    const at = step * STEP_SECONDS;
    return { at, metrics: metricsAt(visits, at) };
  });
}

/**
 * Compares the firings of a rule with the truth. Where its conditions have held for its duration without interruption and
 * its cooldown is over, it must fire within 2 s. It must not fire where they do not hold within 2 s of the firing.
 */
export function scoreRule(
  rule: TrueRule,
  fired: readonly number[],
  moments: readonly TrueMoment[],
): AlertScore {
  const cooldown = rule.cooldownMinutes * 60;
  const missed: number[] = [];
  const allowed: number[] = [];
  let since: number | null = null;
  let nearlySince: number | null = null;
  let heldAt: number | null = null;
  let dueSince: number | null = null;
  let next = 0;
  let latestSeconds = 0;
  for (const { at, metrics } of moments) {
    const isHeld = holds(rule, metrics);
    since = isHeld ? (since ?? at) : null;
    if (heldAt === null || at - heldAt > TICK_SECONDS) nearlySince = null;
    if (isHeld) [nearlySince, heldAt] = [nearlySince ?? at, at];
    if (isHeld && at - nearlySince! >= rule.durationSeconds) allowed.push(at);
    while (fired[next] !== undefined && fired[next]! <= at) {
      const lateSeconds = fired[next]! - (dueSince ?? at);
      if (dueSince !== null && lateSeconds > TOLERANCE_SECONDS + STEP_SECONDS / 2) missed.push(dueSince);
      latestSeconds = Math.max(latestSeconds, lateSeconds);
      dueSince = null;
      next++;
    }
    const last = fired[next - 1];
    const isLasting = since !== null && at - since >= rule.durationSeconds;
    const isDue = isLasting && (last === undefined || at - last >= cooldown);
    dueSince = isDue ? (dueSince ?? at) : null;
    if (dueSince === null || at - dueSince <= TOLERANCE_SECONDS) continue;
    missed.push(dueSince);
    // A firing is missed once for each cooldown.
    dueSince = at + cooldown;
  }
  return {
    fired: fired.length,
    missed,
    unfounded: fired.filter((at) => !allowed.some((held) => Math.abs(held - at) <= TOLERANCE_SECONDS)),
    withinCooldown: fired.filter((at, n) => n > 0 && at - fired[n - 1]! < cooldown),
    latestSeconds,
  };
}
