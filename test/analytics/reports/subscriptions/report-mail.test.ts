import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sendDueReports } from '../../../../src/analytics/reports/subscriptions/send-due.job.ts';
import { Notifier } from '../../../../src/delivery/notifications/delivery/notifier.ts';
import { retryDelaySeconds } from '../../../../src/delivery/outbox/retry.ts';
import { SHOP_ZONES } from '../../../../src/simulator/shop-zones.ts';
import { SHOP, type TestApi, TestClock, testApi } from '../../../support/api.ts';
import { addMailChannel } from '../../../support/rows/channels.ts';
import { type TestSmtpServer, testSmtpServer } from '../../../support/servers/smtp-server.ts';
import { addMinutes, addVisits } from '../../history/history-rows.ts';

const HOUR_MS = 3_600_000;
/** Sunday 22 November 2037, 00:00 in Berlin: what the database dates by its own clock is due by then. */
const SUNDAY = Date.parse('2037-11-21T23:00:00Z');

let smtp: TestSmtpServer;
let api: TestApi;
let notifier: Notifier;
const clock = new TestClock();

beforeAll(async () => {
  clock.time = new Date(SUNDAY + 20 * HOUR_MS);
  smtp = await testSmtpServer();
  const environment = {
    SMTP_URL: smtp.url,
    SMTP_CA_FILE: smtp.caFile,
    PUBLIC_URL: 'https://video.example.com',
  };
  api = await testApi(environment, clock);
  notifier = new Notifier(api.context, { random: () => 0.5 });
});
afterAll(async () => {
  await notifier?.stop();
  await api?.drop();
  await smtp?.stop();
});

const work = async () => {
  await sendDueReports(api.context);
  await notifier.turn();
  await notifier.settled();
};

test('a report is failed when the last attempt of its last e-mail has failed, or its channel is gone', async () => {
  const owner = await api.user();
  const { userId } = owner;
  const [slow, wrong, removed] = await Promise.all(
    ['slow', 'wrong', 'removed'].map((name) =>
      addMailChannel(api.context, userId, { address: `${name}@example.com` }),
    ),
  );
  const site = { name: 'Bakery', timezone: 'Europe/Berlin', deviceIds: [] };
  const siteId = (await owner.post('/sites', site)).body.data.id;
  const subscribe = async (...channels: readonly { readonly id: string }[]) => {
    const body = { siteId, period: 'day', localTime: '21:30', channelIds: channels.map(({ id }) => id) };
    return (await owner.post('/reports/subscriptions', body)).body.data.id as string;
  };
  const both = await subscribe(slow!, wrong!);
  const lost = await subscribe(removed!);
  const last = async (id: string) => (await owner.get(`/reports/subscriptions/${id}`)).body.data.lastReport;
  const isPending = { userId, status: 'pending' } as const;
  const attempts = () => api.context.db.notification.count({ where: isPending });
  const before = clock.time;
  clock.time = new Date(SUNDAY + 22 * HOUR_MS);
  smtp.behaviour = { refuseAt: 'greeting', code: 421 };
  await work();
  expect(await attempts()).toBe(3);
  await owner.delete(`/notifications/channels/${removed!.id}`);
  expect(await last(lost)).toMatchObject({ status: 'failed', reason: 'Its channel was deleted.' });
  await api.context.db.notificationChannel.update({
    where: { id: wrong!.id },
    data: { status: 'disabled' },
  });
  clock.forward(3_600);
  await work();
  expect([await attempts(), await last(both)]).toMatchObject([1, { status: 'sent', reason: null }]);

  for (let isLast = false; !isLast; ) {
    expect(await last(both)).toMatchObject({ status: 'sent' });
    const { isFinalAttempt } = await api.context.db.notification.findFirstOrThrow({ where: isPending });
    isLast = isFinalAttempt;
    clock.forward(6 * 3_600);
    await notifier.turn();
    await notifier.settled();
  }
  expect(await last(both)).toMatchObject({
    date: '2037-11-21',
    status: 'failed',
    reason: 'The mail server answers in a way that we do not know.',
  });
  await owner.delete(`/reports/subscriptions/${both}`);
  await owner.delete(`/reports/subscriptions/${lost}`);
  clock.time = before;
  smtp.behaviour = 'accept';
});

test('the report of yesterday arrives once in the morning, with its numbers and a file, although the mail server was away', async () => {
  const { context } = api;
  const owner = await api.user();
  await owner.patch('/users/me', { locale: 'de' });
  const channel = await owner.post('/notifications/channels', { kind: 'email', address: 'boss@example.com' });
  await work();
  const [code] = /\b\d{8}\b/.exec(smtp.mails[0]!.text)!;
  const channelId = channel.body.data.id;
  expect((await owner.post(`/notifications/channels/${channelId}/confirm`, { code })).status).toBe(200);

  const deviceId = (await owner.post('/devices', SHOP)).body.data.id;
  const scene = { deviceId, name: 'Kasse 1', analysisType: 'queue_analysis', config: { zones: SHOP_ZONES } };
  const sceneId = (await owner.post('/scenes', scene)).body.data.id;
  const site = { name: 'Bäckerei <Nord>', timezone: 'Europe/Berlin', deviceIds: [deviceId] };
  const siteId = (await owner.post('/sites', site)).body.data.id;
  const at = SUNDAY + 11 * HOUR_MS;
  await addMinutes(context.db, sceneId, [{ atMs: at, inQueue: 1 }]);
  await addVisits(context.db, sceneId, [
    { outcome: 'completed', arrivedAtMs: at, decidedAtMs: at + 200_000, waitMs: 100_000, serviceMs: 50_000 },
    { outcome: 'abandoned', arrivedAtMs: at + 1_000, decidedAtMs: at + 90_000, waitMs: 80_000 },
  ]);
  const body = { siteId, period: 'day', localTime: '06:30', channelIds: [channelId] };
  const subscription = await owner.post('/reports/subscriptions', body);
  expect(subscription.status).toBe(201);
  const path = `/reports/subscriptions/${subscription.body.data.id}`;
  await work();
  expect(smtp.mails).toHaveLength(1);

  // In the morning the mail server refuses; half an hour later it has recovered.
  clock.time = new Date(SUNDAY + 31 * HOUR_MS);
  smtp.behaviour = { refuseAt: 'greeting', code: 421 };
  await work();
  smtp.behaviour = 'accept';
  clock.forward(1_800);
  for (let turn = 0; turn < 3; turn++) await work();
  expect(smtp.mails).toHaveLength(2);

  const mail = smtp.mails[1]!;
  expect(mail.to).toEqual(['boss@example.com']);
  expect(mail.headers.get('subject')).toBe('Tagesbericht: Bäckerei <Nord>, So., 22. Nov.');
  expect(mail.text).toContain('2 Personen sind gekommen.');
  expect(mail.text).toMatch(new RegExp(`https://video.example.com/#/reports/${siteId}\\?to=2037-11-22\\s`));
  expect(mail.html).toContain('Bäckerei &lt;Nord&gt;');
  expect(mail.html).toContain('Sonntag, 22. November 2037');
  // The address of the mail ends it, after a question.
  const [, address] = /^<https:\/\/video\.example\.com\/api\/v1(.+)>$/.exec(
    mail.headers.get('list-unsubscribe')!,
  )!;
  expect(mail.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  expect(mail.text).toContain(address!);
  expect(mail.html).toContain(address!.replaceAll('&', '&amp;'));
  const file = mail.parts.find(({ type }) => type === 'text/csv')!;
  expect(file.headers.get('content-disposition')).toContain('report-day-2037-11-22.csv');
  const lines = file.content.toString('utf8').split('\r\n');
  expect(lines[0]).toMatch(/^\ufefflevel;from;to;/);
  expect(lines[1]).toContain('"Bäckerei <Nord>";;;;0,069;2;1;1;0;0,5;100;100;50;;;;;');

  // A mail server that is away longer gets the report until it is of no use.
  const [{ maxAttempts }] = (await owner.get('/notifications/deliveries?kind=report')).body.data;
  const delays = Array.from({ length: maxAttempts - 1 }, (_, at) => retryDelaySeconds(at + 1, () => 0.5));
  const hours = delays.reduce((sum, seconds) => sum + seconds) / 3_600;
  expect([hours > 40, hours <= 48]).toEqual([true, true]);

  const { lastReport } = (await owner.get(path)).body.data;
  expect(lastReport).toMatchObject({ date: '2037-11-22', status: 'sent' });

  for (const wrong of [
    address!.replace(/.$/, ''),
    address!.replace(channelId, siteId),
    address!.split('?')[0]!,
  ])
    expect((await api.nobody.post(wrong)).status).toBe(404);
  const asked = await api.nobody.get(address!);
  expect([asked.status, asked.text]).toEqual([200, expect.stringContaining('<button>Abbestellen</button>')]);
  expect((await owner.get(path)).body.data.channelIds).toEqual([channelId]);
  for (let call = 0; call < 2; call++) expect((await api.nobody.post(address!)).status).toBe(200);
  expect((await owner.get(path)).body.data.channelIds).toEqual([]);
  clock.forward(86_400);
  await work();
  expect(smtp.mails).toHaveLength(2);
  await owner.delete(path);
  expect((await api.nobody.post(address!)).status).toBe(404);
});
