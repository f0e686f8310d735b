import { describe, expect, test } from '@jest/globals';
import { codeOf } from '../../support/api.ts';
import { testBrowser } from '../../support/rows/channels.ts';
import { CHANNELS, codeIn, notificationWorld, SUBSCRIPTIONS } from './world.ts';

const world = notificationWorld();
const { clock, deliver, deliverAfter, mailChannel, pushChannel, records } = world;
const EMAIL = { kind: 'email', address: 'anna@example.com' };

const channel = async (id: string) =>
  (await world.user.get(CHANNELS)).body.data.find((one: { id: string }) => one.id === id);
const actions = async () =>
  (await world.user.get('/audit')).body.data.map(({ action }: { action: string }) => action);

describe('an e-mail address', () => {
  test('gets a code, and is enabled when the code comes back', async () => {
    const created = await world.user.post(CHANNELS, { ...EMAIL, name: 'Anna' });
    expect(created.body.data).toMatchObject({
      ...{
        kind: 'email',
        name: 'Anna',
        address: 'anna@example.com',
        status: 'unconfirmed',
        confirmedAt: null,
      },
      codeExpiresAt: new Date(clock.time.getTime() + 30 * 60_000).toISOString(),
    });
    await deliver();
    const [mail] = world.smtp.mails;
    expect(mail).toMatchObject({ to: ['anna@example.com'], isEncrypted: true });
    expect(mail!.headers.get('subject')).toBe('Your confirmation code');
    expect(mail!.headers.has('list-unsubscribe')).toBe(false);
    const code = codeIn(world.smtp);
    const { id } = created.body.data;
    const confirmed = await world.user.post(`${CHANNELS}/${id}/confirm`, {
      code: `${code.slice(0, 4)} ${code.slice(4)}`,
    });
    expect(confirmed.body.data).toMatchObject({
      ...{ status: 'enabled', confirmedAt: clock.time.toISOString(), codeExpiresAt: null },
    });
    // A repeated call has the same result.
    expect((await world.user.post(`${CHANNELS}/${id}/confirm`, { code })).body.data.status).toBe('enabled');
    expect(await records()).toMatchObject([{ kind: 'confirmation', status: 'success', responseCode: 250 }]);
    expect(await actions()).toEqual(['notification_channel_confirmed', 'notification_channel_created']);
  });

  test('gets the code in the language of its user, and no code is stored readably', async () => {
    const { db } = world.api.context;
    await db.user.update({ where: { id: world.user.userId }, data: { locale: 'de-AT' } });
    await world.user.post(CHANNELS, EMAIL);
    const waiting = JSON.stringify(await db.notification.findMany());
    await deliver();
    expect(world.smtp.mails[0]!.headers.get('subject')).toBe('Ihr Bestätigungscode');
    expect(waiting).not.toContain(codeIn(world.smtp));
    expect(await db.notification.findMany()).toMatchObject([{ contentEncrypted: null }]);
  });

  test('is not confirmed by wrong codes, of which there are five', async () => {
    const { id } = (await world.user.post(CHANNELS, EMAIL)).body.data;
    await deliver();
    const code = codeIn(world.smtp);
    const wrong = code === '00000000' ? '00000001' : '00000000';
    const confirm = (given: string) => world.user.post(`${CHANNELS}/${id}/confirm`, { code: given });
    const said: string[] = [];
    for (let i = 0; i < 5; i++) said.push((await confirm(wrong)).body.message);
    expect(said).toEqual([
      'code: is wrong; 4 tries are left',
      'code: is wrong; 3 tries are left',
      'code: is wrong; 2 tries are left',
      'code: is wrong; one try is left',
      'code: is wrong, and this was the last try: ask for a new code',
    ]);
    expect(codeOf(await confirm(code))).toEqual([409, 'CODE_EXPIRED']);
    const again = await world.user.post(`${CHANNELS}/${id}/code`);
    expect(again.status).toBe(202);
    await deliver();
    expect(codeOf(await confirm(codeIn(world.smtp)))).toEqual([200, undefined]);
    expect(codeOf(await world.user.post(`${CHANNELS}/${id}/code`))).toEqual([409, 'CHANNEL_CONFIRMED']);
  });

  test('is not confirmed after 30 minutes, nor by the code before the last', async () => {
    const { id } = (await world.user.post(CHANNELS, EMAIL)).body.data;
    await deliver();
    const first = codeIn(world.smtp);
    await deliverAfter(30 * 60);
    const confirm = (code: string) => world.user.post(`${CHANNELS}/${id}/confirm`, { code });
    expect(codeOf(await confirm(first))).toEqual([409, 'CODE_EXPIRED']);
    await world.user.post(`${CHANNELS}/${id}/code`);
    await deliver();
    expect(codeOf(await confirm(first))).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('of which two codes are asked for gets only the second', async () => {
    const { id } = (await world.user.post(CHANNELS, EMAIL)).body.data;
    await world.user.post(`${CHANNELS}/${id}/code`);
    await deliver();
    expect(world.smtp.mails).toHaveLength(1);
    expect(codeOf(await world.user.post(`${CHANNELS}/${id}/confirm`, { code: codeIn(world.smtp) }))).toEqual([
      200,
      undefined,
    ]);
    expect(await records()).toMatchObject([
      { status: 'failed', errorMessage: 'Another code was asked for.', attemptedAt: null },
      { status: 'success' },
    ]);
  });

  test('gets no code that has expired, or that another one has replaced while it was being sent', async () => {
    const { id } = (await world.user.post(CHANNELS, EMAIL)).body.data;
    world.smtp.behaviour = { refuseAt: 'recipient', code: 451 };
    for (const seconds of [0, 5, 300]) await deliverAfter(seconds);
    world.smtp.behaviour = 'accept';
    await deliverAfter(1800);
    expect(world.smtp.mails).toEqual([]);
    const last = async () => (await records()).at(-1);
    expect(await last()).toMatchObject({
      ...{ status: 'failed', isFinalAttempt: true, errorMessage: 'The code is no longer valid.' },
    });
    await world.user.post(`${CHANNELS}/${id}/code`);
    // A program has taken it and was killed.
    await world.api.context.db.notification.updateMany({
      where: { status: 'pending' },
      data: { claimedUntil: clock.time },
    });
    await world.user.post(`${CHANNELS}/${id}/code`);
    await deliverAfter(60);
    expect(world.smtp.mails).toHaveLength(1);
    expect(
      (await world.user.post(`${CHANNELS}/${id}/confirm`, { code: codeIn(world.smtp) })).body.data.status,
    ).toBe('enabled');
  });

  test('is registered once, in upper or lower case', async () => {
    await world.user.post(CHANNELS, EMAIL);
    expect(codeOf(await world.user.post(CHANNELS, { ...EMAIL, address: 'Anna@Example.com' }))).toEqual([
      409,
      'CHANNEL_EXISTS',
    ]);
    // Another user may have it.
    expect((await (await world.api.user()).post(CHANNELS, EMAIL)).status).toBe(201);
  });

  test('gets at most 20 codes and test messages within an hour', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 21; i++)
      statuses.push(
        (await world.user.post(CHANNELS, { kind: 'email', address: `a${i}@example.com` })).status,
      );
    expect(statuses).toEqual([...Array(20).fill(201), 429]);
  });

  test.each([
    'anna',
    'anna@example',
    'anna@example.com\r\nBcc: eve@example.com',
    'Anna <anna@example.com>',
    'a@example.com, b@example.com',
    `${'a'.repeat(250)}@example.com`,
  ])('%j is refused', async (address) => {
    expect(codeOf(await world.user.post(CHANNELS, { ...EMAIL, address }))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('a browser', () => {
  test('is enabled at once; its keys are shown nowhere', async () => {
    const { id, browser } = await pushChannel();
    const shown = await channel(id);
    expect(shown).toMatchObject({ kind: 'push', status: 'enabled', confirmedAt: clock.time.toISOString() });
    expect(shown.address).toMatch(/^localhost:\d+$/);
    const all = JSON.stringify([shown, await world.api.context.db.notificationChannel.findMany()]);
    for (const secret of [browser.subscription.endpoint, browser.subscription.auth])
      expect(all).not.toContain(secret);
    expect(codeOf(await world.user.post(`${CHANNELS}/${id}/code`))).toEqual([409, 'CHANNEL_CONFIRMED']);
    expect(codeOf(await world.user.post(CHANNELS, { kind: 'push', ...browser.subscription }))).toEqual([
      409,
      'CHANNEL_EXISTS',
    ]);
  });

  const good = testBrowser('https://push.example.com/1').subscription;
  const offCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString('base64url');
  test.each([
    ['http://push.example.com/1', 'endpoint: must be an https:// address'],
    ['https://127.0.0.1/1', 'endpoint: may not lead to 127.0.0.1: it is no address of the public internet'],
    ['https://[::ffff:10.0.0.1]/1', 'it is no address of the public internet'],
    ['https://169.254.169.254/latest', 'it is no address of the public internet'],
    ['https://metadata.google.internal/', 'may not lead to metadata.google.internal'],
    ['https://db/', 'must name a host of the public internet'],
    ['https://user:pw@push.example.com/', 'may hold no user and password'],
  ])('at %s is refused', async (endpoint, message) => {
    const { status, body } = await world.user.post(CHANNELS, { kind: 'push', ...good, endpoint });
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  test.each([
    [{ p256dh: 'AAAA' }, 'p256dh: must be the key'],
    [{ p256dh: offCurve }, 'p256dh: must be the key'],
    [{ p256dh: `${good.p256dh}=` }, 'p256dh: must be the key'],
    [{ auth: 'AAAA' }, 'auth: must be the secret'],
    [{ auth: undefined }, 'auth: is required: it belongs to every channel of kind push'],
    [{ address: 'anna@example.com' }, 'address: is only for kind email'],
  ])('with %j is refused', async (change, message) => {
    const { status, body } = await world.user.post(CHANNELS, { kind: 'push', ...good, ...change });
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  test('needs a key that is the same at every call', async () => {
    const keys = await Promise.all([1, 2, 3].map(() => world.user.get('/notifications/push-key')));
    expect(new Set(keys.map(({ body }) => body.data.publicKey)).size).toBe(1);
    const { db } = world.api.context;
    const setting = await db.setting.findUniqueOrThrow({ where: { key: 'pushKeys' } });
    expect(setting.value).toEqual({
      publicKey: keys[0]!.body.data.publicKey,
      privateKeyEncrypted: expect.stringMatching(/^test:/),
    });
  });
});

test('a channel is tested only if it is enabled', async () => {
  const { id } = (await world.user.post(CHANNELS, EMAIL)).body.data;
  expect(codeOf(await world.user.post(`${CHANNELS}/${id}/test`))).toEqual([409, 'CHANNEL_NOT_ENABLED']);
  await world.user.delete(`${CHANNELS}/${id}`);
  const confirmed = await mailChannel();
  const { status, body } = await world.user.post(`${CHANNELS}/${confirmed}/test`);
  expect([status, body.data]).toEqual([202, expect.objectContaining({ kind: 'test', status: 'pending' })]);
  await deliver();
  expect(world.smtp.mails.map(({ headers }) => headers.get('subject'))).toEqual(['Test message']);
});

test('a deleted channel takes its subscriptions and records with it, and stays in the audit log', async () => {
  const { id } = await pushChannel();
  await world.subscribe(id);
  await world.user.post(`${CHANNELS}/${id}/test`);
  expect((await world.user.delete(`${CHANNELS}/${id}`)).status).toBe(204);
  await deliver();
  expect(world.push.arrived).toEqual([]);
  expect([(await world.user.get(SUBSCRIPTIONS)).body.data, await records()]).toEqual([[], []]);
  expect((await actions()).slice(0, 2)).toEqual([
    'notification_channel_removed',
    'notification_channel_created',
  ]);
});

test('a service without a mail server says so', async () => {
  const { config } = world.api.context;
  Object.assign(world.api.context, { config: { ...config, smtpUrl: undefined } });
  const refused = await world.user.post(CHANNELS, EMAIL);
  Object.assign(world.api.context, { config });
  expect(codeOf(refused)).toEqual([409, 'EMAIL_NOT_CONFIGURED']);
});
