import { average, percentOf, perHour } from './arithmetic.ts';
import { expectedError } from './expected-error.ts';
import { made, plain } from './expressions.ts';
import { LINE_SUMS } from './line-features.ts';
import type { TimeMetric } from './metric.ts';
import { ANY, CHECKOUT, QUEUE } from './needed-zones.ts';

/** What the expected errors have in common. */
const OF_ERROR = { unit: 'percent', zones: QUEUE } as const;

/** Numbers of rolling windows that are not kept since the start: its span has long pauses. In the order of the answers. */
export const WINDOW_METRICS = [
  {
    name: 'throughputPerHour',
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
  {
    ...OF_ERROR,
    name: 'expectedErrorPercent',
    label: 'Expected error',
    words: { en: 'Expected error of the queue', de: 'Erwarteter Fehler der Schlange' },
    description:
      'Expected error of the average queue length, in percent of it, estimated without labels from how well the people in the line were seen; 100 means 100 or more. Above 20 the numbers are doubtful. Null without a queue zone, without frames, with less than half a minute of people in the line, and for times before it was measured',
    expression: made(LINE_SUMS, expectedError('length')),
    history: { name: 'expectedErrorPercent' },
    report: { name: 'expectedErrorPercent' },
    example: 8.5,
  },
  {
    ...OF_ERROR,
    name: 'expectedErrorLowPercent',
    label: 'Expected error, at least',
    words: { en: 'Expected error of the queue, at least', de: 'Erwarteter Fehler der Schlange, mindestens' },
    description: 'In 9 of 10 cases the error of the queue length is larger',
    expression: made(LINE_SUMS, expectedError('length', 'low')),
    history: { name: 'expectedErrorLowPercent' },
    report: { name: 'expectedErrorLowPercent' },
    example: 4.1,
  },
  {
    ...OF_ERROR,
    name: 'expectedErrorHighPercent',
    label: 'Expected error, at most',
    words: { en: 'Expected error of the queue, at most', de: 'Erwarteter Fehler der Schlange, höchstens' },
    description: 'In 9 of 10 cases the error of the queue length is smaller',
    expression: made(LINE_SUMS, expectedError('length', 'high')),
    history: { name: 'expectedErrorHighPercent' },
    report: { name: 'expectedErrorHighPercent' },
    example: 15.2,
  },
  {
    ...OF_ERROR,
    name: 'expectedWaitErrorPercent',
    label: 'Expected error of the wait',
    words: { en: 'Expected error of the wait', de: 'Erwarteter Fehler der Wartezeit' },
    description: 'The same of the mean time in the line',
    expression: made(LINE_SUMS, expectedError('wait')),
    history: { name: 'expectedWaitErrorPercent' },
    report: { name: 'expectedWaitErrorPercent' },
    example: 6.3,
  },
  {
    ...OF_ERROR,
    name: 'expectedWaitErrorLowPercent',
    label: 'Expected error of the wait, at least',
    words: { en: 'Expected error of the wait, at least', de: 'Erwarteter Fehler der Wartezeit, mindestens' },
    description: 'In 9 of 10 cases the error of the mean time in the line is larger',
    expression: made(LINE_SUMS, expectedError('wait', 'low')),
    history: { name: 'expectedWaitErrorLowPercent' },
    report: { name: 'expectedWaitErrorLowPercent' },
    example: 1.9,
  },
  {
    ...OF_ERROR,
    name: 'expectedWaitErrorHighPercent',
    label: 'Expected error of the wait, at most',
    words: { en: 'Expected error of the wait, at most', de: 'Erwarteter Fehler der Wartezeit, höchstens' },
    description: 'In 9 of 10 cases the error of the mean time in the line is smaller',
    expression: made(LINE_SUMS, expectedError('wait', 'high')),
    history: { name: 'expectedWaitErrorHighPercent' },
    report: { name: 'expectedWaitErrorHighPercent' },
    example: 14.7,
  },
] as const satisfies readonly TimeMetric[];

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
