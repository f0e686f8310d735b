import type { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { findNodes } from '../../../runs/store/nodes.store.ts';
import { readRunQueue } from '../../../runs/store/task.store.ts';
import { readBacklog, readDatabaseTime } from './admin-overview.store.ts';
import type { adminOverview } from './schema.ts';

/** The state of the whole installation, in a constant number of statements. */
export async function readAdminOverview({
  db,
  clock,
}: Pick<Context, 'db' | 'clock'>): Promise<z.input<typeof adminOverview>> {
  const beginMs = performance.now();
  const databaseTime = await readDatabaseTime(db);
  const databaseMs = performance.now() - beginMs;
  const nowMs = clock.now().getTime() - databaseMs / 2;
  const [runs, nodes, backlog] = await Promise.all([readRunQueue(db), findNodes(db), readBacklog(db)]);
  const online = nodes.filter(({ health }) => health !== 'offline');
  const having = (wanted: string) => nodes.filter(({ health }) => health === wanted).length;
  const sumOf = (of: (node: (typeof nodes)[number]) => number) =>
    online.reduce((sum, node) => sum + of(node), 0);
  return {
    isReady: online.some(({ isDraining }) => !isDraining),
    databaseTime: databaseTime.toISOString(),
    databaseMs: Math.round(databaseMs * 100) / 100,
    clockSkewMs: Math.round(nowMs - databaseTime.getTime()),
    runs: { ...runs, oldestQueuedAgeMs: ageOf(runs.oldestQueuedAgeMs) },
    nodes: {
      healthy: having('healthy'),
      degraded: having('degraded'),
      offline: having('offline'),
      draining: online.filter(({ isDraining }) => isDraining).length,
      activeDeviceCount: sumOf(({ activeDeviceCount }) => activeDeviceCount),
      maxConcurrentDevices: sumOf(({ maxConcurrentDevices }) => maxConcurrentDevices),
    },
    webhookDeliveries: { due: backlog.dueDeliveries, oldestDueAgeMs: ageOf(backlog.oldestDueAgeMs) },
    insights: { pending: backlog.pendingInsights, oldestPendingAgeMs: ageOf(backlog.oldestPendingAgeMs) },
  };
}

/** 0 for a row that another clock dates into the future. */
const ageOf = (ms: number | null): number | null => (ms === null ? null : Math.max(0, Math.floor(ms)));
