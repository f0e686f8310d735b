import { average, percentOf, perHour } from './arithmetic.ts';
import { expectedError } from './expected-error.ts';
import { made, plain } from './expressions.ts';
import { LINE_SUMS } from './line-features.ts';
import type { Kept, TimeMetric } from './metric.ts';
import { ANY, CHECKOUT, QUEUE } from './needed-zones.ts';

/** An expected error, which has the same name in history and reports. */
const errorMetric = <const Name extends string>(
  name: Name,
  entry: Pick<TimeMetric & Kept, 'slot' | 'label' | 'words' | 'description' | 'expression' | 'example'>,
) => ({ unit: 'percent', zones: QUEUE, name, history: { name }, report: { name }, ...entry }) as const;

/** Numbers of rolling windows that are not kept since the start: its span has long pauses. In the order of the answers. */
export const WINDOW_METRICS = [
  {
    name: 'throughputPerHour',
    slot: 23,
    label: 'Served per hour',
    words: { en: 'Served per hour', de: 'Bediente pro Stunde' },
    unit: 'perHour',
    zones: ANY,
    description:
      'People served per hour of time with frames; null with less than 10 minutes of them and fewer than three people served',
    // Of several scenes with frames, per hour of their mean time.
    expression: made(['completed', 'coveredMs', 'scenes'], ({ completed, coveredMs, scenes }) =>
      perHour(completed, coveredMs / scenes),
    ),
    history: { name: 'throughputPerHour', column: 6 },
    mqtt: { rolling15Min: { key: 'throughput_15_min', icon: 'mdi:account-arrow-right' } },
    example: 60,
  },
  {
    name: 'avgInQueue',
    slot: 24,
    label: 'Average queue',
    words: { en: 'Average queue', de: 'Mittlere Schlange' },
    unit: 'count',
    isFraction: true,
    zones: QUEUE,
    description: 'Queue length averaged over time',
    expression: plain('inQueueMsMean'),
    history: { name: 'avgInQueue', column: 7, isInWeek: true },
    example: 4.2,
  },
  {
    name: 'maxInQueue',
    slot: 25,
    label: 'Longest queue',
    words: { en: 'Longest queue', de: 'Längste Schlange' },
    unit: 'count',
    zones: QUEUE,
    description: 'Longest queue',
    expression: plain('maxInQueue'),
    history: { name: 'maxInQueue', column: 8, isInWeek: true },
    example: 7,
  },
  {
    name: 'avgInService',
    slot: 26,
    label: 'Average in service',
    words: { en: 'Average being served', de: 'Im Mittel in Bedienung' },
    unit: 'count',
    isFraction: true,
    zones: CHECKOUT,
    description: 'People in service averaged over time',
    expression: plain('inServiceMsMean'),
    history: { name: 'avgInService', column: 9 },
    example: 0.87,
  },
  {
    name: 'serverUtilization',
    slot: 27,
    label: 'Utilisation',
    words: { en: 'Utilisation', de: 'Auslastung' },
    unit: 'share',
    zones: CHECKOUT,
    description: 'Share of time with a person in service, 0-1',
    expression: made(['busyMs', 'coveredMs'], ({ busyMs, coveredMs }) => average(busyMs, coveredMs)),
    history: { name: 'serverUtilization', column: 11 },
    example: 0.87,
  },
  {
    name: 'coveragePercent',
    slot: 28,
    label: 'Coverage',
    words: { en: 'Coverage', de: 'Abdeckung' },
    unit: 'percent',
    isAlways: true,
    zones: ANY,
    description: 'Share of the window with frames, 0-100',
    expression: made(['leastCoveredMs', 'elapsedMs'], ({ leastCoveredMs, elapsedMs }) =>
      percentOf(leastCoveredMs, elapsedMs),
    ),
    mqtt: { rolling15Min: { key: 'coverage_15_min', icon: 'mdi:eye', isDiagnostic: true } },
    example: 100,
  },
  errorMetric('expectedErrorPercent', {
    slot: 29,
    label: 'Expected error',
    words: { en: 'Expected error of the queue', de: 'Erwarteter Fehler der Schlange' },
    description:
      'Expected error of the average queue length, in percent of it, estimated without labels from how well the people in the line were seen; 100 means 100 or more. Above 20 the numbers are doubtful. Null without a queue zone, without frames, with less than half a minute of people in the line, and for times before it was measured',
    expression: made(LINE_SUMS, expectedError('length')),
    example: 8.5,
  }),
  errorMetric('expectedErrorLowPercent', {
    slot: 30,
    label: 'Expected error, at least',
    words: { en: 'Expected error of the queue, at least', de: 'Erwarteter Fehler der Schlange, mindestens' },
    description: 'In 9 of 10 cases the error of the queue length is larger',
    expression: made(LINE_SUMS, expectedError('length', 'low')),
    example: 4.1,
  }),
  errorMetric('expectedErrorHighPercent', {
    slot: 31,
    label: 'Expected error, at most',
    words: { en: 'Expected error of the queue, at most', de: 'Erwarteter Fehler der Schlange, höchstens' },
    description: 'In 9 of 10 cases the error of the queue length is smaller',
    expression: made(LINE_SUMS, expectedError('length', 'high')),
    example: 15.2,
  }),
  errorMetric('expectedWaitErrorPercent', {
    slot: 32,
    label: 'Expected error of the wait',
    words: { en: 'Expected error of the wait', de: 'Erwarteter Fehler der Wartezeit' },
    description:
      'Expected error of the mean time in the line, in percent of it, estimated like `expectedErrorPercent` and null where that is null',
    expression: made(LINE_SUMS, expectedError('wait')),
    example: 6.3,
  }),
  errorMetric('expectedWaitErrorLowPercent', {
    slot: 33,
    label: 'Expected error of the wait, at least',
    words: { en: 'Expected error of the wait, at least', de: 'Erwarteter Fehler der Wartezeit, mindestens' },
    description: 'In 9 of 10 cases the error of the mean time in the line is larger',
    expression: made(LINE_SUMS, expectedError('wait', 'low')),
    example: 1.9,
  }),
  errorMetric('expectedWaitErrorHighPercent', {
    slot: 34,
    label: 'Expected error of the wait, at most',
    words: { en: 'Expected error of the wait, at most', de: 'Erwarteter Fehler der Wartezeit, höchstens' },
    description: 'In 9 of 10 cases the error of the mean time in the line is smaller',
    expression: made(LINE_SUMS, expectedError('wait', 'high')),
    example: 14.7,
  }),
] as const satisfies readonly (TimeMetric & Kept)[];

/** Numbers of history and reports that rules and live metrics do not have. */
export const HISTORY_METRICS = [
  {
    name: 'maxInService',
    label: 'Most in service',
    words: { en: 'Peak being served', de: 'Spitze in Bedienung' },
    unit: 'count',
    zones: CHECKOUT,
    description: 'Most people in service at the same time',
    expression: plain('maxInService'),
    history: { name: 'maxInService', column: 10 },
    example: 1,
  },
  {
    name: 'p50ServiceSeconds',
    label: 'Median service',
    words: { en: 'Median service', de: 'Median der Bedienzeit' },
    unit: 'seconds',
    zones: CHECKOUT,
    description: 'Half of the services took no longer',
    expression: plain('serviceP50'),
    report: {
      name: 'p50ServiceSeconds',
      change: 'the median service',
      tile: { en: 'Service (median)', de: 'Bedienzeit (Median)' },
    },
    example: 48.8,
  },
] as const satisfies readonly TimeMetric[];
