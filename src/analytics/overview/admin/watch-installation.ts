import { periodOf } from '../../../billing/period.ts';
import { countQuotas } from '../../../billing/quota-use.store.ts';
import type { Context } from '../../../platform/context.ts';
import type { Prometheus, Series } from '../../../platform/prometheus.ts';
import { findNodes } from '../../../runs/store/nodes.store.ts';
import { readTogether } from '../together.store.ts';
import { readBacklog } from './admin-overview.store.ts';

const HEALTHS = ['healthy', 'degraded', 'offline'] as const;

/** Shows to Prometheus what is the same in every API: what waits, nodes, and quotas of the month. Its labels are fixed words. */
export function watchInstallation(
  prometheus: Pick<Prometheus, 'watchSeries'>,
  { db, clock }: Pick<Context, 'db' | 'clock'>,
): void {
  const gauge = (
    name: string,
    help: string,
    labelNames: string[],
    read: () => Promise<readonly Series[]>,
  ): void => prometheus.watchSeries({ kind: 'gauge', name, help, labelNames }, read);
  // The gauges of one scrape share one reading.
  let reading: ReturnType<typeof readBacklog> | null = null;
  const backlog = () => {
    reading ??= readBacklog(db).finally(() => {
      reading = null;
    });
    return reading;
  };
  gauge(
    'backlog_items',
    'Webhook deliveries and notifications that are due, and insights that are not written',
    ['kind'],
    async () => {
      const { dueDeliveries, dueMessages, pendingInsights } = await backlog();
      return [
        { labels: { kind: 'webhook_delivery' }, value: dueDeliveries },
        { labels: { kind: 'notification' }, value: dueMessages },
        { labels: { kind: 'insight' }, value: pendingInsights },
      ];
    },
  );
  gauge('backlog_oldest_seconds', 'Age of the oldest of them; 0 without any', ['kind'], async () => {
    const { oldestDueAgeMs, oldestMessageAgeMs, oldestPendingAgeMs } = await backlog();
    return [
      { labels: { kind: 'webhook_delivery' }, value: Math.max(0, oldestDueAgeMs ?? 0) / 1000 },
      { labels: { kind: 'notification' }, value: Math.max(0, oldestMessageAgeMs ?? 0) / 1000 },
      { labels: { kind: 'insight' }, value: Math.max(0, oldestPendingAgeMs ?? 0) / 1000 },
    ];
  });
  gauge('compute_nodes', 'Compute nodes that had a heartbeat within a day', ['health'], async () => {
    const nodes = await findNodes(db);
    return HEALTHS.map((health) => ({
      labels: { health },
      value: nodes.filter((node) => node.health === health).length,
    }));
  });
  gauge('quotas', 'Quotas of this month by the share that is used', ['feature', 'used'], async () =>
    (await countQuotas(db, periodOf(clock.now()))).map(({ feature, used, count }) => ({
      labels: { feature, used },
      value: count,
    })),
  );
  gauge(
    'scenes_now',
    'Metrics of this moment over all measured scenes: people are summed, averages weighted, the longest are those of the worst scene',
    ['metric'],
    async () =>
      Object.entries(await readTogether(db)).flatMap(([metric, value]) =>
        value === null ? [] : [{ labels: { metric }, value }],
      ),
  );
}
