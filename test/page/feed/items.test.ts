import { expect, test } from '@jest/globals';
import { metricName, unitOf } from '../../../src/catalogue/metrics/words.ts';
import { valueInWords } from '../../../src/catalogue/words/value.ts';
import { METRIC_CATALOGUE } from '../../../src/metrics/catalogue.ts';
import { nearestCapture, seenAttributes } from '../../../src/page/feed/alert/attribute-groups.ts';
import type { FeedItem } from '../../../src/page/feed/feed-item.ts';
import { feedPlace, NO_FILTER, parseFeed } from '../../../src/page/feed/filter.ts';
import { factsOf, incidentsOf } from '../../../src/page/feed/incidents.ts';
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

const alert = (minute: number, deviceId: string, metricPath: string, actualValue: number): FeedItem => ({
  ...{
    id: `${minute}`,
    deviceId,
    place: deviceId,
    severity: 'warning',
  },
  triggeredAt: new Date(Date.UTC(2026, 0, 1, 17, minute)).toISOString(),
  measured: { metricPath, operator: 'GT', threshold: 1, actualValue },
  ...{ summary: null, isPending: false, thumbnailUrl: null, awaitsImages: false },
  acknowledgedAt: minute === 5 ? '2026-01-01T18:00:00.000Z' : null,
});

test('alerts of one site within five minutes of each other are one incident, whatever happens elsewhere', () => {
  const items = [
    alert(22, 'till 3', 'current.maxWaitSeconds', 271),
    alert(21, 'elsewhere', 'current.inQueue', 9),
    alert(17, 'till 1', 'current.maxWaitSeconds', 200),
    alert(12, 'till 2', 'current.inQueue', 6),
    alert(5, 'till 1', 'current.inQueue', 4),
  ];
  const incidents = incidentsOf(items, (deviceId) => (deviceId.startsWith('till') ? 'shop' : deviceId));
  expect(incidents.map(({ items: each }) => each.map(({ id }) => id))).toEqual([
    ['22', '17', '12'],
    ['21'],
    ['5'],
  ]);
  expect(factsOf(incidents[0]!)).toMatchObject({
    ...{ places: 3, longestSeconds: 271, mostPeople: 6, severity: 'warning' },
    ...{ from: '2026-01-01T17:12:00.000Z', to: '2026-01-01T17:22:00.000Z' },
  });
  expect(incidents.map((incident) => factsOf(incident).unseen.length)).toEqual([3, 1, 0]);
});

test('the address of a list has its filter and its search, and rubbish in it is nothing', () => {
  const deviceId = '0198c7a2-1111-7222-8333-944445555666';
  const filter = { isNewOnly: true, severity: 'critical', deviceId, until: '2026-01-31' } as const;
  const place = feedPlace(filter, 'till & 3');
  expect(parseFeed(place.split('?')[1]!)).toEqual({ filter, search: 'till & 3' });
  expect(feedPlace(NO_FILTER)).toBe('/feed');
  expect(parseFeed('new=2&severity=bad&camera=<b>&until=2026-02-30&q=%20')).toEqual({
    filter: NO_FILTER,
    search: '',
  });
});
