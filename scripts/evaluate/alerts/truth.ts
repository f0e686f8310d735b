import { type ShopTruth, stays, without } from '../shop/truth.ts';

// Like the judge of visits, this shares no code with what it judges: src/vision, src/metrics and src/alerts.

/** A visit with the moments at which a perfect observer would be sure; seconds. */
interface TrueVisit {
  /** Since when it waits, back-dated; null where it was served at once. */
  readonly enteredAt: number | null;
  /** Counted as waiting in `[from, until)`. */
  readonly waitsFrom: number;
  readonly waitsUntil: number;
  /** When its outcome was decided; in the future where the script ends first. */
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

/** Everybody's visits by the definitions: entered after the entry threshold, left after the exit threshold. */
export function trueVisits({ persons, parameters, seconds }: ShopTruth): TrueVisit[] {
  const { entryThresholdSeconds: entry, exitThresholdSeconds: exit } = parameters;
  const handOver = exit + parameters.trackingMaxAgeSeconds;
  const closed = (raw: readonly (readonly [number, number | null])[]) =>
    raw.map(([from, to]) => [from, to ?? seconds + 3600] as const);
  return persons.flatMap(({ queue, checkout }) => {
    const services = stays(closed(checkout), { entry, exit });
    const waits = stays(without(closed(queue), closed(checkout)), { entry, exit });
    const used = new Set<unknown>();
    const waited = waits.map(([from, to], at): TrueVisit => {
      const next = waits[at + 1]?.[0] ?? Number.POSITIVE_INFINITY;
      const service = services.find(([start]) => start >= from && start - to <= handOver && start < next);
      used.add(service);
      return {
        enteredAt: from,
        waitsFrom: from + entry,
        waitsUntil: Math.min(to + exit, service ? service[0] + entry : Number.POSITIVE_INFINITY),
        decidedAt: service ? service[1] + exit : Math.min(to + handOver, next + entry),
        isCompleted: service !== undefined,
        waitSeconds: (service ? service[0] : to) - from,
      };
    });
    const direct = services.filter((service) => !used.has(service));
    return [
      ...waited,
      ...direct.map(
        ([, to]): TrueVisit => ({
          ...{ enteredAt: null, waitsFrom: 0, waitsUntil: 0, waitSeconds: null },
          ...{ decidedAt: to + exit, isCompleted: true },
        }),
      ),
    ];
  });
}

const WINDOW_SECONDS = 300;
const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** The metrics that the rules ask for, at a second of the script. */
function metricsAt(visits: readonly TrueVisit[], at: number): TrueMoment['metrics'] {
  const waiting = visits.filter(({ waitsFrom, waitsUntil }) => waitsFrom <= at && at < waitsUntil);
  const waits = waiting.map(({ enteredAt }) => at - enteredAt!);
  const decided = visits.filter(({ decidedAt }) => decidedAt <= at && decidedAt > at - WINDOW_SECONDS);
  const completed = decided.filter(({ isCompleted }) => isCompleted);
  return {
    'current.inQueue': waiting.length,
    'current.avgWaitSeconds': mean(waits),
    'current.maxWaitSeconds': waits.length === 0 ? null : Math.max(...waits),
    'rolling5Min.abandoned.count': decided.length - completed.length,
    'rolling5Min.abandonmentRate': mean(decided.map(({ isCompleted }) => (isCompleted ? 0 : 1))),
    'rolling5Min.completed.avgWaitSeconds': mean(completed.flatMap(({ waitSeconds }) => waitSeconds ?? [])),
  };
}

function holds({ conditions, logicOperator }: TrueRule, metrics: TrueMoment['metrics']): boolean {
  const results = conditions.map(({ metricPath, operator, threshold }) => {
    const value = metrics[metricPath];
    if (value === undefined) throw new Error(`The truth does not know ${metricPath}`);
    if (value === null) return false;
    if (operator === 'GT') return value > threshold;
    if (operator === 'GTE') return value >= threshold;
    return operator === 'LT' ? value < threshold : value !== threshold;
  });
  return logicOperator === 'AND' ? results.every(Boolean) : results.some(Boolean);
}

export interface AlertVerdict {
  readonly fired: number;
  /** What should have fired and had not so long after the truth decided it. */
  readonly missed: readonly number[];
  /** Fired although the conditions held at no time near it. */
  readonly unfounded: readonly number[];
  readonly withinCooldown: readonly number[];
  /** From the truth's decision to the firing, of those it had decided first. */
  readonly latestSeconds: number;
}

const TOLERANCE_SECONDS = 2;
/** Rules are looked at once a second: a shorter break may not be seen. */
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
 * A rule's firings against the truth. Where its conditions have held for its duration without any break and its cooldown
 * since its last event is over, it must fire within 2 s; it must not fire where they do not hold within 2 s of it.
 */
export function judgeAlerts(
  rule: TrueRule,
  fired: readonly number[],
  moments: readonly TrueMoment[],
): AlertVerdict {
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
    // Once for each cooldown.
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
