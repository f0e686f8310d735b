import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { claimFiring, loadRules, writeRuleStates } from '../../src/alerts/firing.store.ts';
import { endFiringsOutside } from '../../src/alerts/rule.store.ts';
import { RuleWatch } from '../../src/alerts/rule-watch.ts';
import type { Metrics } from '../../src/catalogue/metrics/all.ts';
import { QueueMetrics } from '../../src/metrics/queue-metrics.ts';
import { SHOP_ZONES } from '../../src/simulator/shop-zones.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { addRule } from '../support/rows/alert-rows.ts';
import { addDevice, queueScene } from '../support/rows/runs.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const START_MS = Date.parse('2026-01-05T10:00:00Z');
const queueOf = (inQueue: number) => ({ current: { inQueue } }) as unknown as Metrics;

async function watchOf(sceneId: string, lastMs: number | null): Promise<RuleWatch> {
  const watch = new RuleWatch(lastMs);
  watch.load((await loadRules(database.db, [sceneId])).get(sceneId)!);
  return watch;
}

/** An hour with 10 s above and 10 s below the threshold; each watch tries to claim every firing. */
async function hour(sceneId: string, watchers: 1 | 2, restartAtSecond: number): Promise<number> {
  const { db } = database;
  let watches = [await watchOf(sceneId, null), await watchOf(sceneId, null)].slice(0, watchers);
  let events = 0;
  for (let second = 0; second < 3600; second++) {
    const atMs = START_MS + second * 1000;
    if (second === restartAtSecond) watches = [await watchOf(sceneId, atMs - 1000)];
    const fired = watches.flatMap((watch) => watch.tick(queueOf(second % 20 < 10 ? 7 : 2), atMs));
    const claims = await Promise.all(
      fired.map(({ rule }) => db.$transaction((tx) => claimFiring(tx, rule, atMs))),
    );
    events += claims.filter(Boolean).length;
    if (second % 100 !== 99) continue;
    const rows = watches[0]!.unstored();
    await db.$transaction((tx) => writeRuleStates(tx, rows));
    watches[0]!.stored(rows);
  }
  return events;
}

test.each([
  ['one node', 1, -1],
  ['a restart in the middle', 1, 1805],
  ['two nodes at once, then one of them alone', 2, 2711],
] as const)('%s: 12 events an hour at a cooldown of five minutes', async (_, watchers, restartAtSecond) => {
  const { scene } = await queueScene(database.db, await addDevice(database.db));
  const place = { userId: scene.userId, deviceId: scene.deviceId, sceneId: scene.id };
  const { id } = await addRule(database.db, place, { cooldownMinutes: 5 });
  expect(await hour(scene.id, watchers, restartAtSecond)).toBe(12);
  const rule = await database.db.alertRule.findUniqueOrThrow({ where: { id } });
  expect(rule).toMatchObject({ triggerCount: 12, isFiring: false });
});

test('a rule that has changed neither fires nor stores its state', async () => {
  const { db } = database;
  const { scene } = await queueScene(db, await addDevice(db));
  const place = { userId: scene.userId, deviceId: scene.deviceId, sceneId: scene.id };
  const { id } = await addRule(db, place);
  const watch = await watchOf(scene.id, null);
  const [fired] = watch.tick(queueOf(7), START_MS);
  const conditions = [{ metricPath: 'current.inQueue', operator: 'GT', threshold: 20 }];
  await db.alertRule.update({ where: { id }, data: { conditions, revision: { increment: 1 } } });
  expect(await db.$transaction((tx) => claimFiring(tx, fired!.rule, START_MS))).toBe(false);
  await db.$transaction((tx) => writeRuleStates(tx, watch.unstored()));
  expect(await db.alertRule.findUniqueOrThrow({ where: { id } })).toMatchObject({
    isFiring: false,
    triggerCount: 0,
    lastTriggeredAt: null,
  });
  watch.forget(id);
  watch.load((await loadRules(db, [scene.id])).get(scene.id)!);
  expect(watch.tick(queueOf(7), START_MS + 1000)).toEqual([]);
  expect(watch.tick(queueOf(21), START_MS + 2000)).toHaveLength(1);
});

test('a rule of a site fires and pauses at each of its scenes by itself, also at one that comes later', async () => {
  const { db } = database;
  const device = await addDevice(db);
  const { userId, id: deviceId } = device;
  const [first, second] = [(await queueScene(db, device)).scene.id, (await queueScene(db, device)).scene.id];
  const devices = { create: { deviceId } };
  const { id: siteId } = await db.site.create({ data: { userId, name: 'Shop', timezone: 'UTC', devices } });
  const ofSite = { sceneId: null, deviceId: null, siteId, cooldownMinutes: 5 };
  const rule = await addRule(db, { userId, deviceId, sceneId: first }, ofSite);
  const watches = [await watchOf(first, null), await watchOf(second, null)];
  const claims = async (minute: number) => {
    const atMs = START_MS + minute * 60_000;
    let claimed = 0;
    for (const watch of watches) {
      for (const { rule: fired } of watch.tick(queueOf(7), atMs))
        if (await db.$transaction((tx) => claimFiring(tx, fired, atMs))) claimed += 1;
      await db.$transaction((tx) => writeRuleStates(tx, watch.unstored()));
    }
    return claimed;
  };
  expect(await claims(0)).toBe(2);
  watches.push(await watchOf((await queueScene(db, device)).scene.id, null));
  expect([await claims(3), await claims(5)]).toEqual([1, 2]);
  const stored = { include: { states: true }, where: { id: rule.id } };
  const found = await db.alertRule.findUniqueOrThrow(stored);
  expect(found).toMatchObject({ triggerCount: 5, isFiring: false });
  expect(found.states.map(({ isFiring }) => isFiring)).toEqual([true, true, true]);
  // A camera that has left the site is watched by its rules no more, whatever its node still writes.
  await db.$transaction(async (tx) => {
    await tx.siteDevice.deleteMany({ where: { siteId } });
    await endFiringsOutside(tx, siteId);
  });
  expect((await loadRules(db, [first, second])).get(first)).toEqual([]);
  await db.$transaction((tx) =>
    writeRuleStates(tx, [{ id: rule.id, sceneId: first, revision: 1, isFiring: true, holdingSinceMs: 0 }]),
  );
  const left = await db.alertRule.findUniqueOrThrow(stored);
  expect(left.states.map(({ isFiring }) => isFiring)).toEqual([false, false, false]);
});

test('no operator holds for a metric that the zones of the scene cannot measure', async () => {
  const { scene } = await queueScene(database.db, await addDevice(database.db));
  const place = { userId: scene.userId, deviceId: scene.deviceId, sceneId: scene.id };
  for (const operator of ['GT', 'GTE', 'LT', 'LTE', 'EQ', 'NEQ']) {
    const conditions = [
      { metricPath: 'current.inQueue', operator, threshold: 0 },
      { metricPath: 'current.estimatedWaitSeconds', operator, threshold: 0 },
      { metricPath: 'rolling5Min.abandoned.count', operator, threshold: 0 },
    ];
    await addRule(database.db, place, { conditions, logicOperator: 'OR' });
  }
  const { checkoutZone } = SHOP_ZONES;
  const checkoutOnly = new QueueMetrics({ zones: { checkoutZone } }).at(START_MS);
  expect((await watchOf(scene.id, null)).tick(checkoutOnly, START_MS)).toEqual([]);
  const both = new QueueMetrics({ zones: SHOP_ZONES }).at(START_MS);
  const fired = (await watchOf(scene.id, null)).tick(both, START_MS);
  expect(fired.map(({ held }) => held.operator).sort()).toEqual(['EQ', 'GTE', 'LTE']);
});
