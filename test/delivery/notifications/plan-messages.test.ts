import { describe, expect, test } from '@jest/globals';
import { TOLD_KINDS, type ToldKind } from '../../../src/delivery/notifications/kinds.ts';
import {
  type Message,
  type PlannedMessage,
  planMessages,
  type Subscription,
  type ToldEvent,
  wants,
} from '../../../src/delivery/notifications/messages/plan-messages.ts';
import { afterQuietHours } from '../../../src/delivery/notifications/messages/quiet-hours.ts';
import { isWithinSchedule, type Schedule } from '../../../src/platform/jobs/schedule.ts';
import { fc } from '../../support/property.ts';

const START = new Date('2026-11-23T12:00:00.000Z');
const at = (seconds: number) => new Date(START.getTime() + seconds * 1000);

const EVENT: ToldEvent = {
  ...{ id: 'event', userId: 'anna', kind: 'alert_triggered', severity: 'warning' },
  ...{ deviceId: 'camera', sceneId: 'scene', alertEventId: 'alert', ruleId: 'rule', occurredAt: START },
};
const EVERYTHING: Subscription = {
  ...{ id: 'sub', userId: 'anna', channelId: 'phone', kinds: TOLD_KINDS },
  ...{ severities: [], ruleIds: [], deviceIds: [], siteIds: [], siteDeviceIds: [] },
  ...{ quietHours: null, minDistanceSeconds: 60, nextAt: null, held: null },
};
const daily = (start: string, end: string, timezone = 'Europe/Berlin'): Schedule => ({
  timezone,
  windows: [{ days: [1, 2, 3, 4, 5, 6, 7], start, end }],
});

describe('a subscription', () => {
  const cases: [string, Partial<Subscription>, Partial<ToldEvent>, boolean][] = [
    ['without filters wants everything', {}, {}, true],
    ['does not want events of another user', {}, { userId: 'bert' }, false],
    ['does not want other kinds', { kinds: ['device_offline'] }, {}, false],
    ['wants a severity', { severities: ['warning'] }, {}, true],
    ['does not want another severity', { severities: ['critical'] }, {}, false],
    [
      'does not filter other kinds by severity',
      { severities: ['critical'] },
      { kind: 'device_offline' },
      true,
    ],
    ['wants a rule', { ruleIds: ['rule'] }, {}, true],
    ['does not want another rule', { ruleIds: ['other'] }, {}, false],
    ['does not filter other kinds by rule', { ruleIds: ['other'] }, { kind: 'device_offline' }, true],
    ['wants a device', { deviceIds: ['camera'] }, {}, true],
    ['does not want another device', { deviceIds: ['other'] }, {}, false],
    ['wants the devices of its sites', { siteIds: ['shop'], siteDeviceIds: ['camera'] }, {}, true],
    [
      'wants devices and sites',
      { deviceIds: ['other'], siteIds: ['shop'], siteDeviceIds: ['camera'] },
      {},
      true,
    ],
    ['does not want all devices because its site has none', { siteIds: ['shop'] }, {}, false],
    [
      'wants what belongs to no device',
      { deviceIds: ['other'] },
      { kind: 'quota_warning', deviceId: null },
      true,
    ],
  ];
  test.each(cases)('%s', (_what, subscription, event, expected) => {
    expect(wants({ ...EVERYTHING, ...subscription }, { ...EVENT, ...event })).toBe(expected);
  });
});

describe('quiet hours', () => {
  const NIGHT = daily('22:00', '07:00');
  test.each([
    ['outside of them', '2026-11-23T12:00:00.000Z', '2026-11-23T12:00:00.000Z'],
    ['in them', '2026-11-23T22:30:00.000Z', '2026-11-24T06:00:00.000Z'],
    ['at their start', '2026-11-23T21:00:00.000Z', '2026-11-24T06:00:00.000Z'],
    ['at their end', '2026-11-24T06:00:00.000Z', '2026-11-24T06:00:00.000Z'],
    // The clocks go back from 3 to 2 on 25 October 2026, and forward from 2 to 3 on 29 March 2026.
    ['in the autumn night', '2026-10-24T23:00:00.000Z', '2026-10-25T06:00:00.000Z'],
    ['in the spring night', '2026-03-28T23:00:00.000Z', '2026-03-29T05:00:00.000Z'],
  ])('%s', (_when, from, until) => {
    expect(new Date(afterQuietHours(NIGHT, Date.parse(from))!).toISOString()).toBe(until);
  });

  test('that end in the hour that is repeated end when it comes for the second time', () => {
    // 02:30 comes at 00:30 and at 01:30 UTC; windows go by the clock on the wall.
    const quiet = daily('22:00', '02:30');
    const first = afterQuietHours(quiet, Date.parse('2026-10-24T22:00:00.000Z'))!;
    expect(new Date(first).toISOString()).toBe('2026-10-25T00:30:00.000Z');
    expect(isWithinSchedule(quiet, Date.parse('2026-10-25T01:15:00.000Z'))).toBe(true);
  });

  test('that end in the hour that is left out end with the change of the clocks', () => {
    const until = afterQuietHours(daily('22:00', '02:30'), Date.parse('2026-03-28T23:00:00.000Z'))!;
    expect(new Date(until).toISOString()).toBe('2026-03-29T01:00:00.000Z');
  });

  test('that never end leave no time', () => {
    expect(afterQuietHours(daily('00:00', '00:00'), START.getTime())).toBeNull();
  });
});

/** A channel as the database keeps it: what was planned becomes what is stored. */
class World {
  readonly sent: { readonly at: Date; readonly eventIds: readonly string[]; readonly eventCount: number }[] =
    [];
  waiting: PlannedMessage[] = [];
  #ids = 0;
  #subscriptions: Subscription[];

  constructor(subscriptions: readonly Subscription[]) {
    this.#subscriptions = [...subscriptions];
  }

  /** Sends what is due, then tells these events. */
  turn(now: Date, events: readonly ToldEvent[]): void {
    this.send(now);
    const stored = new Map(this.waiting.map((message) => [message.messageId, message]));
    const given = this.#subscriptions.map((subscription) => ({
      ...subscription,
      held: (subscription.held && stored.get(subscription.held.messageId)) as Message | null,
    }));
    const plan = planMessages(
      events,
      given.map((one) => ({ ...one, held: one.held ?? null })),
      {
        now,
        newId: () => `message ${++this.#ids}`,
      },
    );
    for (const message of plan.messages) {
      expect(message.isStored).toBe(stored.has(message.messageId));
      stored.set(message.messageId, message);
    }
    this.waiting = [...stored.values()];
    for (const { id, nextAt, heldId } of plan.states) {
      const held = heldId === null ? null : stored.get(heldId)!;
      this.#subscriptions = this.#subscriptions.map((one) =>
        one.id === id ? { ...one, nextAt, held } : one,
      );
    }
    this.send(now);
  }

  send(now: Date): void {
    for (const { dueAt, eventIds, eventCount } of this.waiting.filter((one) => one.dueAt <= now))
      this.sent.push({ at: dueAt, eventIds, eventCount });
    this.waiting = this.waiting.filter((one) => one.dueAt > now);
  }
}

const named = (id: string, seconds: number, kind: ToldKind = 'alert_triggered'): ToldEvent => ({
  ...EVENT,
  id,
  kind,
  occurredAt: at(seconds),
});

describe('messages', () => {
  test('an event is told at once, those within the minimum distance in one message at its end', () => {
    const world = new World([EVERYTHING]);
    world.turn(at(0), [named('a', 0)]);
    world.turn(at(10), [named('b', 10)]);
    world.turn(at(30), [named('c', 30), named('d', 30)]);
    expect(world.sent).toEqual([{ at: at(0), eventIds: ['a'], eventCount: 1 }]);
    world.turn(at(60), []);
    expect(world.sent[1]).toEqual({ at: at(60), eventIds: ['b', 'c', 'd'], eventCount: 3 });
    world.turn(at(119), [named('e', 119)]);
    world.turn(at(120), []);
    expect(world.sent[2]).toEqual({ at: at(120), eventIds: ['e'], eventCount: 1 });
  });

  test('events of one turn are one message, which names the newest ten', () => {
    const world = new World([EVERYTHING]);
    const events = Array.from({ length: 25 }, (_, index) => named(`${index}`, index));
    world.turn(at(30), events);
    expect(world.sent).toMatchObject([{ eventCount: 25, eventIds: events.slice(15).map(({ id }) => id) }]);
  });

  test('without a minimum distance each event is a message, and the night is one', () => {
    const quietHours = daily('13:10', '14:00');
    const world = new World([{ ...EVERYTHING, minDistanceSeconds: 0, quietHours }]);
    world.turn(at(0), [named('a', 0), named('b', 0)]);
    expect(world.sent).toHaveLength(2);
    // 13:10 in Berlin is 12:10 UTC.
    world.turn(at(601), [named('c', 601)]);
    world.turn(at(900), [named('d', 900)]);
    world.turn(at(3600), []);
    expect(world.sent.slice(2)).toEqual([{ at: at(3600), eventIds: ['c', 'd'], eventCount: 2 }]);
  });

  test('an event is told once over a channel, by the subscription that may tell it first', () => {
    const loud = { ...EVERYTHING, id: 'loud', severities: ['critical' as const] };
    const quiet = { ...EVERYTHING, id: 'quiet', quietHours: daily('12:00', '20:00') };
    const elsewhere = { ...EVERYTHING, id: 'elsewhere', channelId: 'mail' };
    const world = new World([quiet, loud, elsewhere]);
    world.turn(at(0), [{ ...named('a', 0), severity: 'critical' }, named('b', 0)]);
    expect(world.sent.map(({ eventIds }) => eventIds).sort()).toEqual([['a'], ['a', 'b']]);
    expect(world.waiting).toMatchObject([{ subscriptionId: 'quiet', eventIds: ['b'] }]);
  });

  test('every wanted event is told once, never in quiet hours and never too soon', () => {
    const subscription = fc.record({
      kinds: fc.subarray([...TOLD_KINDS], { minLength: 1 }),
      minDistanceSeconds: fc.constantFrom(0, 1, 60, 3_600),
      quietHours: fc.constantFrom(
        null,
        daily('13:00', '14:00'),
        daily('12:30', '13:15', 'Asia/Tokyo'),
        daily('22:00', '13:30'),
      ),
      channelId: fc.constantFrom('phone', 'mail'),
    });
    const turns = fc.array(
      fc.record({
        pauseSeconds: fc.integer({ min: 0, max: 4_000 }),
        kinds: fc.array(fc.constantFrom(...TOLD_KINDS), { maxLength: 4 }),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(fc.array(subscription, { minLength: 1, maxLength: 4 }), turns, (some, steps) => {
        for (const channelId of ['phone', 'mail']) {
          const subscriptions = some
            .map((one, index) => ({ ...EVERYTHING, ...one, id: `sub ${index}` }))
            .filter((one) => one.channelId === channelId);
          const world = new World(subscriptions);
          const happened: ToldEvent[] = [];
          let seconds = 0;
          for (const { pauseSeconds, kinds } of steps) {
            seconds += pauseSeconds;
            const events = kinds.map((kind, index) =>
              named(`${seconds} ${happened.length + index}`, seconds, kind),
            );
            happened.push(...events);
            world.turn(at(seconds), events);
          }
          world.turn(at(seconds + 3 * 86_400), []);
          const wanted = happened.filter((event) => subscriptions.some((one) => wants(one, event)));
          expect(world.sent.reduce((sum, { eventCount }) => sum + eventCount, 0)).toBe(wanted.length);
          const [only] = subscriptions;
          if (subscriptions.length !== 1 || !only) continue;
          const times = world.sent.map((message) => message.at.getTime()).sort((a, b) => a - b);
          for (const [index, time] of times.entries()) {
            expect(only.quietHours === null || !isWithinSchedule(only.quietHours, time)).toBe(true);
            if (index > 0)
              expect(time - times[index - 1]!).toBeGreaterThanOrEqual(only.minDistanceSeconds * 1000);
          }
        }
      }),
    );
  });
});
