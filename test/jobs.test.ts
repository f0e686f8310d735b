import { expect, test } from '@jest/globals';
import { delaySecondsOf, jobsIn } from '../src/jobs.ts';

const WITHOUT_A_CAMERA = [
  'advice-retention',
  'alert-retention',
  'attribute-retention',
  'recording-retention',
  'export-retention',
  'deleted-pictures',
  'data-jobs',
  'audit-retention',
  'deliveries',
  'delivery-retention',
  'notification-retention',
  'discovery-requests',
  'floor-retention',
  'frame-requests',
  'full-indexes',
  'check-films',
  'check-stills',
  'check-retention',
  'history-retention',
  'idempotency-retention',
  'image-retention',
  'image-sweep',
  'insights',
  'live-pictures',
  'metrics-retention',
  'month-change',
  'moved-checks',
  'mqtt',
  'packed-rows',
  'partitions',
  'recording-erasure',
  'recording-sweep',
  'report-retention',
  'reports',
  'run-retention',
  'scene-restarts',
  'schedules',
  'search-tokens',
  'session-retention',
  'staffing-advice',
  'unusual-activity',
  'unusual-retention',
  'usage-retention',
];

test('an API runs every job that needs no camera, and recovers runs of dead nodes', () => {
  expect(jobsIn('api').sort()).toEqual([...WITHOUT_A_CAMERA, 'recovery'].sort());
});

test('a worker runs the same jobs, and probes cameras', () => {
  expect(jobsIn('worker').sort()).toEqual([...WITHOUT_A_CAMERA, 'presence'].sort());
});

test('an API with API_JOBS=false only recovers runs of dead nodes', () => {
  expect(jobsIn('api-without-jobs')).toEqual(['recovery']);
});

test('jobs of a minute are spread over it', () => {
  const everyMinute = [
    'frame-requests',
    'live-pictures',
    'staffing-advice',
    'discovery-requests',
    'deleted-pictures',
    'recording-erasure',
  ];
  const seconds = [...everyMinute, 'session-retention', 'notification-retention'].map(delaySecondsOf);
  expect(new Set(seconds).size).toBe(seconds.length);
  expect(Math.min(...seconds)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...seconds)).toBeLessThan(60);
  expect(Math.max(...seconds) - Math.min(...seconds)).toBeGreaterThan(40);
});
