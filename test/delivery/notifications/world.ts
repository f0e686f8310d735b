import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { EventData, EventType } from '../../../src/delivery/events/catalogue.ts';
import { emit, type NewEvent } from '../../../src/delivery/events/emit.ts';
import { Notifier, type NotifierOptions } from '../../../src/delivery/notifications/delivery/notifier.ts';
import { type ApiUser, type TestApi, TestClock, testApi } from '../../support/api.ts';
import { type TestBrowser, testBrowser } from '../../support/rows/channels.ts';
import { answering, type TestReceiver, testReceiver } from '../../support/servers/receiver.ts';
import { type TestSmtpServer, testSmtpServer } from '../../support/servers/smtp-server.ts';

export const CHANNELS = '/notifications/channels';
export const SUBSCRIPTIONS = '/notifications/subscriptions';
export const DELIVERIES = '/notifications/deliveries';
export const PUBLIC_URL = 'https://video.example.com';

interface Row {
  readonly id: string;
  readonly status: string;
  readonly [field: string]: unknown;
}

/** What the tests of a file have in common: an API, a mail server, a push service, and for each test a user. */
export interface NotificationWorld {
  readonly api: TestApi;
  readonly clock: TestClock;
  readonly smtp: TestSmtpServer;
  readonly push: TestReceiver;
  /** Of this test. */
  readonly user: ApiUser;
  /** One that can be told when to look. No jitter. */
  notifier(options?: NotifierOptions): Notifier;
  /** Tells all events, and makes all that is due at the clock's time. */
  deliver(by?: Notifier): Promise<void>;
  /** After so many seconds. */
  deliverAfter(seconds: number): Promise<void>;
  /** Something happens to the user. */
  happen<Type extends EventType>(
    type: Type,
    data: EventData<Type>,
    about?: Partial<NewEvent<Type>>,
  ): Promise<string | null>;
  /** A confirmed e-mail channel of this address. @returns its id */
  mailChannel(address?: string): Promise<string>;
  /** A browser at the push service, and its channel. */
  pushChannel(): Promise<{ readonly id: string; readonly browser: TestBrowser }>;
  /** Subscribes a channel. @returns the subscription's id */
  subscribe(channelId: string, body?: object): Promise<string>;
  /** Attempts, oldest first. */
  records(query?: string): Promise<Row[]>;
}

/** The code of the mail that arrived last. */
export const codeIn = ({ mails }: TestSmtpServer): string => /\b\d{8}\b/.exec(mails.at(-1)!.text)![0];

/** Sets the world up before the tests of a file, and takes it down after them. */
export function notificationWorld(): NotificationWorld {
  let api: TestApi;
  let smtp: TestSmtpServer;
  let push: TestReceiver;
  let user: ApiUser;
  let happened = 0;
  const clock = new TestClock();
  const notifiers: Notifier[] = [];
  /** Makes what is due where a test does not tell who. */
  let usual: Notifier | undefined;
  beforeAll(async () => {
    [smtp, push] = await Promise.all([testSmtpServer(), testReceiver()]);
    api = await testApi(
      {
        ...{ SMTP_URL: smtp.url, SMTP_CA_FILE: smtp.caFile, MAIL_FROM: 'Video <video@example.com>' },
        ...{ WEBHOOK_ALLOW_HOSTS: 'localhost', WEBHOOK_CA_FILE: push.caFile, PUBLIC_URL },
      },
      clock,
    );
  });
  afterAll(async () => {
    await usual?.stop();
    await Promise.all([smtp.stop(), push.stop()]);
    await api.drop();
  });
  beforeEach(async () => {
    // What the database dates by its own clock is due by this one, however slow the machine.
    clock.time = new Date(Date.now() + 60_000);
    smtp.behaviour = 'accept';
    smtp.mails.length = 0;
    push.arrived.length = 0;
    push.answer = answering(201);
    user = await api.user();
  });
  afterEach(async () => {
    await Promise.all(notifiers.splice(0).map((notifier) => notifier.stop()));
    // What a test leaves waiting does not disturb the next one.
    await api.context.db.notificationChannel.deleteMany();
  });

  const world: NotificationWorld = {
    get api() {
      return api;
    },
    clock,
    get smtp() {
      return smtp;
    },
    get push() {
      return push;
    },
    get user() {
      return user;
    },
    notifier(options = {}) {
      const made = new Notifier(api.context, { random: () => 0.5, ...options });
      notifiers.push(made);
      return made;
    },
    async deliver(given) {
      usual ??= new Notifier(api.context, { random: () => 0.5 });
      const by = given ?? usual;
      while ((await by.turn()) > 0) await by.settled();
    },
    deliverAfter(seconds) {
      clock.forward(seconds);
      return world.deliver();
    },
    happen: (type, data, about = {}) =>
      api.context.db.$transaction((tx) =>
        emit(tx, {
          ...{ userId: user.userId, type, data, occurredAt: clock.now() },
          dedupeKey: `happened ${++happened}`,
          ...about,
        }),
      ),
    async mailChannel(address = 'anna@example.com') {
      const { body } = await user.post(CHANNELS, { kind: 'email', address });
      await world.deliver();
      await user.post(`${CHANNELS}/${body.data.id}/confirm`, { code: codeIn(smtp) });
      smtp.mails.length = 0;
      return body.data.id;
    },
    async pushChannel() {
      const browser = testBrowser(push.url);
      const { body } = await user.post(CHANNELS, { kind: 'push', ...browser.subscription });
      return { id: body.data.id, browser };
    },
    async subscribe(channelId, body = {}) {
      return (await user.post(SUBSCRIPTIONS, { channelId, ...body })).body.data.id;
    },
    async records(query = 'limit=100') {
      return (await user.get(`${DELIVERIES}?${query}`)).body.data.reverse();
    },
  };
  return world;
}
