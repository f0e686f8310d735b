import { setTimeout as pause } from 'node:timers/promises';
import { countPending, until, type World } from './world.ts';

export interface KillResult {
  readonly events: number;
  readonly kills: number;
  readonly arrivals: number;
  /** Arrivals beyond the first of each event. */
  readonly repeats: number;
  /** Events that never came. */
  readonly lost: number;
  /** Repeats whose body differs from the first. */
  readonly changed: number;
  /** Records that say something else than the receiver saw, and events without one whole series. */
  readonly untrue: number;
  readonly seconds: number;
}

/** How long a deliverer lives after its first arrival, at most. */
const LIFE_MS = 150;
/** Claims of the dead last for ten seconds; a busy machine may miss a deadline and try again. */
const DRAIN_SECONDS = 600;

export interface KillPlan {
  readonly events: number;
  readonly kills: number;
  readonly users: number;
  readonly onKill?: (done: number) => void;
}

/** Tells events while the one deliverer is killed again and again; then lets it end its work and compares. */
export async function killDeliverers(
  world: World,
  { events, kills, users: count, onKill }: KillPlan,
): Promise<KillResult> {
  const startedAt = performance.now();
  const { receiver, context } = world;
  const users = await world.addUsers(count, receiver.fastUrl);
  const told: string[] = [];
  const tellUpTo = async (total: number) => {
    while (told.length < total) told.push(await world.tell(users[told.length % count]!));
  };
  for (let killed = 0; killed < kills; killed++) {
    await tellUpTo(Math.ceil(((killed + 1) * events) / kills));
    const before = receiver.arrivals.length;
    const deliverer = world.startDeliverer();
    const ended = new Promise((resolve) => deliverer.once('exit', resolve));
    // Somewhere in its work: while it claims, sends or writes down.
    await until('an arrival', () => receiver.arrivals.length > before);
    await pause(Math.random() * LIFE_MS);
    deliverer.kill('SIGKILL');
    await ended;
    onKill?.(killed + 1);
  }
  const last = world.startDeliverer();
  await until('everything delivered', async () => (await countPending(context)) === 0, DRAIN_SECONDS);
  const ended = new Promise((resolve) => last.once('exit', resolve));
  last.kill('SIGTERM');
  await ended;
  return { events, kills, ...(await compare(world, told)), seconds: (performance.now() - startedAt) / 1000 };
}

async function compare({ context, receiver }: World, told: readonly string[]) {
  const bodies = new Map<string, Set<string>>();
  const deliveries = new Set<string>();
  for (const { eventId, body, deliveryId } of receiver.arrivals) {
    bodies.set(eventId, (bodies.get(eventId) ?? new Set()).add(body));
    deliveries.add(deliveryId);
  }
  const records = await context.db.webhookDelivery.findMany({
    select: { id: true, eventId: true, status: true, attemptNumber: true, isFinalAttempt: true },
  });
  const successes = new Map<string, number>();
  for (const { eventId, status } of records) {
    if (status === 'success') successes.set(eventId, (successes.get(eventId) ?? 0) + 1);
  }
  const untrue =
    records.filter(({ id, status }) => status === 'success' && !deliveries.has(id)).length +
    records.filter(({ status, isFinalAttempt }) => (status === 'success') !== isFinalAttempt).length +
    told.filter((id) => successes.get(id) !== 1).length;
  return {
    arrivals: receiver.arrivals.length,
    repeats: receiver.arrivals.length - bodies.size,
    lost: told.filter((id) => !bodies.has(id)).length,
    changed: [...bodies.values()].filter(({ size }) => size > 1).length,
    untrue,
  };
}
