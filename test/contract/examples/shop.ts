import type { Context } from '../../../src/platform/context.ts';
import { addShopDays } from '../../support/rows/shop-days.ts';
import type { Rows } from '../rows.ts';

/** A Monday at ten in Berlin, a day after the rows that every test of the contract has. */
export const NOW = new Date('2026-11-02T09:00:00.250Z');

/** Names of rows by their kind. */
export const NAMES: Readonly<Record<string, string>> = {
  Camera: 'Camera till 1',
  Till: 'Till 1',
  Shop: 'Market Street',
  Rule: 'Long queue',
  'People wait': 'Seven people wait at the till, one of them with a pram.',
  Recording: 'Sunday morning',
};

/** What a week in the shop leaves. */
export async function fillShop({ db }: Context, { node, scene }: Rows): Promise<void> {
  // The database asks its own clock whether a node is alive.
  await db.computeNode.update({
    where: { id: node },
    data: { lastHeartbeatAt: new Date(Date.now() + 600_000) },
  });
  await addShopDays(db, {
    ...{ sceneId: scene, firstDay: '2026-10-26', days: 8, timezone: 'Europe/Berlin', until: NOW },
  });
}
