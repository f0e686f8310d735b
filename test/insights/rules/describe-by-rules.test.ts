import { describe, expect, test } from '@jest/globals';
import type { AlertFacts } from '../../../src/alerts/alert-facts.ts';
import { describeByRules } from '../../../src/insights/rules/describe-by-rules.ts';
import type { Material } from '../../../src/insights/writer.ts';
import { QueueMetrics } from '../../../src/metrics/queue-metrics.ts';
import { SHOP_ZONES } from '../../../src/simulator/shop-zones.ts';
import type { QueueZones, Visit } from '../../../src/vision/types.ts';
import { closed, inService, waiting } from '../../metrics/visits.ts';

const NOW_MS = Date.UTC(2026, 10, 22, 21, 4);
const { queueZone, checkoutZone } = SHOP_ZONES;

interface Given {
  readonly zones?: QueueZones;
  readonly open?: readonly Visit[];
  readonly changes?: readonly Visit[];
  readonly heldSeconds?: number;
  readonly facts?: Partial<AlertFacts>;
}

/** An alert with these metrics, whose conditions have held for so long. */
function materialOf(alert: Partial<Material>, given: Given = {}): Material {
  const { zones = SHOP_ZONES, open = [], changes = [], heldSeconds = 40, facts } = given;
  const metrics = new QueueMetrics({ zones });
  metrics.observe({ timeMs: NOW_MS, changes, openVisits: open });
  const condition = { metricPath: 'current.inQueue', operator: 'GT' as const, threshold: 1 };
  return {
    sceneId: 's',
    sceneName: 'Till 3',
    deviceName: 'Camera',
    severity: 'warning',
    triggeredAt: new Date(NOW_MS),
    timezone: null,
    locale: null,
    message: '',
    ...condition,
    actualValue: 2,
    facts: {
      version: 1,
      ruleName: 'Long queue',
      conditions: [condition],
      logicOperator: 'OR',
      durationSeconds: 0,
      holdingSince: new Date(NOW_MS - heldSeconds * 1000).toISOString(),
      timezone: null,
      seen: 'person',
      zones: (['queueZone', 'checkoutZone'] as const).filter((name) => zones[name]),
      tracks: [],
      metrics: metrics.at(NOW_MS),
      ...facts,
    },
    images: [],
    ...alert,
  };
}

const summaryOf = (material: Material) => describeByRules(material, null).summary;
const LONG_WAIT = waiting(1, NOW_MS - 271_000);
const SHORT_WAIT = waiting(2, NOW_MS - 43_000);
const CONDITIONS = ['current.inQueue', 'current.inService'].map((metricPath) => ({
  metricPath,
  operator: 'GT' as const,
  threshold: 1,
}));

describe('how long a rule’s condition has held', () => {
  test('the text tells how long the condition has held, beside a longer wait', () => {
    const summary = summaryOf(materialOf({}, { open: [LONG_WAIT, SHORT_WAIT] }));
    expect(summary).toContain('It has been so since 21:03 UTC, for 40 s.');
    expect(summary).toContain('2 people are waiting, the longest for 4 min 31 s');
    expect(summary).not.toMatch(/already/);
  });

  test('a longest wait that was above the threshold before the rule watched is described so', () => {
    const alert = { metricPath: 'current.maxWaitSeconds', threshold: 30, actualValue: 271 };
    const summary = summaryOf(materialOf(alert, { open: [LONG_WAIT] }));
    expect(summary).toContain('Till 3: longest wait so far 4 min 31 s, limit 30 s.');
    expect(summary).toContain('It was so already when the rule began to watch at 21:03 UTC, 40 s ago.');
    expect(summary).not.toContain('has been');
  });

  test('a longest wait that passed the threshold while the rule watched is described since then', () => {
    const alert = { metricPath: 'current.maxWaitSeconds', threshold: 231, actualValue: 271.4 };
    expect(summaryOf(materialOf(alert, { open: [LONG_WAIT] }))).toContain(
      'It has been so since 21:03 UTC, for 40 s.',
    );
  });

  test.each([
    ['AND', 'All conditions of the rule have been so since 21:03 UTC, for 40 s.'],
    ['OR', 'It has been so since 21:03 UTC, for 40 s.'],
  ] as const)(
    'for conditions joined by %s the text tells which of them have held',
    (logicOperator, expected) => {
      const facts = { conditions: CONDITIONS, logicOperator };
      const alert = { metricPath: 'current.maxWaitSeconds', threshold: 30, actualValue: 271 };
      expect(summaryOf(materialOf(alert, { open: [LONG_WAIT], facts }))).toContain(expected);
    },
  );

  test('the duration is left out when the condition has just begun, and times are in the zone of the camera', () => {
    const camera = { timezone: 'Europe/Berlin' };
    const summary = summaryOf(materialOf(camera, { open: [SHORT_WAIT], heldSeconds: 0 }));
    expect(summary).toContain('It has been so since 22:04.');
  });
});

describe('the text leaves out what the zones do not measure', () => {
  test('with only a checkout zone the text has no queue', () => {
    const open = [{ ...inService(LONG_WAIT, NOW_MS - 60_000), queueEnteredAtMs: null, queueLeftAtMs: null }];
    const alert = { metricPath: 'current.inService', threshold: 0, actualValue: 1 };
    const material = materialOf(alert, { zones: { checkoutZone }, open });
    const { summary, activities } = describeByRules(material, null);
    expect(summary).toContain('1 person is being served.');
    expect(summary).not.toMatch(/waiting|gave up/);
    expect(activities).toEqual(['1 person being served at the checkout']);
  });

  test('with only a queue zone the text has no service, and people leave the queue', () => {
    const changes = [closed(SHORT_WAIT, 'completed', NOW_MS)];
    const material = materialOf({}, { zones: { queueZone }, open: [LONG_WAIT], changes });
    const { summary, activities } = describeByRules(material, null);
    expect(summary).toContain('1 person is waiting, the longest for 4 min 31 s.');
    expect(summary).toContain('1 left the queue.');
    expect(summary).not.toMatch(/serv/);
    expect(activities).toEqual(['1 person waiting in the queue']);
  });

  test('with both zones an empty queue is described', () => {
    const { summary, activities } = describeByRules(materialOf({}), null);
    expect(summary).toContain('Nobody is waiting; nobody in service.');
    expect(activities).toEqual(['nobody waiting in the queue', 'nobody being served at the checkout']);
  });
});

test('the text is in the language of the account, with the name of the place', () => {
  const alert = { metricPath: 'current.maxWaitSeconds', threshold: 90, actualValue: 271 };
  const place = { locale: 'de-AT', sceneName: 'Schlange', deviceName: 'Kasse 1' };
  const { summary, activities, suggestions, environment } = describeByRules(
    materialOf({ ...alert, ...place }, { open: [LONG_WAIT, SHORT_WAIT] }),
    { value: 60, days: 7 },
  );
  expect(summary).toBe(
    'Kasse 1: Längste bisherige Wartezeit 4 min 31 s, Grenze 1 min 30 s. So war es schon, als die Regel um 21:03 UTC, vor 40 s, zu beobachten begann. Um diese Zeit sind es sonst etwa 1 min (letzte 7 Tage): jetzt das 4,5-Fache davon. 2 Personen warten, am längsten seit 4 min 31 s; niemand in Bedienung.',
  );
  expect(activities).toEqual(['2 Personen in der Schlange', 'niemand in Bedienung']);
  expect(suggestions[0]).toBe('Jemanden an die Kasse schicken: Leute warten, und niemand wird bedient');
  expect(environment).toBe('Schlange und Kasse');
});

test('an hour of which little was seen is not told as the last hour', () => {
  const seenFor = (minutes: number) => {
    const metrics = new QueueMetrics({ zones: SHOP_ZONES });
    for (let second = minutes * 60; second >= 0; second--)
      metrics.observe({ timeMs: NOW_MS - second * 1000, changes: [], openVisits: [LONG_WAIT] });
    return summaryOf(materialOf({}, { facts: { metrics: metrics.at(NOW_MS) } }));
  };
  expect(seenFor(1)).not.toContain('last hour');
  expect(seenFor(40)).toContain('Over the last hour it was 1; ');
});
