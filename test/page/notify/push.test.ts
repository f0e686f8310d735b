import { describe, expect, test } from '@jest/globals';
import { pageUrl } from '../../../src/delivery/notifications/messages/links.ts';
import { deviceName } from '../../../src/page/notify/device-name.ts';
import { readPush } from '../../../src/page/notify/push-message.ts';
import { type BrowserFacts, pushSupport } from '../../../src/page/notify/push-support.ts';
import { daysInWords, weekdayNames } from '../../../src/page/notify/weekdays.ts';
import { fc } from '../../support/property.ts';

describe('a push message', () => {
  const sent = {
    title: 'Critical: Long queue',
    body: 'People waiting: 7\nTill 3',
    url: 'https://video.example.com/shop/#/feed/0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d01',
    tag: 'message-1',
    image: 'https://video.example.com/shop/api/v1/images/2026-01-31/a.jpg?expires=1&signature=x',
    severity: 'critical',
  };

  test('is shown with the place and the picture below this page, whatever the address in it', () => {
    expect(readPush(JSON.stringify(sent), 'Queues')).toEqual({
      title: sent.title,
      body: sent.body,
      tag: 'message-1',
      place: '#/feed/0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d01',
      image: 'api/v1/images/2026-01-31/a.jpg?expires=1&signature=x',
      isUrgent: true,
    });
  });

  test('leads to the place that the service writes into it', () => {
    const config = { publicUrl: 'https://video.example.com/shop/', host: 'localhost', port: 3000 };
    const message = { kind: 'alert_triggered', deviceId: 'd', alertEventId: 'a' } as const;
    const url = pageUrl({ config } as Parameters<typeof pageUrl>[0], message);
    expect(readPush(JSON.stringify({ url }), '').place).toBe('#/feed/a');
  });

  test('that is broken is shown nevertheless', () => {
    const nothing = { title: 'Queues', body: '', tag: 'message', place: '#/', image: null, isUrgent: false };
    for (const text of [
      null,
      '',
      '{',
      '7',
      'null',
      '[]',
      '{"title":7,"url":"javascript:alert(1)","image":"data:x"}',
    ])
      expect(readPush(text, 'Queues')).toEqual(nothing);
  });

  test('never leads out of the page', () => {
    fc.assert(
      fc.property(fc.record({ url: fc.string(), image: fc.string() }), (message) => {
        const { place, image } = readPush(JSON.stringify(message), 'Queues');
        const base = 'https://here.example/page/';
        expect(new URL(place, base).origin).toBe('https://here.example');
        expect(new URL(image ?? '', base).origin).toBe('https://here.example');
      }),
    );
  });
});

describe('Web Push in a browser', () => {
  const able: BrowserFacts = {
    isSecure: true,
    hasServiceWorker: true,
    hasPush: true,
    permission: 'default',
    isApplePhone: false,
    isInstalled: false,
  };
  test.each([
    ['can', {}, 'ready'],
    ['has it allowed', { permission: 'granted' }, 'ready'],
    ['has it blocked', { permission: 'denied' }, 'blocked'],
    ['shows plain http', { isSecure: false, hasServiceWorker: false }, 'plainHttp'],
    ['is an iPhone', { isApplePhone: true, hasPush: false }, 'installFirst'],
    ['is an iPhone with the page on its home screen', { isApplePhone: true, isInstalled: true }, 'ready'],
    ['has no push service', { hasPush: false }, 'impossible'],
  ] as const)('a browser that %s', (_name, facts, support) =>
    expect(pushSupport({ ...able, ...facts })).toBe(support),
  );
});

test('days of the week in words', () => {
  const names = weekdayNames('en-GB');
  expect(names).toEqual(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']);
  expect(daysInWords([5, 1, 2, 3, 4, 7, 7], names)).toBe('Mon–Fri, Sun');
  expect(daysInWords([1, 2], names)).toBe('Mon, Tue');
  expect(daysInWords([], names)).toBe('');
});

test.each([
  [
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36',
    'Chrome, Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1 Version/19.0 Safari/604.1',
    'Safari, iPhone',
  ],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0', 'Edge, Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox, Linux'],
  ['', 'Browser'],
])('the browser %s is named', (userAgent, name) => expect(deviceName(userAgent)).toBe(name));
