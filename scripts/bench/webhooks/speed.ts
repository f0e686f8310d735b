import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '../../support/numbers.ts';
import { until } from '../../support/until.ts';
import type { WebhookInstallation } from './webhook-installation.ts';

/** How fast one process empties a queue to fast receivers, from the first arrival to the last record. */
export async function throughput(installation: WebhookInstallation, deliveries: number) {
  const { receiver, context } = installation;
  const users = await installation.addUsers(20, receiver.fastUrl);
  for (let i = 0; i < deliveries; i++) await installation.emit(users[i % users.length]!);
  const before = receiver.arrivals.length;
  const deliverer = installation.startDeliverer();
  const recorded = () =>
    context.db.webhookDelivery.count({ where: { userId: { in: users }, status: 'success' } });
  await until('the first arrival', () => receiver.arrivals.length > before);
  const startedAt = performance.now();
  await until('every arrival', () => receiver.arrivals.length >= before + deliveries);
  await until('every record', async () => (await recorded()) === deliveries);
  const seconds = (performance.now() - startedAt) / 1000;
  await deliverer.stop();
  return { deliveries, perSecond: deliveries / seconds };
}

/** Every user gets an event a second, and the receivers of some never answer: how long do the others wait? */
export async function fairness(
  installation: WebhookInstallation,
  { users, blackHoled, seconds }: { users: number; blackHoled: number; seconds: number },
) {
  const { receiver } = installation;
  const holes = await installation.addUsers(blackHoled, receiver.blackHoleUrl);
  const others = await installation.addUsers(users - blackHoled, receiver.fastUrl);
  const isOther = new Set(others);
  const emittedAt = new Map<string, number>();
  const deliverer = installation.startDeliverer();
  // The start of the deliverer is not measured.
  const first = await installation.emit(others[0]!);
  await until('the first arrival', () => receiver.arrivals.some(({ eventId }) => eventId === first));
  const startedAt = performance.now();
  for (let second = 0; second < seconds; second++) {
    for (const userId of [...holes, ...others]) {
      const atMs = Date.now();
      const id = await installation.emit(userId);
      if (isOther.has(userId)) emittedAt.set(id, atMs);
    }
    await pause(Math.max(0, startedAt + (second + 1) * 1000 - performance.now()));
  }
  const waits = () => {
    const arrivedAt = new Map(receiver.arrivals.toReversed().map(({ eventId, atMs }) => [eventId, atMs]));
    return [...emittedAt].flatMap(([id, atMs]) => {
      const arrivedMs = arrivedAt.get(id);
      return arrivedMs === undefined ? [] : [arrivedMs - atMs];
    });
  };
  await until('every arrival', () => waits().length === emittedAt.size);
  await deliverer.stop();
  /** From just before the event to its first arrival, of users whose receivers answer. */
  const [p50Ms, p95Ms, maxMs] = [0.5, 0.95, 1].map((share) => quantile(waits(), share));
  return { users, blackHoled, events: emittedAt.size, p50Ms, p95Ms, maxMs };
}
