/** The operators of conditions: their symbols and their meaning. */
export const OPERATORS = {
  GT: { symbol: '>', holds: (value: number, threshold: number) => value > threshold },
  GTE: { symbol: '≥', holds: (value: number, threshold: number) => value >= threshold },
  LT: { symbol: '<', holds: (value: number, threshold: number) => value < threshold },
  LTE: { symbol: '≤', holds: (value: number, threshold: number) => value <= threshold },
  EQ: { symbol: '=', holds: (value: number, threshold: number) => value === threshold },
  NEQ: { symbol: '≠', holds: (value: number, threshold: number) => value !== threshold },
} as const;

export type Operator = keyof typeof OPERATORS;
export type LogicOperator = 'AND' | 'OR';

export interface Condition {
  readonly metricPath: string;
  readonly operator: Operator;
  readonly threshold: number;
}

/** A condition that holds, with the value of its metric. */
export interface HeldCondition extends Condition {
  readonly actualValue: number;
}

/** @returns null where the metric was not measured */
export type Measure = (metricPath: string) => number | null;

/** The condition if it holds. For a metric that was not measured no operator holds, not even NEQ. */
function held(condition: Condition, measure: Measure): HeldCondition | null {
  const { metricPath, operator, threshold } = condition;
  const actualValue = measure(metricPath);
  if (actualValue === null || !OPERATORS[operator].holds(actualValue, threshold)) return null;
  return { metricPath, operator, threshold, actualValue };
}

/** The first true condition if the conditions of a rule hold together, else null. */
export function firstHeld(
  conditions: readonly Condition[],
  logicOperator: LogicOperator,
  measure: Measure,
): HeldCondition | null {
  const results = conditions.map((condition) => held(condition, measure));
  if (logicOperator === 'AND' && results.includes(null)) return null;
  return results.find((result) => result !== null) ?? null;
}
