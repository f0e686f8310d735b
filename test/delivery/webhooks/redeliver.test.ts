import { describe, expect, test } from '@jest/globals';
import type { Deliverer } from '../../../src/delivery/webhooks/deliverer.ts';
import { answering, type TestReceiver } from '../../support/servers/receiver.ts';
import { BASE, deliveryWorld } from './delivery-world.ts';

const HOUR = 3600;

const world = deliveryWorld();
const { clock, deliver, deliverAfter, deliverer, tell } = world;

/** Newest first. */
const records = async (query = 'limit=100') =>
  (await world.user.get(`${BASE}/deliveries?${query}`)).body.data;
const inOrder = async () => (await records()).reverse();

describe('a delivery', () => {
  test('a redelivery has the same body and a new delivery id', async () => {
    await tell();
    await deliver();
    const [record] = await records();
    await world.user.post(`${BASE}/deliveries/${record.id}/redeliver`);
    await deliverAfter(1);
    const [first, second] = world.receiver.arrived as [
      TestReceiver['arrived'][0],
      TestReceiver['arrived'][0],
    ];
    expect(second.body.equals(first.body)).toBe(true);
    expect(second.headers['x-saas-delivery-id']).not.toBe(first.headers['x-saas-delivery-id']);
  });

  test('a redelivery cancels scheduled retries, so that the event is sent once more and not twice', async () => {
    await tell();
    world.receiver.answer = answering(500);
    await deliver();
    const [retry, failed] = await records();
    expect([retry.status, failed.status]).toEqual(['pending', 'failed']);
    world.receiver.answer = answering(204);
    const { data: again } = (await world.user.post(`${BASE}/deliveries/${failed.id}/redeliver`)).body;
    await deliverAfter(6);
    await deliverAfter(24 * HOUR);
    expect(world.receiver.arrived.map(({ headers }) => headers['x-saas-delivery-id'])).toEqual([
      failed.id,
      again.id,
    ]);
    expect(await inOrder()).toMatchObject([
      { id: failed.id, status: 'failed', nextAttemptAt: null },
      {
        ...{ id: retry.id, status: 'failed', isFinalAttempt: true, attemptedAt: null, nextAttemptAt: null },
        errorMessage: 'Not made: the event was delivered again by hand.',
      },
      { id: again.id, status: 'success', nextAttemptAt: null },
    ]);
  });

  test('a redelivery during an attempt counts that attempt', async () => {
    await tell();
    const [record] = await records();
    const by = deliverer();
    const answer = await world.underWay(by);
    const { status, body } = await world.user.post(`${BASE}/deliveries/${record.id}/redeliver`);
    expect([status, body.data.id, body.data.status]).toEqual([202, record.id, 'pending']);
    answer(200);
    await by.settled();
    await deliverAfter(24 * HOUR);
    expect(world.receiver.arrived).toHaveLength(1);
    expect(await records()).toMatchObject([{ id: record.id, status: 'success' }]);
  });

  test('a redelivery after the kill of a deliverer is made at once, and the interrupted attempt is not repeated', async () => {
    await world.user.patch(BASE, { timeoutMs: 30_000 });
    await tell();
    const dead = deliverer();
    const answer = await world.underWay(dead);
    clock.forward(60);
    const [record] = await records();
    world.receiver.answer = answering(204);
    const { data: again } = (await world.user.post(`${BASE}/deliveries/${record.id}/redeliver`)).body;
    expect(again.id).not.toBe(record.id);
    await deliverAfter(1);
    // What the first has to say now comes too late: it schedules no retry.
    answer(500);
    await dead.settled();
    await deliverAfter(24 * HOUR);
    expect(await inOrder()).toMatchObject([
      { id: record.id, status: 'failed', isFinalAttempt: true },
      { id: again.id, status: 'success' },
    ]);
  });

  test('a redelivery at the time of a retry causes one request', async () => {
    const rounds = 20;
    await world.user.patch(BASE, { maxRetries: 1, timeoutMs: 30_000 });
    world.receiver.answer = answering(500);
    for (let round = 0; round < rounds; round++) await tell();
    await deliver();
    const failed = (await records('status=failed&limit=100')) as { id: string }[];
    expect(failed).toHaveLength(rounds);
    clock.forward(6);
    world.receiver.arrived.length = 0;
    // None is over before all were asked for: one that is over may be sent again.
    const held: (() => void)[] = [];
    world.receiver.answer = (_arrived, response) => void held.push(() => response.writeHead(204).end());
    const [one, other] = [deliverer(), deliverer()];
    const turns = async (by: Deliverer) => {
      for (let turn = 0; turn < 10; turn++) await by.turn();
    };
    await Promise.all([
      turns(one),
      ...failed.map(({ id }) => world.user.post(`${BASE}/deliveries/${id}/redeliver`)),
      turns(other),
    ]);
    world.receiver.answer = answering(204);
    for (const release of held) release();
    clock.forward(60);
    await Promise.all([one, other].map(deliver));
    await deliver();
    const sent = world.receiver.arrived.map(({ body }) => JSON.parse(body.toString()).id as string);
    expect([sent.length, new Set(sent).size]).toEqual([rounds, rounds]);
    expect(await records('status=pending')).toEqual([]);
  });
});
