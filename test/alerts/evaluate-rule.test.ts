import { describe, expect, test } from '@jest/globals';
import { type Condition, firstHeld, OPERATORS, type Operator } from '../../src/alerts/conditions.ts';
import { evaluateRule, FRESH_STATE, type RuleState, type RuleTerms } from '../../src/alerts/evaluate-rule.ts';
import { fc } from '../support/property.ts';

const on = (operator: Operator, threshold: number, metricPath = 'a'): Condition => ({
  metricPath,
  operator,
  threshold,
});
const reading = (values: Record<string, number | null>) => (path: string) => values[path] ?? null;

const TERMS: RuleTerms = {
  conditions: [on('GT', 5)],
  logicOperator: 'OR',
  cooldownMinutes: 5,
  durationSeconds: 0,
  schedule: null,
};

interface Sample {
  readonly second: number;
  readonly value: number | null;
}

/** The seconds at which a rule fires over samples of the metric `a`. */
function firings(
  terms: Partial<RuleTerms>,
  samples: readonly Sample[],
  from: RuleState = FRESH_STATE,
): number[] {
  let state = from;
  return samples.flatMap(({ second, value }) => {
    const tick = { atMs: second * 1000, measure: reading({ a: value }) };
    const { state: next, fired } = evaluateRule({ ...TERMS, ...terms }, state, tick);
    state = next;
    return fired ? [second] : [];
  });
}

const seconds = (from: number, to: number, value: (second: number) => number | null): Sample[] =>
  Array.from({ length: to - from }, (_, n) => ({ second: from + n, value: value(from + n) }));

describe('a condition', () => {
  test.each<[Operator, boolean, boolean, boolean]>([
    ['GT', false, false, true],
    ['GTE', false, true, true],
    ['LT', true, false, false],
    ['LTE', true, true, false],
    ['EQ', false, true, false],
    ['NEQ', true, false, true],
  ])('%s holds or not below, at and above its threshold', (operator, below, at, above) => {
    const holds = [4, 5, 6].map((value) => firstHeld([on(operator, 5)], 'OR', () => value) !== null);
    expect(holds).toEqual([below, at, above]);
  });

  test.each(Object.keys(OPERATORS) as Operator[])(
    '%s does not hold for a metric that was not measured',
    (operator) => {
      expect(firstHeld([on(operator, 0)], 'OR', () => null)).toBeNull();
      expect(firstHeld([on(operator, 0)], 'AND', () => null)).toBeNull();
    },
  );
});

describe('conditions together', () => {
  const [a, b, c] = [on('GT', 5, 'a'), on('LT', 2, 'b'), on('EQ', 1, 'c')];
  test.each<['AND' | 'OR', Record<string, number | null>, string | null]>([
    ['OR', { a: 6, b: 1, c: 1 }, 'a'],
    ['OR', { a: 5, b: 1, c: 1 }, 'b'],
    ['OR', { a: null, b: 2, c: 1 }, 'c'],
    ['OR', { a: 5, b: 2, c: 0 }, null],
    ['AND', { a: 6, b: 1, c: 1 }, 'a'],
    ['AND', { a: 6, b: 1, c: 0 }, null],
    ['AND', { a: 6, b: null, c: 1 }, null],
  ])('%s over %j: the first true condition is %s', (logic, values, expected) => {
    const held = firstHeld([a, b, c], logic, reading(values));
    expect(held?.metricPath ?? null).toBe(expected);
    if (held) expect(held.actualValue).toBe(values[held.metricPath]);
  });

  test('AND requires every condition, OR requires one', () => {
    const condition = fc.record({
      metricPath: fc.constantFrom('a', 'b', 'c'),
      operator: fc.constantFrom(...(Object.keys(OPERATORS) as Operator[])),
      threshold: fc.integer({ min: -2, max: 2 }),
    });
    const value = fc.option(fc.integer({ min: -2, max: 2 }), { freq: 3 });
    fc.assert(
      fc.property(
        fc.array(condition, { minLength: 1, maxLength: 10 }),
        fc.record({ a: value, b: value, c: value }),
        (conditions, values) => {
          const one = (c: Condition) => firstHeld([c], 'OR', reading(values)) !== null;
          expect(firstHeld(conditions, 'AND', reading(values)) !== null).toBe(conditions.every(one));
          const first = conditions.find(one);
          expect(firstHeld(conditions, 'OR', reading(values))).toEqual(
            first ? { ...first, actualValue: values[first.metricPath as 'a'] } : null,
          );
        },
      ),
    );
  });
});

describe('a rule', () => {
  test('a rule fires at once, then each time the cooldown has passed', () => {
    expect(
      firings(
        {},
        seconds(0, 901, () => 6),
      ),
    ).toEqual([0, 300, 600, 900]);
  });

  test('10 s above and 10 s below the threshold for an hour, with a cooldown of 5 minutes: twelve events', () => {
    const zigzag = seconds(0, 3600, (second) => (second % 20 < 10 ? 6 : 4));
    expect(firings({}, zigzag)).toHaveLength(12);
  });

  test('a rule continues from its state after a restart in the middle', () => {
    const restarted: RuleState = { ...FRESH_STATE, lastTriggeredMs: 1_500_000 };
    const zigzag = seconds(1700, 3600, (second) => (second % 20 < 10 ? 6 : 4));
    expect(firings({}, zigzag, restarted)).toEqual([1800, 2100, 2400, 2700, 3000, 3300]);
  });

  test('a rule fires after the cooldown when its conditions became true during it and still hold', () => {
    const samples = seconds(0, 400, (second) => (second === 0 || second >= 200 ? 6 : 0));
    expect(firings({}, samples)).toEqual([0, 300]);
  });

  test('the conditions must hold for the duration, counted from their first true tick', () => {
    expect(
      firings(
        { durationSeconds: 30 },
        seconds(0, 100, (s) => (s >= 10 ? 6 : 0)),
      ),
    ).toEqual([40]);
  });

  test.each<[string, (second: number) => number | null]>([
    ['false', (second) => (second === 25 ? 5 : 6)],
    ['not measured', (second) => (second === 25 ? null : 6)],
  ])('the duration starts anew after a tick that is %s', (_, value) => {
    expect(firings({ durationSeconds: 30 }, seconds(0, 100, value))).toEqual([56]);
  });

  test('the duration starts anew after a gap of more than 5 s without frames', () => {
    const without = (from: number, to: number) =>
      seconds(0, 60, () => 6).filter(({ second }) => second <= from || second >= to);
    expect(firings({ durationSeconds: 30 }, without(20, 25))).toEqual([30]);
    expect(firings({ durationSeconds: 30 }, without(20, 26))).toEqual([56]);
  });

  test('a tick with frames since the last one has no gap', () => {
    let state = FRESH_STATE;
    const fired: number[] = [];
    for (let second = 10; second <= 60; second += 10) {
      const tick = { atMs: second * 1000, watchedSinceMs: (second - 10) * 1000, measure: () => 6 };
      const result = evaluateRule({ ...TERMS, durationSeconds: 30 }, state, tick);
      state = result.state;
      if (result.fired) fired.push(second);
    }
    expect(fired).toEqual([40]);
  });

  test('a rule does nothing outside its schedule, and its duration starts with the window', () => {
    const schedule = { timezone: 'UTC', windows: [{ days: [4], start: '00:01', end: '00:02' }] };
    const samples = seconds(0, 300, () => 6);
    expect(firings({ schedule }, samples)).toEqual([60]);
    expect(firings({ schedule, durationSeconds: 20 }, samples)).toEqual([80]);
    expect(firings({ schedule, durationSeconds: 60 }, samples)).toEqual([]);
  });

  test('isFiring is true while the conditions have held for the duration, whatever the cooldown', () => {
    let state = FRESH_STATE;
    const states = seconds(0, 60, (s) => (s < 20 || s >= 40 ? 6 : 0)).map(({ second, value }) => {
      state = evaluateRule({ ...TERMS, durationSeconds: 10 }, state, {
        atMs: second * 1000,
        measure: () => value,
      }).state;
      return state.isFiring;
    });
    const changes = states.flatMap((now, at) => (now !== (states[at - 1] ?? false) ? [at] : []));
    expect(changes).toEqual([10, 20, 50]);
  });

  test('a tick that is not newer changes nothing', () => {
    const tick = { atMs: 10_000, measure: () => 6 };
    const { state } = evaluateRule(TERMS, FRESH_STATE, tick);
    for (const atMs of [10_000, 9_000]) {
      expect(evaluateRule({ ...TERMS, cooldownMinutes: 0 }, state, { ...tick, atMs })).toEqual({
        state,
        fired: null,
      });
    }
  });
});

describe('whatever a metric does', () => {
  const samples = fc
    .array(
      fc.record({
        step: fc.constantFrom(1, 1, 1, 1, 2, 5, 6, 40),
        value: fc.option(fc.constantFrom(4, 5, 6, 7), { freq: 8 }),
      }),
      { maxLength: 400 },
    )
    .map((steps) => {
      let second = 0;
      return steps.map(({ step, value }): Sample => {
        second += step;
        return { second, value };
      });
    });
  const terms = fc.record({
    cooldownMinutes: fc.integer({ min: 1, max: 3 }),
    durationSeconds: fc.integer({ min: 0, max: 20 }),
  });

  /** The definition of a rule, applied to all samples at once. */
  function byDefinition({ cooldownMinutes, durationSeconds }: RuleTerms, all: readonly Sample[]): number[] {
    const fired: number[] = [];
    for (const [at, { second }] of all.entries()) {
      let from = at;
      const holds = (n: number) => (all[n]?.value ?? 0) > 5;
      while (from > 0 && holds(from - 1) && all[from]!.second - all[from - 1]!.second <= 5) from -= 1;
      const lasts = holds(at) && second - all[from]!.second >= durationSeconds;
      const last = fired.at(-1);
      if (lasts && (last === undefined || second - last >= cooldownMinutes * 60)) fired.push(second);
    }
    return fired;
  }

  test('a rule fires exactly when its definition says so', () => {
    fc.assert(
      fc.property(terms, samples, (given, all) => {
        expect(firings(given, all)).toEqual(byDefinition({ ...TERMS, ...given }, all));
      }),
    );
  });

  test('a restart at any tick changes nothing when the state is kept', () => {
    fc.assert(
      fc.property(terms, samples, fc.nat(400), (given, all, cut) => {
        let state = FRESH_STATE;
        for (const { second, value } of all.slice(0, cut)) {
          state = evaluateRule({ ...TERMS, ...given }, state, {
            atMs: second * 1000,
            measure: () => value,
          }).state;
        }
        const before = firings(given, all.slice(0, cut));
        expect([...before, ...firings(given, all.slice(cut), state)]).toEqual(firings(given, all));
      }),
    );
  });
});
