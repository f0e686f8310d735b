// Three metrics as somebody would add them: an entry each, and one new sum. Import it before everything that reads the catalogue.
import { VISIT_COUNTS } from '../../../src/catalogue/metrics/counted.ts';
import { CURRENT_METRICS } from '../../../src/catalogue/metrics/current-metrics.ts';
import { ENDED_METRICS } from '../../../src/catalogue/metrics/ended-metrics.ts';
import { count, made } from '../../../src/catalogue/metrics/expressions.ts';
import type { CurrentMetric, Kept, TimeMetric } from '../../../src/catalogue/metrics/metric.ts';
import { ANY, BOTH, QUEUE } from '../../../src/catalogue/metrics/needed-zones.ts';
import { WINDOW_METRICS } from '../../../src/catalogue/metrics/window-metrics.ts';

const QUICK_SECONDS = 60;

Object.assign(VISIT_COUNTS, {
  quick: {
    is: ({ outcome, wait }: { outcome: string | null; wait: number | null }) =>
      outcome === 'completed' && wait !== null && wait <= QUICK_SECONDS,
    sql: `outcome = 'completed' AND wait <= ${QUICK_SECONDS}`,
  },
});

const patient: CurrentMetric = {
  name: 'patientPeople',
  slot: 90,
  label: 'Patient people',
  words: { en: 'People with much patience', de: 'Geduldige' },
  unit: 'count',
  zones: QUEUE,
  description: 'People who have waited for a minute',
  value: ({ waits }) => waits.filter((seconds) => seconds >= QUICK_SECONDS).length,
  ofSite: 'sum',
  usual: 'quickCount',
  mqtt: { current: { key: 'patient', icon: 'mdi:meditation' } },
  example: 3,
};

const lostShare: TimeMetric & Kept = {
  name: 'lostShare',
  slot: 90,
  label: 'Share lost',
  words: { en: 'Share lost from sight', de: 'Anteil der Verlorenen' },
  unit: 'share',
  zones: ANY,
  description: 'Lost ÷ all whose visit was decided, 0-1',
  expression: made(['lost', 'completed', 'abandoned'], ({ lost, completed, abandoned }) =>
    lost + completed + abandoned === 0 ? null : lost / (lost + completed + abandoned),
  ),
  history: { name: 'lostShare' },
  report: { name: 'lostShare' },
  mqtt: { total: { key: 'lost_share', icon: 'mdi:help' } },
  example: 0.25,
};

const quick: TimeMetric & Kept = {
  name: 'quickCount',
  slot: 91,
  label: 'Served quickly',
  words: { en: 'People served quickly', de: 'Schnell Bediente' },
  unit: 'count',
  zones: BOTH,
  description: 'People who were served after at most a minute',
  expression: count('quick' as 'completed'),
  history: { name: 'quick', isInWeek: true },
  report: {
    name: 'quick',
    change: 'the people who were served quickly',
    tile: { en: 'Quick ones', de: 'Die Schnellen' },
  },
  mqtt: { rolling15Min: true },
  example: 9,
};

const add = <Metric>(list: readonly Metric[], metric: Metric): void => void (list as Metric[]).push(metric);
add<CurrentMetric>(CURRENT_METRICS, patient);
add<TimeMetric & Kept>(ENDED_METRICS, lostShare);
add<TimeMetric & Kept>(WINDOW_METRICS, quick);
