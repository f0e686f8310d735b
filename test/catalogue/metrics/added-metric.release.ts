import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';

const PROGRAM = 'test/catalogue/metrics/service-with-added-metrics.fixture.ts';
const MOST_BYTES = 64 * 1024 * 1024;

// biome-ignore lint/suspicious/noExplicitAny: answers of the API
let found: any;
beforeAll(async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', './.config/tree-loaders.mjs', PROGRAM],
    {
      maxBuffer: MOST_BYTES,
    },
  );
  found = JSON.parse(stdout);
});

/** Waits of 30, 60 and 90 s, one who gave up, one lost; of two who wait now, one has waited for a minute. */
const QUICK = 2;
const LOST = 0.2;
const PATIENT = 1;

test('rules, messages and texts know an added metric', () => {
  expect(found.paths).toEqual(
    expect.arrayContaining(['current.patientPeople', 'rolling60Min.quickCount', 'total.lostShare']),
  );
  expect(found.paths).not.toContain('total.quickCount');
  expect(found.rule).toBe(201);
  expect(found.message).toBe('Till: people served quickly in the last 5 minutes 2, limit 1');
  expect(found.words).toEqual([
    'People served quickly in the last 5 minutes',
    'Schnell Bediente in den letzten 5 Minuten',
  ]);
  expect(found.usual).toBe('quickCount');
});

test('live metrics, snapshots, rolling records, the event stream and the overview have it', () => {
  const live = {
    current: { patientPeople: PATIENT },
    rolling15Min: { quickCount: QUICK },
    total: { lostShare: LOST },
  };
  expect(found.scene).toMatchObject(live);
  expect(found.stream.data.metrics).toMatchObject(live);
  expect(found.snapshots[0].currentMetrics).toMatchObject(live.current);
  const ofType = (type: string) =>
    found.rolling.find((row: { windowType: string }) => row.windowType === type);
  expect(ofType('60min')).toMatchObject({ quickCount: QUICK, lostShare: LOST });
  expect(ofType('total')).toMatchObject(live.total);
  expect(ofType('total')).not.toHaveProperty('quickCount');
  expect(found.overview[0].scenes[0].current).toMatchObject(live.current);
  expect(found.sites[0].current).toMatchObject(live.current);
});

test('history and reports compute the same from rows as windows from visits', () => {
  expect([found.series.quick, found.series.lostShare]).toEqual([[QUICK], [LOST]]);
  const [head, row] = found.seriesCsv
    .trim()
    .split('\r\n')
    .map((line: string) => line.split(','));
  expect(row[head.indexOf('quick')]).toBe(String(QUICK));
  expect(found.heatmap.quick.flat()).toContain(QUICK);
  expect(found.report.summary.current).toMatchObject({ quick: QUICK, lostShare: LOST });
  expect(found.report.hours[9].current.quick).toBe(QUICK);
  expect(found.report.change).toHaveProperty('quick');
  expect(found.report.change).not.toHaveProperty('lostShare');
  expect(found.reportCsv).toMatch(/,quick,.*,previousQuick\b/);
  expect(found.reportHtml).toContain('Quick ones');
});

test('MQTT and Prometheus publish it', () => {
  expect(found.mqttState).toMatchObject({
    current: { patientPeople: PATIENT },
    rolling15Min: { quickCount: QUICK },
    total: { lostShare: LOST },
  });
  const sensors = found.mqttSensors.join('\n');
  expect(sensors).toMatch(/patient/);
  expect(sensors).toMatch(/lost_share/);
  expect(sensors).not.toMatch(/quick/);
  expect(found.gauges.patientPeople).toBe(PATIENT);
});

test('the OpenAPI document describes it', () => {
  const { schemas } = found.document.components;
  expect(schemas.CurrentMetrics.properties.patientPeople.description).toMatch(/waited for a minute/);
  expect(schemas.TotalMetrics.properties).toHaveProperty('lostShare');
  expect(schemas.MetricSeries.properties).toHaveProperty('quick');
  expect(schemas.ReportNumbers.properties).toHaveProperty('quick');
});
