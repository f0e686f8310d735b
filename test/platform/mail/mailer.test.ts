import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { loadConfig } from '../../../src/platform/config.ts';
import { createContext } from '../../../src/platform/context.ts';
import { MailFailure } from '../../../src/platform/mail/mail-failure.ts';
import { type Mail, Mailer, type MailLimits, openMailer } from '../../../src/platform/mail/mailer.ts';
import { dearCases, fc } from '../../support/property.ts';
import { type Behaviour, type TestSmtpServer, testSmtpServer } from '../../support/servers/smtp-server.ts';

const MAIL: Mail = {
  to: 'anna@example.com',
  subject: 'Lange Schlange: Kasse 3 – „Köln“',
  text: 'Sieben Personen warten.\n',
  html: '<p>Sieben Personen warten.</p><img src="cid:picture">',
  attachments: [
    {
      filename: 'picture.jpg',
      contentType: 'image/jpeg',
      content: Buffer.from([0xff, 0xd8, 0, 1, 2]),
      contentId: 'picture',
    },
    { filename: 'day.csv', contentType: 'text/csv', content: 'hour,arrivals\r\n9,12\r\n' },
  ],
  headers: { 'List-Unsubscribe': '<https://video.example.com/u/1>' },
  messageId: '0197a0c4',
};
const LATE = 'The mail server does not answer in time.';
const UNCONFIRMED = 'The mail server broke the connection off before it confirmed the mail.';
const FROM = 'Video analytics <video@example.com>';

let server: TestSmtpServer;
beforeAll(async () => {
  server = await testSmtpServer();
});
afterAll(() => server.stop());
beforeEach(() => {
  server.behaviour = 'accept';
  server.mails.length = 0;
});

/** @param url of SMTP_URL; the server's where not told */
function mailer(url = server.url, limits: Partial<MailLimits> = {}): Mailer {
  const { smtpUrl, mailFrom } = loadConfig({ SMTP_URL: url, MAIL_FROM: FROM });
  return new Mailer({ server: smtpUrl!, from: mailFrom!, caFile: server.caFile, limits });
}

const failure = async (sent: Promise<unknown>): Promise<MailFailure> => {
  const error: unknown = await sent.then(
    () => new Error('it was sent'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(MailFailure);
  return error as MailFailure;
};

test('a mail arrives over TLS with text, HTML, an inline image and an attachment', async () => {
  const { response } = await mailer().send(MAIL);
  expect(response).toMatch(/^250 /);
  const [mail] = server.mails;
  expect(mail).toMatchObject({ from: 'video@example.com', to: ['anna@example.com'], isEncrypted: true });
  expect(mail!.headers.get('subject')).toBe(MAIL.subject);
  expect(mail!.headers.get('from')).toBe(FROM);
  expect(mail!.headers.get('message-id')).toBe('<0197a0c4@example.com>');
  expect(mail!.headers.get('list-unsubscribe')).toBe('<https://video.example.com/u/1>');
  expect([mail!.text.trim(), mail!.html.trim()]).toEqual([MAIL.text.trim(), MAIL.html]);
  const [image, csv] = ['image/jpeg', 'text/csv'].map(
    (type) => mail!.parts.find((part) => part.type === type)!,
  );
  expect(image!.content).toEqual(Buffer.from([0xff, 0xd8, 0, 1, 2]));
  expect(image!.headers.get('content-id')).toBe('<picture>');
  expect(image!.headers.get('content-disposition')).toMatch(/^inline/);
  expect(csv!.content.toString()).toBe('hour,arrivals\r\n9,12\r\n');
  expect(csv!.headers.get('content-disposition')).toMatch(/^attachment/);
});

test('no text in a subject or header adds a header', async () => {
  const hostile = 'a\r\nBcc: eve@example.com\r\n\r\n<script>\u2028\u0000x';
  await mailer().send({ ...MAIL, subject: hostile, headers: { 'List-Id': hostile } });
  const [mail] = server.mails;
  expect(mail!.to).toEqual(['anna@example.com']);
  expect(mail!.headers.has('bcc')).toBe(false);
  expect(mail!.headers.get('subject')).toBe('a Bcc: eve@example.com <script> x');
});

test('any subject comes back as one line', async () => {
  const one = mailer();
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 100 }), async (subject) => {
      server.mails.length = 0;
      await one.send({ ...MAIL, subject: `S ${subject} E`, attachments: [] });
      const seen = server.mails[0]!.headers.get('subject');
      expect(seen).toBe(`S ${subject} E`.replaceAll(/[\s\p{Cc}]+/gu, ' '));
    }),
    { numRuns: dearCases(8) },
  );
});

describe('a server', () => {
  test.each<[Behaviour, Partial<MailFailure>]>([
    [
      { refuseAt: 'greeting', code: 421 },
      { isFinal: false, mayHaveArrived: false },
    ],
    [{ refuseAt: 'greeting', code: 554 }, { isFinal: false }],
    [
      { refuseAt: 'recipient', code: 451 },
      { isFinal: false, responseCode: 451 },
    ],
    [
      { refuseAt: 'recipient', code: 550, words: 'no such user' },
      { isFinal: true, responseCode: 550, message: 'The mail server refuses the mail: 550 no such user' },
    ],
    [
      { refuseAt: 'sender', code: 553 },
      { isFinal: true, responseCode: 553 },
    ],
    [
      { refuseAt: 'data', code: 452 },
      { isFinal: false, responseCode: 452 },
    ],
    [
      { refuseAt: 'data', code: 554 },
      { isFinal: true, responseCode: 554 },
    ],
    [
      { breakOffAt: 'greeting' },
      { isFinal: false, mayHaveArrived: false, message: 'The mail server broke the connection off.' },
    ],
    [{ breakOffAt: 'recipient' }, { isFinal: false, mayHaveArrived: false }],
    [
      { breakOffAt: 'data' },
      {
        isFinal: false,
        mayHaveArrived: true,
        message: UNCONFIRMED,
      },
    ],
  ])('with the behaviour %j causes a failure that says what follows', async (behaviour, expected) => {
    server.behaviour = behaviour;
    expect(await failure(mailer().send(MAIL))).toMatchObject(expected);
    expect(server.mails).toEqual([]);
  });

  test.each(['greeting', 'recipient', 'data'] as const)('that hangs at %s is given up', async (hangAt) => {
    server.behaviour = { hangAt };
    const impatient = mailer(server.url, { connectMs: 200, silenceMs: 200 });
    const { message, isFinal } = await failure(impatient.send(MAIL));
    // On a slow machine the time can end before the mail was sent as a whole.
    const possible = hangAt === 'data' ? [LATE, UNCONFIRMED] : [LATE];
    expect([possible.includes(message), isFinal, server.mails]).toEqual([true, false, []]);
  });

  test('is given up after the time for a whole mail, or when the caller stops', async () => {
    server.behaviour = { hangAt: 'recipient' };
    expect((await failure(mailer(server.url, { totalMs: 100 }).send(MAIL))).message).toBe(LATE);
    const stop = new AbortController();
    const sent = mailer().send(MAIL, stop.signal);
    stop.abort(new Error('stopping'));
    await expect(sent).rejects.toThrow('stopping');
    await expect(mailer().send(MAIL, stop.signal)).rejects.toThrow('stopping');
  });

  test('with a certificate of somebody else gets nothing', async () => {
    const { smtpUrl, mailFrom } = loadConfig({ SMTP_URL: server.url, MAIL_FROM: FROM });
    const stranger = new Mailer({ server: smtpUrl!, from: mailFrom! });
    expect((await failure(stranger.send(MAIL))).message).toBe(
      'The certificate of the mail server is not trusted.',
    );
  });

  test('that does not run is a failure', async () => {
    const stopped = await testSmtpServer();
    await stopped.stop();
    expect((await failure(mailer(stopped.url).send(MAIL))).message).toBe(
      'The mail server refuses the connection.',
    );
  });
});

describe('a server without TLS', () => {
  let plain: TestSmtpServer;
  beforeAll(async () => {
    plain = await testSmtpServer({ hasTls: false, login: { user: 'video', pass: 'p@ss%' } });
  });
  afterAll(() => plain.stop());
  afterEach(() => {
    plain.mails.length = 0;
  });

  test('gets neither a password nor a mail', async () => {
    expect((await failure(mailer(plain.url).send(MAIL))).message).toBe(
      'The mail server offers no TLS: please tell the operator.',
    );
    expect(plain.attempts).toBe(0);
  });

  test('gets mails where SMTP_URL says ?tls=none', async () => {
    await mailer(`${plain.url}?tls=none`).send(MAIL);
    expect(plain.mails).toMatchObject([{ isEncrypted: false, user: 'video' }]);
  });

  test('that refuses the password says so without naming it', async () => {
    const wrong = plain.url.replace('p%40ss%25', 'other');
    const { message, isFinal } = await failure(mailer(`${wrong}?tls=none`).send(MAIL));
    expect([message, isFinal]).toEqual([
      'The mail server refuses our login: please tell the operator.',
      false,
    ]);
  });
});

describe('the configuration', () => {
  test.each([
    ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, tls: 'required', login: null }],
    [
      'smtps://us%40er:p%3Ass@mail.example.com',
      { port: 465, tls: 'first', login: { user: 'us@er', pass: 'p:ss' } },
    ],
    ['smtp://[::1]:2525?tls=none', { host: '::1', port: 2525, tls: 'none' }],
  ])('%s is a mail server', (url, expected) => {
    expect(loadConfig({ SMTP_URL: url, MAIL_FROM: FROM }).smtpUrl).toMatchObject(expected);
  });

  test.each([
    ['mail.example.com', 'must look like smtp://'],
    ['http://mail.example.com', 'must look like smtp://'],
    ['smtp://mail.example.com/inbox', 'must look like smtp://'],
    ['smtp://user@mail.example.com', 'give both or neither'],
    ['smtp://mail.example.com?tls=maybe', 'neither required nor none'],
    ['smtp://mail.example.com?starttls=1', 'unknown part ?starttls'],
    ['smtps://mail.example.com?tls=none', 'use smtp:'],
    ['smtp://user:%zz@mail.example.com', 'written as %25'],
  ])('%s is refused', (url, fault) => {
    expect(() => loadConfig({ SMTP_URL: url, MAIL_FROM: FROM })).toThrow(fault);
  });

  test.each(['', 'nobody', 'a@example.com, b@example.com', 'A <a@b>', 'Shop: a@example.com;'])(
    'MAIL_FROM %j is refused',
    (from) => {
      expect(() => loadConfig({ SMTP_URL: server.url, MAIL_FROM: from })).toThrow('MAIL_FROM');
    },
  );

  test('without SMTP_URL there is no mailer; a certificate file that is missing is named', () => {
    expect(openMailer({ config: loadConfig({}) })).toBeNull();
    expect(() => loadConfig({ MAIL_FROM: FROM })).toThrow('SMTP_URL, MAIL_FROM: give both or neither');
    const config = loadConfig({ SMTP_URL: server.url, MAIL_FROM: FROM, SMTP_CA_FILE: '/missing.pem' });
    expect(() => openMailer({ config })).toThrow('SMTP_CA_FILE: /missing.pem cannot be read');
  });
});

test('a program does not start with SMTP_CA_FILE that cannot be read', () => {
  const mail = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'video@example.com' };
  const config = loadConfig({ NODE_ENV: 'test', ...mail, SMTP_CA_FILE: '/no/such/file.pem' });
  expect(() => createContext(config, 'test')).toThrow('SMTP_CA_FILE: /no/such/file.pem cannot be read');
});
