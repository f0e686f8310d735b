import { expect, test } from '@jest/globals';
import { metricName, unitOf } from '../../../src/catalogue/metrics/words.ts';
import { valueInWords } from '../../../src/catalogue/words/value.ts';
import { METRIC_CATALOGUE } from '../../../src/metrics/catalogue.ts';
import { nearestCapture, seenAttributes } from '../../../src/page/feed/alert/attribute-groups.ts';
import { duration } from '../../../src/page/kit/numbers.ts';
import { metrics as german } from '../../../src/page/text/de/metrics.ts';
import { feed } from '../../../src/page/text/en/feed.ts';
import { metrics as texts } from '../../../src/page/text/en/metrics.ts';
import { ALL_ATTRIBUTE_KEYS } from '../../../src/vision/attributes/keys.ts';

const zeros = Object.fromEntries(ALL_ATTRIBUTE_KEYS.map((key) => [key, 0])) as Parameters<
  typeof seenAttributes
>[0]['attributes'];

test('what somebody has is shown with the number of people for whom it could be told', () => {
  const capture = { id: '', capturedAt: '', totalPersons: 6, coveredKeys: null };
  const attributes = { ...zeros, female: 2, upperRed: 1 };
  expect(seenAttributes({ ...capture, attributes, known: { ...zeros, female: 4, upperRed: 5 } })).toEqual([
    { group: 'gender', seen: [{ key: 'female', count: 2, known: 4 }] },
    { group: 'upperColour', seen: [{ key: 'upperRed', count: 1, known: 5 }] },
  ]);
  expect(seenAttributes({ ...capture, attributes, known: null })[0]!.seen[0]!.known).toBe(6);
  const everything = Object.fromEntries(ALL_ATTRIBUTE_KEYS.map((key) => [key, 1])) as typeof zeros;
  const shown = seenAttributes({ ...capture, attributes: everything, known: null }).flatMap(
    ({ seen }) => seen,
  );
  expect(shown.map(({ key }) => key).sort()).toEqual([...ALL_ATTRIBUTE_KEYS].sort());
  expect(Object.keys(feed.attributes).sort()).toEqual([...ALL_ATTRIBUTE_KEYS].sort());
});

test('the capture nearest to the alert is shown', () => {
  const at = (capturedAt: string) => ({ capturedAt });
  const captures = ['2026-01-31T08:00:00Z', '2026-01-31T08:00:20Z', '2026-01-31T08:00:30Z'].map(at);
  expect(nearestCapture(captures, '2026-01-31T08:00:24Z')).toBe(captures[1]);
  expect(nearestCapture([], '2026-01-31T08:00:24Z')).toBeNull();
});

const READER = { locale: 'en-GB', words: texts };

test('every metric of the catalogue has a name in both languages, and its unit', () => {
  for (const { path, unit } of METRIC_CATALOGUE) {
    expect([path, metricName(path, texts)]).not.toEqual([path, path]);
    expect([path, metricName(path, german)]).not.toEqual([path, path]);
    const expected = {
      count: '0.5',
      seconds: duration(0.5, 'en-GB'),
      share: '50%',
      percent: '1%',
      perHour: '0.5 per hour',
    };
    expect([path, valueInWords(0.5, unitOf(path)!, READER)]).toEqual([path, expected[unit]]);
  }
  expect(metricName('rolling5Min.completed.avgWaitSeconds', texts)).toBe(
    'Average wait in the last 5 minutes',
  );
  expect(metricName('total.arrivals', texts)).toBe('Arrivals since the start');
  expect(metricName('<b>', texts)).toBe('<b>');
});
