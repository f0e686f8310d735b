import { describe, expect, test } from '@jest/globals';
import { EVENT_TYPES } from '../../../src/delivery/events/catalogue.ts';
import { webhook as german } from '../../../src/page/text/de/webhook.ts';
import { webhook as english } from '../../../src/page/text/en/webhook.ts';
import { readableBody } from '../../../src/page/webhook/delivery-body.ts';
import { ALL_TYPES } from '../../../src/page/webhook/event-types.ts';
import type { Webhook } from '../../../src/page/webhook/use-webhook.ts';
import { healthOf, recoverSince } from '../../../src/page/webhook/webhook-health.ts';

test('every type of event has a place and words in both languages', () => {
  expect([...ALL_TYPES].sort()).toEqual([...EVENT_TYPES].sort());
  for (const texts of [english, german]) {
    expect(Object.keys(texts.types).sort()).toEqual([...EVENT_TYPES].sort());
  }
});

describe('health', () => {
  const now = new Date('2026-01-31T12:00:00.000Z');
  const webhook = {
    status: 'enabled',
    disabledAt: null,
    disabledReason: null,
    failingSince: null,
  } as Webhook;

  test('a webhook that works recovers the last day', () => {
    expect(healthOf(webhook)).toEqual({ state: 'working' });
    expect(recoverSince(healthOf(webhook), now).toISOString()).toBe('2026-01-30T12:00:00.000Z');
  });

  test('one that fails is switched off after 120 hours', () => {
    const health = healthOf({ ...webhook, failingSince: '2026-01-29T09:00:00.000Z' });
    expect(health).toEqual({
      state: 'failing',
      since: '2026-01-29T09:00:00.000Z',
      endsAt: '2026-02-03T09:00:00.000Z',
    });
    expect(recoverSince(health, now).toISOString()).toBe('2026-01-29T09:00:00.000Z');
  });

  test('one that is switched off says since when and why', () => {
    const since = '2026-01-31T08:00:00.000Z';
    const off = { ...webhook, status: 'disabled', disabledAt: since, disabledReason: 'Gone.' } as const;
    expect(healthOf({ ...off, failingSince: '2026-01-29T09:00:00.000Z' })).toEqual({
      state: 'disabled',
      since,
      reason: 'Gone.',
    });
  });
});

test.each([
  [{ a: [1] }, '{\n  "a": [\n    1\n  ]\n}'],
  ['{"a":1}', '{\n  "a": 1\n}'],
  ['{"a":', '{"a":'],
  ['<script>alert(1)</script>', '<script>alert(1)</script>'],
  ['12', '12'],
  ['', ''],
])('the body %j is read as %j', (body, shown) => expect(readableBody(body)).toBe(shown));
