import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../support/until.ts';
import type { WebhookInstallation } from './webhook-installation.ts';

/** How long a deliverer lives after its first arrival, at most. */
const LIFE_MS = 150;
/** Claims of a killed deliverer last for ten seconds; a busy machine may miss a deadline and try again. */
const DRAIN_SECONDS = 600;

interface KillPlan {
  readonly events: number;
  readonly kills: number;
  readonly users: number;
  readonly onKill?: () => void;
}

/** Emits events while the only deliverer is killed again and again; then lets it finish and compares the records. */
export async function killDeliverers(
  installation: WebhookInstallation,
  { events, kills, users: count, onKill }: KillPlan,
) {
  const startedAt = performance.now();
  const { receiver, context } = installation;
  const users = await installation.addUsers(count, receiver.fastUrl);
  const emitted: string[] = [];
  const emitUpTo = async (total: number) => {
    while (emitted.length < total) emitted.push(await installation.emit(users[emitted.length % count]!));
  };
  for (let killed = 0; killed < kills; killed++) {
    await emitUpTo(Math.ceil(((killed + 1) * events) / kills));
    const before = receiver.arrivals.length;
    const deliverer = installation.startDeliverer();
    await until('an arrival', () => receiver.arrivals.length > before);
    // At any point of its work: while it claims, sends or records.
    await pause(Math.random() * LIFE_MS);
    await deliverer.kill();
    onKill?.();
  }
  const last = installation.startDeliverer();
  const pending = () => context.db.webhookDelivery.count({ where: { status: 'pending' } });
  await until('everything is delivered', async () => (await pending()) === 0, DRAIN_SECONDS);
  await last.stop();
  const seconds = (performance.now() - startedAt) / 1000;
  return { events, kills, ...(await compare(installation, emitted)), seconds };
}

/** Compares the delivery records with what the receiver got. */
async function compare({ context, receiver }: WebhookInstallation, emitted: readonly string[]) {
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
  return {
    arrivals: receiver.arrivals.length,
    /** Arrivals beyond the first of each event. */
    repeats: receiver.arrivals.length - bodies.size,
    /** Events that never arrived. */
    lost: emitted.filter((id) => !bodies.has(id)).length,
    /** Events that arrived with different bodies. */
    changed: [...bodies.values()].filter(({ size }) => size > 1).length,
    /** Records that differ from what the receiver got, and events without exactly one successful record. */
    untrue:
      records.filter(({ id, status }) => status === 'success' && !deliveries.has(id)).length +
      records.filter(({ status, isFinalAttempt }) => (status === 'success') !== isFinalAttempt).length +
      emitted.filter((id) => successes.get(id) !== 1).length,
  };
}
