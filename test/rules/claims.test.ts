import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

/** What skips locked rows beside `claim`, and why (src/platform/jobs/README.md). */
const OTHERS = {
  // In turn between receivers, users or programs.
  'src/delivery/outbox/claim.store.ts': 1,
  'src/insights/describe.store.ts': 2,
  // Runs have leases.
  'src/runs/store/claim-runs.store.ts': 1,
  'src/runs/store/lease.store.ts': 3,
  // Removals and changes of many rows, which wait for nobody.
  'src/platform/database/remove-old.ts': 1,
  'src/platform/database/partitions/remove-old-partitions.store.ts': 1,
  'src/runs/node/node-notices.store.ts': 1,
  'src/delivery/webhooks/delivery.store.ts': 1,
  // Locks of one row.
  'src/delivery/notifications/messages/tell.store.ts': 1,
  'src/billing/month-change.store.ts': 1,
};

test('work that waits in rows is claimed in one way', () => {
  const found = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => `src/${path}`)
    .map((path) => [path, readFileSync(path, 'utf8').split('SKIP LOCKED').length - 1] as const)
    .filter(([, times]) => times > 0);
  expect(Object.fromEntries(found)).toEqual({ ...OTHERS, 'src/platform/jobs/claim.store.ts': 1 });
});
