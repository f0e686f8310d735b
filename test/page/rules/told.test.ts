import { expect, test } from '@jest/globals';
import { byDayBefore } from '../../../src/page/rules/strip-days.ts';
import { channelsOf } from '../../../src/page/rules/told.ts';

type Subscription = Parameters<typeof channelsOf>[0][number];

const subscription = (channelId: string, change: Partial<Subscription>) =>
  ({
    ...{ id: `of ${channelId}`, channelId, isEnabled: true, kinds: ['alert_triggered'], severities: [] },
    ...{ ruleIds: [], deviceIds: [], siteIds: [], ...change },
  }) as unknown as Subscription;
const rule = { id: 'rule', deviceId: 'till', siteIds: ['shop'], severity: 'warning' } as const;

test.each<[string, Partial<Subscription>, 'own' | 'wide' | 'none']>([
  ['of everything', {}, 'wide'],
  ['of this rule alone', { ruleIds: ['rule'] }, 'own'],
  ['of this rule and another', { ruleIds: ['rule', 'other'] }, 'wide'],
  ['of another rule', { ruleIds: ['other'] }, 'none'],
  ['of its camera', { deviceIds: ['till'] }, 'wide'],
  ['of its site', { siteIds: ['shop'] }, 'wide'],
  ['of another site', { siteIds: ['other'] }, 'none'],
  ['of critical alerts', { severities: ['critical'] }, 'none'],
  ['of cameras that are gone', { kinds: ['device_offline'] }, 'none'],
  ['that is off', { isEnabled: false }, 'none'],
])('a subscription %s tells of a rule: %o %s', (_, change, told) => {
  const { own, wide } = channelsOf([subscription('phone', change)], rule);
  expect([own.length, wide.has('phone')]).toEqual([told === 'own' ? 1 : 0, told === 'wide']);
});

test('alerts of a week stand by day, oldest first; older ones are left out', () => {
  const now = Date.UTC(2026, 0, 8, 12);
  const ago = [0, 3, 30, 24 * 6.5, 24 * 8].map((hours) => now - hours * 3_600_000);
  expect(byDayBefore(ago, now)).toEqual([1, 0, 0, 0, 0, 1, 2]);
});
