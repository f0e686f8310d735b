import { setTimeout as pause } from 'node:timers/promises';
import { until, type World } from './world.ts';

export interface ThroughputResult {
  readonly deliveries: number;
  readonly perSecond: number;
}

/** How fast one process empties a queue to fast receivers, from the first arrival to the last record. */
export async function throughput(world: World, deliveries: number): Promise<ThroughputResult> {
  const { receiver, context } = world;
  const users = await world.addUsers(20, receiver.fastUrl);
  for (let i = 0; i < deliveries; i++) await world.tell(users[i % users.length]!);
  const before = receiver.arrivals.length;
  const deliverer = world.startDeliverer();
  const recorded = () =>
    context.db.webhookDelivery.count({ where: { userId: { in: users }, status: 'success' } });
  await until('the first arrival', () => receiver.arrivals.length > before);
  const startedAt = performance.now();
  await until('every arrival', () => receiver.arrivals.length >= before + deliveries);
  await until('every record', async () => (await recorded()) === deliveries);
  const seconds = (performance.now() - startedAt) / 1000;
  deliverer.kill('SIGTERM');
  return { deliveries, perSecond: deliveries / seconds };
}

export interface FairnessResult {
  readonly users: number;
  readonly blackHoled: number;
  readonly events: number;
  /** From just before the event to its arrival, of users whose receivers answer. */
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly maxMs: number;
}

/** An event a second for every user, some of whose receivers never answer: how long do the others wait? */
export async function fairness(
  world: World,
  { users, blackHoled, seconds }: { users: number; blackHoled: number; seconds: number },
): Promise<FairnessResult> {
  const { receiver } = world;
  const holes = await world.addUsers(blackHoled, receiver.blackHoleUrl);
  const others = await world.addUsers(users - blackHoled, receiver.fastUrl);
  const isOther = new Set(others);
  const toldAt = new Map<string, number>();
  const deliverer = world.startDeliverer();
  // Its start is not what is measured.
  const warm = await world.tell(others[0]!);
  await until('the first arrival', () => receiver.arrivals.some(({ eventId }) => eventId === warm));
  const startedAt = performance.now();
  for (let second = 0; second < seconds; second++) {
    for (const userId of [...holes, ...others]) {
      const atMs = Date.now();
      const id = await world.tell(userId);
      if (isOther.has(userId)) toldAt.set(id, atMs);
    }
    await pause(Math.max(0, startedAt + (second + 1) * 1000 - performance.now()));
  }
  const waits = () => {
    const first = new Map<string, number>();
    for (const { eventId, atMs } of receiver.arrivals) if (!first.has(eventId)) first.set(eventId, atMs);
    return [...toldAt].flatMap(([id, atMs]) => (first.has(id) ? [first.get(id)! - atMs] : []));
  };
  await until('every arrival', () => waits().length === toldAt.size);
  deliverer.kill('SIGTERM');
  const sorted = waits().sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { users, blackHoled, events: toldAt.size, p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) };
}
