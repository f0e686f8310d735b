import { expect, test } from '@jest/globals';
import { ENGLISH_METRICS } from '../../../src/catalogue/metrics/english.ts';
import { GERMAN_METRICS } from '../../../src/catalogue/metrics/german.ts';
import { alertSentence } from '../../../src/catalogue/words/alert-words.ts';
import { durationInWords } from '../../../src/catalogue/words/duration.ts';
import { placeName } from '../../../src/catalogue/words/place-name.ts';

test.each([
  ['Till 3', 'Queue', 'Till 3'],
  ['Kasse 3', 'Schlange', 'Kasse 3'],
  ['Till 3', ' ', 'Till 3'],
  ['Till 3', 'Till 3', 'Till 3'],
  ['Till 3', 'Pick-up', 'Till 3 – Pick-up'],
  ['Till 3', 'Queue 2', 'Till 3 – Queue 2'],
  ['Till 3', 'till 3, pick-up', 'till 3, pick-up'],
  ['Camera till 3', 'Till 3', 'Till 3'],
  ['IP camera 192.168.1.20', 'Till 3', 'Till 3'],
  ['Camera 7', 'Queue', 'Camera 7'],
  [null, 'Queue', 'Queue'],
  ['', 'Till 3', 'Till 3'],
])('the place of camera %p and scene %p is %p', (camera, scene, expected) => {
  expect(placeName(camera, scene)).toBe(expected);
});

test.each([
  [-1, '0 s'],
  [0.4, '0 s'],
  [45, '45 s'],
  [60, '1 min'],
  [271.3, '4 min 31 s'],
  [3599.6, '1 h'],
  [7520, '2 h 5 min'],
  [751, '13 min'],
  [86_400, '24 h'],
  [200_000, '2 d'],
])('%d seconds are %s', (seconds, expected) => expect(durationInWords(seconds)).toBe(expected));

const ALERTS = [
  ['current.maxWaitSeconds', 'GT', 90, 271.3, 'longest wait so far 4 min 31 s, limit 1 min 30 s'],
  ['current.inQueue', 'GTE', 4, 5, 'people waiting 5, limit 4'],
  ['rolling5Min.abandonmentRate', 'GT', 0.2, 0.25, 'share giving up in the last 5 minutes 25%, limit 20%'],
  ['current.inService', 'LT', 1, 0, 'people being served 0, lower limit 1'],
  [
    'rolling60Min.throughputPerHour',
    'LTE',
    10,
    8,
    'served per hour in the last 60 minutes 8 per hour, lower limit 10 per hour',
  ],
  ['unknown.path', 'EQ', 0, 0, 'unknown.path 0, alert at 0'],
] as const;
test.each(ALERTS)(
  'an alert by %s %s %d is said in words',
  (metricPath, operator, threshold, actualValue, words) => {
    const alert = { metricPath, operator, threshold, actualValue };
    expect(alertSentence('Till 3', alert, { words: ENGLISH_METRICS, locale: 'en' })).toBe(`Till 3: ${words}`);
  },
);

test('an alert is said in German', () => {
  const alert = {
    metricPath: 'rolling15Min.avgInQueue',
    operator: 'GT',
    threshold: 3,
    actualValue: 4.25,
  } as const;
  expect(alertSentence('Kasse 3', alert, { words: GERMAN_METRICS, locale: 'de' })).toBe(
    'Kasse 3: Mittlere Schlange in den letzten 15 Minuten 4,3, Grenze 3',
  );
});
