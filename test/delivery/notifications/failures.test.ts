import { describe, expect, test } from '@jest/globals';
import { Mailer } from '../../../src/platform/mail/mailer.ts';
import { answering } from '../../support/servers/receiver.ts';
import { CHANNELS, notificationWorld } from './world.ts';

const MINUTE = 60;
const HOUR = 3600;

const world = notificationWorld();
const { clock, deliver, deliverAfter, happen, mailChannel, pushChannel, records, subscribe } = world;

const OFFLINE = {
  ...{ deviceId: '0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d01', deviceName: 'Camera till 3' },
  ...{ lastFrameAt: null, error: 'The camera refuses the connection.' },
};
const KINDS = { kinds: ['device_offline'] };

const channel = async (id: string) =>
  (await world.user.get(CHANNELS)).body.data.find((one: { id: string }) => one.id === id);

describe('a mail server', () => {
  const failing = async () => {
    const id = await mailChannel();
    await subscribe(id, KINDS);
    await happen('device_offline', OFFLINE);
    return id;
  };
  const kept = () => records('kind=device_offline&limit=100');

  test.each([
    [{ refuseAt: 'recipient', code: 451 } as const, 451, /refuses the mail: 451/],
    [{ refuseAt: 'greeting', code: 421 } as const, 421, /./],
    [{ breakOffAt: 'recipient' } as const, null, /broke the connection off\.$/],
    [{ breakOffAt: 'data' } as const, null, /before it confirmed the mail/],
  ])('that does %j gets the same mail later', async (behaviour, code, message) => {
    await failing();
    world.smtp.behaviour = behaviour;
    await deliver();
    expect(await kept()).toMatchObject([
      {
        status: 'failed',
        responseCode: code,
        errorMessage: expect.stringMatching(message),
        isFinalAttempt: false,
      },
      { status: 'pending', attemptNumber: 2 },
    ]);
    world.smtp.behaviour = 'accept';
    await deliverAfter(5);
    const all = await kept();
    expect(all.map(({ status, messageId }) => [status, messageId === all[0]!.messageId])).toEqual([
      ['failed', true],
      ['success', true],
    ]);
    expect(world.smtp.mails[0]!.headers.get('message-id')).toBe(`<${all[0]!.messageId}@example.com>`);
  });

  test('that refuses the address for good gets nothing more', async () => {
    const id = await failing();
    world.smtp.behaviour = { refuseAt: 'recipient', code: 550, words: 'no such user' };
    await deliver();
    await deliverAfter(24 * HOUR);
    expect(await kept()).toMatchObject([
      {
        ...{ status: 'failed', responseCode: 550, isFinalAttempt: true },
        errorMessage: 'The mail server refuses the mail: 550 no such user',
      },
    ]);
    expect(await channel(id)).toMatchObject({ status: 'enabled', failingSince: expect.any(String) });
  });

  test('that hangs is given up; the mail is sent later', async () => {
    await failing();
    world.smtp.behaviour = { hangAt: 'recipient' };
    const { smtpUrl, mailFrom, smtpCaFile: caFile } = world.api.context.config;
    const mailer = new Mailer({ server: smtpUrl!, from: mailFrom!, caFile, limits: { totalMs: 100 } });
    await deliver(world.notifier({ mailer }));
    expect(await kept()).toMatchObject([
      { status: 'failed', errorMessage: 'The mail server does not answer in time.' },
      { status: 'pending' },
    ]);
  });

  test('that is down for days is no fault of the address', async () => {
    const id = await failing();
    const { smtpUrl, mailFrom } = world.api.context.config;
    // Without the certificate file it cannot be trusted.
    const by = world.notifier({ mailer: new Mailer({ server: smtpUrl!, from: mailFrom! }) });
    for (const seconds of [0, 5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 200 * HOUR]) {
      clock.forward(seconds);
      await deliver(by);
    }
    await happen('device_offline', OFFLINE);
    await deliver(by);
    const all = await kept();
    expect(all.map(({ isFinalAttempt }) => isFinalAttempt)).toEqual([
      ...[false, false, false, false, false, true],
      ...[false, false],
    ]);
    expect(await channel(id)).toMatchObject({ status: 'enabled', failingSince: null });
  });

  test('whose words are long has their beginning in the record', async () => {
    await failing();
    const mailer = { send: async () => ({ response: `250 ${'x'.repeat(60_000)}` }) } as unknown as Mailer;
    await deliver(world.notifier({ mailer }));
    const [record] = await kept();
    expect(record).toMatchObject({ status: 'success', responseCode: 250 });
    expect(record!.responseBody).toHaveLength(2_000);
  });

  test('before which a message breaks our program gets it no more often than others', async () => {
    await failing();
    const fault = () => Promise.reject(new TypeError('no such property'));
    const by = world.notifier({ mailer: { send: fault } as unknown as Mailer });
    await deliver(by);
    clock.forward(HOUR);
    await deliver(by);
    expect((await kept()).map(({ status, attemptNumber }) => [status, attemptNumber])).toEqual([
      ['failed', 1],
      ['failed', 2],
      ['pending', 3],
    ]);
  });

  test('that is not configured any more loses nothing at once', async () => {
    await failing();
    await deliver(world.notifier({ mailer: null }));
    expect(await kept()).toMatchObject([
      { status: 'failed', attemptedAt: null, errorMessage: 'The operator has not set up e-mail (SMTP_URL).' },
      { status: 'pending' },
    ]);
  });
});

describe('a push service', () => {
  const failing = async () => {
    const { id } = await pushChannel();
    await subscribe(id, { ...KINDS, minDistanceSeconds: 0 });
    await happen('device_offline', OFFLINE);
    return id;
  };

  test.each([404, 410])('that answers %i ends the channel', async (status) => {
    const id = await failing();
    world.push.answer = answering(status);
    await deliver();
    await happen('device_offline', OFFLINE);
    await deliverAfter(HOUR);
    expect(world.push.arrived).toHaveLength(1);
    expect(await channel(id)).toMatchObject({
      status: 'disabled',
      disabledReason: `The push service answered ${status}: the browser has ended its subscription.`,
    });
    expect(await records()).toMatchObject([{ status: 'failed', responseCode: status, isFinalAttempt: true }]);
  });

  test.each([
    [429, { 'retry-after': '120' }, 120],
    [500, {}, 5],
    [403, {}, 5],
  ])('that answers %i %j is asked again after %i seconds', async (status, headers, seconds) => {
    await failing();
    world.push.answer = answering(status, headers as Record<string, string>, 'try later');
    await deliver();
    await deliverAfter(seconds - 1);
    expect(world.push.arrived).toHaveLength(1);
    world.push.answer = answering(201);
    await deliverAfter(1);
    expect(await records()).toMatchObject([
      { status: 'failed', responseCode: status, responseBody: 'try later' },
      { status: 'success', attemptNumber: 2 },
    ]);
  });

  test('that finds a message too large is not asked again', async () => {
    await failing();
    world.push.answer = answering(413);
    await deliver();
    expect(await records()).toMatchObject([{ status: 'failed', isFinalAttempt: true }]);
  });

  test('whose name leads to a private address gets nothing', async () => {
    const id = await failing();
    const { config } = world.api.context;
    Object.assign(world.api.context, { config: { ...config, webhookAllowHosts: [] } });
    const strict = world.notifier();
    Object.assign(world.api.context, { config });
    await deliver(strict);
    expect(world.push.arrived).toEqual([]);
    expect((await records())[0]).toMatchObject({
      status: 'failed',
      errorMessage: expect.stringContaining('may not lead to localhost'),
    });
    expect((await channel(id)).status).toBe('enabled');
  });

  test('that fails for 120 hours disables the channel', async () => {
    const id = await failing();
    world.push.answer = answering(500);
    await deliver();
    for (const hours of [60, 59]) {
      clock.forward(hours * HOUR);
      await happen('device_offline', OFFLINE);
      await deliver();
      expect((await channel(id)).status).toBe('enabled');
    }
    clock.forward(HOUR);
    await happen('device_offline', OFFLINE);
    await deliver();
    expect(await channel(id)).toMatchObject({
      ...{ status: 'disabled', disabledReason: 'Every delivery failed for 120 hours.' },
    });
  });
});
