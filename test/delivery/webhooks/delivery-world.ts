import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { emit } from '../../../src/delivery/events/emit.ts';
import { Deliverer, type DelivererOptions } from '../../../src/delivery/webhooks/deliverer.ts';
import { type ApiUser, type TestApi, TestClock, testApi } from '../../support/api.ts';
import { answering, type TestReceiver, testReceiver } from '../../support/servers/receiver.ts';

export const BASE = '/users/me/webhook';
export const SECRET = 'a secret of the receiver';

/** What the tests of a file have in common: an API, a receiver, and for each test a user with a webhook. */
export interface DeliveryWorld {
  readonly api: TestApi;
  readonly clock: TestClock;
  readonly receiver: TestReceiver;
  /** Of this test. */
  readonly user: ApiUser;
  /** One that can be told when to look. No jitter. */
  deliverer(options?: DelivererOptions): Deliverer;
  /** Makes all that is due at the clock's time. */
  deliver(by?: Deliverer): Promise<void>;
  /** After so many seconds. */
  deliverAfter(seconds: number): Promise<void>;
  /**
   * Makes what is due and waits until the receiver has a request, which it holds.
   * @returns answers that request with a status
   */
  underWay(by: Deliverer): Promise<(status: number) => void>;
  /** Something happens to the user. @returns the event's id */
  tell(): Promise<string | null>;
}

/** Sets the world up before the tests of a file, and takes it down after them. */
export function deliveryWorld(): DeliveryWorld {
  let api: TestApi;
  let receiver: TestReceiver;
  let user: ApiUser;
  let told = 0;
  const clock = new TestClock();
  const deliverers: Deliverer[] = [];
  beforeAll(async () => {
    receiver = await testReceiver();
    api = await testApi({ WEBHOOK_ALLOW_HOSTS: 'localhost', WEBHOOK_CA_FILE: receiver.caFile }, clock);
  });
  afterAll(async () => {
    await receiver.stop();
    await api.drop();
  });
  beforeEach(async () => {
    // What the database dates by its own clock is due by this one, however slow the machine.
    clock.time = new Date(Date.now() + 60_000);
    receiver.arrived.length = 0;
    receiver.answer = answering(204);
    user = await api.user();
    // The longest time for an attempt: on a busy machine the receiver needs a while.
    await user.post(BASE, { url: receiver.url, secret: SECRET, timeoutMs: 30_000 });
  });
  afterEach(async () => {
    await Promise.all(deliverers.splice(0).map((deliverer) => deliverer.stop()));
    await user.delete(BASE);
  });

  const world: DeliveryWorld = {
    get api() {
      return api;
    },
    clock,
    get receiver() {
      return receiver;
    },
    get user() {
      return user;
    },
    deliverer(options = {}) {
      const made = new Deliverer(api.context, { random: () => 0.5, ...options });
      deliverers.push(made);
      return made;
    },
    async deliver(by = world.deliverer()) {
      while ((await by.turn()) > 0) await by.settled();
    },
    deliverAfter(seconds) {
      clock.forward(seconds);
      return world.deliver();
    },
    async underWay(by) {
      const held = new Promise<(status: number) => void>((resolve) => {
        receiver.answer = (_arrived, response) => resolve((status) => void response.writeHead(status).end());
      });
      await by.turn();
      return held;
    },
    tell: () =>
      api.context.db.$transaction((tx) =>
        emit(tx, {
          userId: user.userId,
          type: 'maintenance_scheduled',
          data: { title: 'T', message: 'ü\u2028' },
          occurredAt: new Date('2026-01-31T08:00:00.000Z'),
          dedupeKey: `deliver ${++told}`,
        }),
      ),
  };
  return world;
}
