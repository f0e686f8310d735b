import { describe, expect, test } from '@jest/globals';
import { METRIC_CATALOGUE } from '../../../src/metrics/catalogue.ts';
import { decidingValues, marksOf } from '../../../src/page/rules/curve.ts';
import {
  bodyOf,
  draftOf,
  MOST_CONDITIONS,
  newDraft,
  OPERATOR_NAMES,
  parseNumber,
  previewPart,
  type RuleBody,
  withChange,
  withCondition,
  withoutCondition,
} from '../../../src/page/rules/draft.ts';
import { inWindow, joinPath, metricsOf, splitPath, WINDOWS } from '../../../src/page/rules/metric-path.ts';
import { fc } from '../../support/property.ts';

const SCENE = '11111111-1111-4111-8111-111111111111';
const named = { ...newDraft(SCENE), name: 'Long queue' };

const rules: fc.Arbitrary<RuleBody> = fc.record({
  name: fc.constantFrom('Queue', '<script>alert(1)</script>'),
  description: fc.constantFrom(null, 'why'),
  severity: fc.constantFrom('warning' as const, 'critical' as const),
  conditions: fc.array(
    fc.record({
      metricPath: fc.constantFrom(...METRIC_CATALOGUE.map(({ path }) => path)),
      operator: fc.constantFrom(...OPERATOR_NAMES),
      threshold: fc.integer({ min: -10_000, max: 100_000 }).map((value) => value / 100),
    }),
    { minLength: 1, maxLength: 10 },
  ),
  logicOperator: fc.constantFrom('AND' as const, 'OR' as const),
  cooldownMinutes: fc.integer({ min: 1, max: 1440 }),
  durationSeconds: fc.integer({ min: 0, max: 3600 }),
  schedule: fc.constantFrom(null, {
    timezone: 'Europe/Berlin',
    windows: [{ days: [1, 2], start: '09:00', end: '18:00' }],
  }),
});

describe('a draft of a rule', () => {
  test('that nobody changes gives the rule back', () => {
    fc.assert(
      fc.property(rules, (rule) => {
        for (const place of [{ sceneId: SCENE }, { siteId: SCENE }]) {
          const whole = { ...rule, ...place };
          expect(bodyOf(draftOf(whole, METRIC_CATALOGUE), METRIC_CATALOGUE).body).toEqual(whole);
        }
      }),
    );
  });

  test('shows shares in percent', () => {
    const condition = {
      metricPath: 'rolling60Min.abandonmentRate',
      operator: 'GT',
      threshold: 0.07,
    } as const;
    const rule = { ...bodyOf(named, METRIC_CATALOGUE).body!, conditions: [condition] };
    const draft = draftOf(rule, METRIC_CATALOGUE);
    expect(draft.conditions[0]!.threshold).toBe('7');
    expect(bodyOf(draft, METRIC_CATALOGUE).body!.conditions[0]!.threshold).toBe(0.07);
  });

  test.each([
    [{ name: '  ' }, { name: 'missing' }],
    [{ sceneId: '' }, { sceneId: 'missing' }],
    [{ cooldownMinutes: '0' }, { cooldownMinutes: 'range' }],
    [{ cooldownMinutes: '1.5' }, { cooldownMinutes: 'number' }],
    [{ durationMinutes: '60.1' }, { durationSeconds: 'range' }],
    [{ durationMinutes: '' }, { durationSeconds: 'number' }],
    [
      { schedule: { timezone: 'UTC', windows: [{ days: [], start: '09:00', end: '10:00' }] } },
      { 'schedule.windows[0].days': 'days' },
    ],
  ])('with %j has the faults %j', (change, faults) => {
    expect(bodyOf({ ...named, ...change }, METRIC_CATALOGUE).faults).toEqual(faults);
  });

  test('names the condition whose threshold is no number', () => {
    const draft = withChange(withCondition(named), 1, { threshold: 'many' });
    expect(bodyOf(draft, METRIC_CATALOGUE).faults).toEqual({ 'conditions[1].threshold': 'number' });
    expect(previewPart(draft, METRIC_CATALOGUE)).toBeUndefined();
  });

  test('can be previewed before it has a name', () => {
    expect(previewPart({ ...named, name: '' }, METRIC_CATALOGUE)).toMatchObject({ sceneId: SCENE });
    expect(previewPart(named, METRIC_CATALOGUE)).not.toHaveProperty('name');
  });

  test('keeps one condition, and has ten at most', () => {
    expect(withoutCondition(named, 0)).toBe(named);
    let draft = named;
    for (let count = 0; count < 20; count += 1) draft = withCondition(draft);
    expect(draft.conditions).toHaveLength(MOST_CONDITIONS);
    expect(new Set(draft.conditions.map(({ key }) => key)).size).toBe(MOST_CONDITIONS);
    expect(withoutCondition(draft, 3).conditions.map(({ key }) => key)).not.toContain(3);
  });
});

test.each([
  ['5', 5],
  [' 2,5 ', 2.5],
  ['−3', -3],
  ['.5', 0.5],
  ['', undefined],
  ['1e9', undefined],
  ['1.2.3', undefined],
  ['5 people', undefined],
  ['9'.repeat(30), undefined],
])('the text %j is the number %p', (text, value) => expect(parseNumber(text)).toBe(value));

describe('paths of metrics', () => {
  test('are a window and a name', () => {
    for (const { path } of METRIC_CATALOGUE) {
      const { window, name } = splitPath(path);
      expect(joinPath(window, name)).toBe(path);
      expect(WINDOWS).toContain(window);
    }
  });

  test('lead to the same metric of another window, where it has it', () => {
    const other = inWindow(METRIC_CATALOGUE, 'rolling5Min.completed.p90WaitSeconds', 'rolling60Min');
    expect(other).toBe('rolling60Min.completed.p90WaitSeconds');
    expect(inWindow(METRIC_CATALOGUE, 'current.inQueue', 'total')).toBe(
      metricsOf(METRIC_CATALOGUE, 'total')[0]!.path,
    );
  });
});

test('the curve of a condition has the values that decide about it, and its own firings', () => {
  const curve = { metricPath: 'current.inQueue', t: [], min: [1], max: [9] };
  expect(['GT', 'GTE', 'EQ', 'NEQ'].map((name) => decidingValues(curve, name as 'GT'))).toEqual(
    Array(4).fill([9]),
  );
  expect(decidingValues(curve, 'LTE')).toEqual([1]);
  const firing = { triggeredAt: '2026-01-01T00:00:00.000Z', metricPath: 'current.inQueue', actualValue: 7 };
  expect(marksOf([firing, { ...firing, metricPath: 'other' }], 'current.inQueue')).toEqual([
    { ms: Date.UTC(2026, 0, 1), value: 7 },
  ]);
});
