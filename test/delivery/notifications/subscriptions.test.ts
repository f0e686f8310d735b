import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { metricName } from '../../../src/catalogue/metrics/words.ts';
import { unsubscribeUrl } from '../../../src/delivery/notifications/messages/links.ts';
import { pushPayload } from '../../../src/delivery/notifications/messages/push-message.ts';
import { ENGLISH } from '../../../src/delivery/notifications/texts/english.ts';
import { GERMAN } from '../../../src/delivery/notifications/texts/german.ts';
import { METRIC_CATALOGUE } from '../../../src/metrics/catalogue.ts';
import { codeOf, shopOf } from '../../support/api.ts';
import { addRule } from '../../support/rows/alert-rows.ts';
import { addPushChannel, testBrowser } from '../../support/rows/channels.ts';
import { notificationWorld, PUBLIC_URL, SUBSCRIPTIONS } from './world.ts';

const world = notificationWorld();
const { deliver, deliverAfter, happen, mailChannel, pushChannel, records, subscribe } = world;

const OFFLINE = { deviceName: 'Camera', lastFrameAt: null, error: 'Gone.' };
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

describe('a subscription', () => {
  test('is created with defaults, changed, listed and deleted', async () => {
    const { id: channelId } = await pushChannel();
    const created = await world.user.post(SUBSCRIPTIONS, { channelId });
    const { id } = created.body.data;
    expect(created.body.data).toMatchObject({
      ...{ channelId, name: null, isEnabled: true, kinds: ['alert_triggered'], severities: [], nextAt: null },
      ...{ ruleIds: [], deviceIds: [], siteIds: [], quietHours: null, minDistanceSeconds: 60 },
    });
    const quietHours = {
      timezone: 'Europe/Berlin',
      windows: [{ days: EVERY_DAY, start: '22:00', end: '07:00' }],
    };
    const change = { quietHours, kinds: ['device_offline', 'device_offline'], name: 'Night' };
    const changed = await world.user.patch(`${SUBSCRIPTIONS}/${id}`, change);
    expect(changed.body.data).toMatchObject({ id, quietHours, kinds: ['device_offline'], name: 'Night' });
    const cleared = await world.user.patch(`${SUBSCRIPTIONS}/${id}`, { quietHours: null, name: null });
    expect(cleared.body.data).toMatchObject({ quietHours: null, name: null, kinds: ['device_offline'] });
    const listed = await world.user.get(`${SUBSCRIPTIONS}?channelId=${channelId}&isEnabled=true`);
    expect(listed.body.data).toEqual([cleared.body.data]);
    expect((await world.user.delete(`${SUBSCRIPTIONS}/${id}`)).status).toBe(204);
    expect(codeOf(await world.user.get(`${SUBSCRIPTIONS}/${id}`))).toEqual([404, 'NOT_FOUND']);
  });

  test('tells only what its rules, devices and sites want', async () => {
    const { db } = world.api.context;
    const { userId } = world.user;
    const [one, two] = [await shopOf(world.user), await shopOf(world.user)];
    const site = await world.user.post('/sites', {
      ...{ name: 'Shop', timezone: 'UTC', deviceIds: [two.deviceId] },
    });
    const rule = await addRule(db, { userId, ...one });
    const kinds = ['device_offline'];
    const subscribed = async (body: object) => {
      const { id } = await addPushChannel(
        world.api.context,
        userId,
        testBrowser(`${world.push.url}/${randomUUID()}`),
      );
      return subscribe(id, { kinds, ...body });
    };
    const ofSite = await subscribed({ siteIds: [site.body.data.id] });
    const ofBoth = await subscribed({ siteIds: [site.body.data.id], deviceIds: [one.deviceId] });
    const ofRule = await subscribed({ kinds: ['alert_triggered'], ruleIds: [rule.id] });
    for (const { deviceId } of [one, two])
      await happen('device_offline', { ...OFFLINE, deviceId }, { deviceId });
    await world.notifier().turn();
    const told = await records();
    const of = (subscriptionId: string) =>
      told
        .filter((row) => row.subscriptionId === subscriptionId)
        .map((row) => [row.deviceId, row.eventCount]);
    expect([of(ofSite), of(ofBoth), of(ofRule)]).toEqual([[[two.deviceId, 1]], [[two.deviceId, 2]], []]);
  });

  test('of quotas needs the scope billing:read', async () => {
    const limited = await world.api.user(['alert:write']);
    const { id: channelId } = await addPushChannel(world.api.context, limited.userId);
    const ask = (kinds: string[]) => limited.post(SUBSCRIPTIONS, { channelId, kinds });
    expect(codeOf(await ask(['quota_warning']))).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect(codeOf(await ask(['device_offline']))).toEqual([201, undefined]);
  });

  test.each([
    [{ kinds: [] }, 'kinds: must have at least 1'],
    [{ kinds: ['test'] }, 'kinds.0: must be one of'],
    [{ minDistanceSeconds: -1 }, 'minDistanceSeconds: must be at least 0'],
    [
      { quietHours: { timezone: 'Mars/Olympus', windows: [] } },
      'quietHours.timezone: must be an IANA time zone',
    ],
    [
      { quietHours: { timezone: 'UTC', windows: [{ days: EVERY_DAY, start: '00:00', end: '00:00' }] } },
      'quietHours: must leave a time for messages',
    ],
    [
      { deviceIds: Array(201).fill('0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d01') },
      'deviceIds: must have at most 200',
    ],
    [{ sites: [] }, 'sites: is not a field here'],
  ])('with %j is refused', async (body, message) => {
    const { id: channelId } = await addPushChannel(world.api.context, world.user.userId);
    const answer = await world.user.post(SUBSCRIPTIONS, { channelId, ...body });
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  test('that is switched off or deleted gives up what waits', async () => {
    const { id: channelId } = await pushChannel();
    for (const end of ['patch', 'delete'] as const) {
      const id = await subscribe(channelId, { kinds: ['device_offline'], minDistanceSeconds: 3_600 });
      await happen('device_offline', { ...OFFLINE, deviceId: channelId });
      await deliver();
      await happen('device_offline', { ...OFFLINE, deviceId: channelId });
      await deliver();
      await world.user[end](`${SUBSCRIPTIONS}/${id}`, end === 'patch' ? { isEnabled: false } : undefined);
      await deliverAfter(7_200);
    }
    expect(world.push.arrived).toHaveLength(2);
    expect((await records('status=failed')).map(({ errorMessage }) => errorMessage)).toEqual([
      'The subscription was switched off.',
      'The subscription was deleted.',
    ]);
  });
});

describe('the link of a message', () => {
  /** The address in the header of the mail that arrived last. */
  const link = () => {
    const { headers } = world.smtp.mails.at(-1)!;
    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    const [, address = ''] = /^<(https:.+)>$/.exec(headers.get('list-unsubscribe')!) ?? [];
    return address.replace(PUBLIC_URL, '');
  };
  const told = async () => {
    const id = await subscribe(await mailChannel(), { kinds: ['device_offline'] });
    await happen('device_offline', { ...OFFLINE, deviceId: id });
    await deliver();
    return id;
  };
  const isEnabled = async (id: string) =>
    (await world.user.get(`${SUBSCRIPTIONS}/${id}`)).body.data.isEnabled as boolean;

  test('ends its subscription with one click, without signing in and twice', async () => {
    const id = await told();
    for (let i = 0; i < 2; i++) {
      // As mail programs send it.
      const answer = await request(world.api.app)
        .post(link())
        .set('Content-Type', 'application/x-www-form-urlencoded')
        .set('Origin', 'https://mail.example.net')
        .send('List-Unsubscribe=One-Click');
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/html']);
    }
    expect(await isEnabled(id)).toBe(false);
    await happen('device_offline', { ...OFFLINE, deviceId: id });
    await deliverAfter(3_600);
    expect(world.smtp.mails).toHaveLength(1);
    expect((await world.user.patch(`${SUBSCRIPTIONS}/${id}`, { isEnabled: true })).status).toBe(200);
  });

  test('shows a page that asks first, in the language of the user', async () => {
    const id = await told();
    const english = await request(world.api.app).get(link());
    expect(english.text).toContain('<form method="post"><button>Unsubscribe</button></form>');
    await world.api.context.db.user.update({ where: { id: world.user.userId }, data: { locale: 'de' } });
    expect((await request(world.api.app).get(link())).text).toContain('<button>Abbestellen</button>');
    expect(await isEnabled(id)).toBe(true);
  });

  test('with another signature, of another or of no subscription is not found', async () => {
    const id = await told();
    const address = link();
    const other = await subscribe((await pushChannel()).id);
    const tried = [
      address.replace(id, other),
      address.slice(0, -1),
      address.replace(/\?.*/, ''),
      unsubscribeUrl(world.api.context, '11111111-1111-1111-1111-111111111111').replace(PUBLIC_URL, ''),
    ];
    for (const each of tried)
      for (const verb of ['get', 'post'] as const)
        expect([each, codeOf(await request(world.api.app)[verb](each))]).toEqual([each, [404, 'NOT_FOUND']]);
    expect([await isEnabled(id), await isEnabled(other)]).toEqual([true, true]);
  });
});

describe('words', () => {
  test('every metric of the catalogue has a name in every language', () => {
    for (const texts of [ENGLISH, GERMAN])
      for (const { path } of METRIC_CATALOGUE)
        expect([path, metricName(path, texts.metrics)]).not.toEqual([path, path]);
    expect(Object.keys(GERMAN.metrics).sort()).toEqual(Object.keys(ENGLISH.metrics).sort());
  });

  test.each([
    ['a', 10],
    ['💥', 600],
    ['"', 5_000],
    ['\u0001', 5_000],
  ])('a push message of %j × %i fits', (sign, count) => {
    const text = sign.repeat(count);
    const url = `${PUBLIC_URL}/#/feed/1`;
    const payload = pushPayload({ title: text, body: text, url, image: `${url}?${'i'.repeat(500)}` }, 'tag');
    expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(3_900);
    expect(JSON.parse(payload)).toMatchObject({ url, tag: 'tag', title: expect.any(String) });
  });

  test('events of quotas and of a failed analysis are told with their numbers', async () => {
    const kinds = ['quota_exceeded', 'analysis_error', 'device_online'];
    await subscribe(await mailChannel(), { kinds, minDistanceSeconds: 0 });
    const { deviceId, sceneId } = await shopOf(world.user);
    await happen('quota_exceeded', {
      ...{ scope: 'user', featureType: 'analysis', period: '2026-01', used: 120_500, limit: 100_000 },
      ...{ usagePercentage: 120.5, threshold: 100 },
    });
    await happen(
      'analysis_error',
      {
        ...{
          analysisId: sceneId,
          sceneId,
          sceneName: 'Till',
          deviceId,
          computeNodeId: null,
          status: 'error',
        },
        ...{ processingDuration: { seconds: 1, milliseconds: 1_000 }, error: 'No frame came.' },
      },
      { deviceId, sceneId },
    );
    await happen('device_online', { ...OFFLINE, deviceId, offlineForSeconds: 95 }, { deviceId });
    await deliver();
    const mails = new Map(world.smtp.mails.map(({ headers, text }) => [headers.get('subject'), text]));
    expect([...mails.keys()].sort()).toEqual([
      'Counting: 120 % of the limit used',
      'Camera is online again',
      'Shop – Till is not counted any more',
    ]);
    expect(mails.get('Counting: 120 % of the limit used')).toContain(
      'The limit is reached. 120,500 of 100,000 in 2026-01.',
    );
    expect(mails.get('Shop – Till is not counted any more')).toContain('No frame came.');
    expect(mails.get('Camera is online again')).toContain(`${PUBLIC_URL}/#/cameras/${deviceId}`);
  });
});
