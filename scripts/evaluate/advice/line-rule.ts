import type { Staffing } from './staffed-day.ts';

/** A rule on the length of the line, as shops have it: one more till when the line is long, one fewer when it is short. */
export interface LineRule {
  /** Tills that are always open. */
  readonly least: number;
  /** People who wait for each open till when one more opens. */
  readonly opensAt: number;
  /** People who wait for each till that would stay when one closes. */
  readonly closesAt: number;
  readonly closesAfterSeconds: number;
}

/** A cashier who was called is there before another is called. */
const PAUSE_SECONDS = 60;

/** Every rule that is tried for a shop: the best of them is what the advice is compared with. */
export function lineRules(tills: number): LineRule[] {
  const rules: LineRule[] = [];
  for (const least of [1, 2, 3].filter((count) => count < tills))
    for (const opensAt of [1, 1.5, 2, 3, 4])
      for (const closesAt of [0, 0.5, 1])
        for (const closesAfterSeconds of [30, 120, 300, 600])
          rules.push({ least, opensAt, closesAt, closesAfterSeconds });
  return rules;
}

export function followRule(rule: LineRule): Staffing {
  let shortSince = Number.NaN;
  let changedAt = Number.NEGATIVE_INFINITY;
  return ({ now, line, open }) => {
    if (line.length > rule.closesAt * (open - 1)) shortSince = Number.NaN;
    else if (Number.isNaN(shortSince)) shortSince = now;
    if (open < rule.least) return rule.least;
    if (now - changedAt < PAUSE_SECONDS) return open;
    const opens = line.length >= rule.opensAt * open;
    const closes = open > rule.least && now - shortSince >= rule.closesAfterSeconds;
    if (!opens && !closes) return open;
    changedAt = now;
    shortSince = Number.NaN;
    return open + (opens ? 1 : -1);
  };
}
