import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '../../../src/platform/clock.ts';
import { NodeMember } from '../../../src/runs/node/node-member.ts';
import { takePlace, type WantedPlace } from '../../../src/runs/node/take-place.ts';
import { findNodes, listNodes } from '../../../src/runs/store/nodes.store.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const LEASE_SECONDS = 15;
const IDLE = { activeDeviceCount: 0, maxConcurrentDevices: 1, lastSkewMs: 0, overload: null };

/** What a worker wants that has lost its DATA_DIR: it knows nothing but its name. */
const wanted = (name: string, changes: Partial<WantedPlace> = {}): WantedPlace => ({
  ...{ name, isChosen: true, nodeId: randomUUID(), leaseSeconds: LEASE_SECONDS, formerIncarnation: null },
  ...changes,
});

/** The member of a worker in this place. */
function memberIn(place: { id: string; name: string }, terms = wanted(place.name)) {
  const about = { host: 'till-pc', version: '1', model: 'none', executionProvider: 'cpu' };
  const incarnation = randomUUID();
  const identity = { ...place, ...about, incarnation, maxConcurrentDevices: 1 };
  const member = new NodeMember(database.db, identity, { clock: systemClock, terms });
  return { member, incarnation, id: place.id };
}

async function started(name: string) {
  const worker = memberIn(await takePlace(database.db, wanted(name)));
  await worker.member.join();
  return worker;
}

const silentFor = (id: string, seconds: number) =>
  database.db.$executeRaw`
    UPDATE "ComputeNode" SET "lastHeartbeatAt" = clock_timestamp() - make_interval(secs => ${seconds}) WHERE id = ${id}::uuid`;

test('a worker without its DATA_DIR takes the place of the one that ended, with the same id', async () => {
  const { member, id } = await started('shop');
  await member.leave();
  expect(await takePlace(database.db, wanted('shop'))).toEqual({ id, name: 'shop' });
  const again = await started('shop');
  expect(again.id).toBe(id);
  expect(await database.db.computeNode.count({ where: { name: 'shop' } })).toBe(1);
});

test('after a crash it waits until the leases of the former worker have ended', async () => {
  const { id } = await started('crashed');
  const place = takePlace(database.db, wanted('crashed'));
  await silentFor(id, LEASE_SECONDS + 1);
  expect(await place).toEqual({ id, name: 'crashed' });
});

test('of a former worker that is known to have ended it takes the place at once', async () => {
  const { id, incarnation } = await started('killed');
  const terms = wanted('killed', { formerIncarnation: incarnation });
  expect(await takePlace(database.db, terms)).toEqual({ id, name: 'killed' });
  const next = memberIn({ id, name: 'killed' }, terms);
  await next.member.join();
  expect(await next.member.beat(IDLE)).not.toBeNull();
});

test('of two living workers with one chosen name the younger one refuses to start', async () => {
  const { member, id } = await started('twice');
  const place = takePlace(database.db, wanted('twice')).catch(String);
  const beats = setInterval(() => void member.beat(IDLE), 100);
  try {
    expect(await place).toBe(
      'Error: Another worker (on till-pc) is the node "twice" already. Stop it, or give this one another NODE_NAME.',
    );
  } finally {
    clearInterval(beats);
  }
  // Neither can a worker that looked before the other one registered.
  await expect(memberIn({ id, name: 'twice' }).member.join()).rejects.toThrow('is the node "twice" already');
  await expect(memberIn({ id: randomUUID(), name: 'twice' }).member.join()).rejects.toThrow('already');
  expect(await member.beat(IDLE)).not.toBeNull();
});

test('a machine whose name another one has gets a name of its own, and keeps it', async () => {
  const { member } = await started('localhost');
  const nodeId = randomUUID();
  const beats = setInterval(() => void member.beat(IDLE), 100);
  const own = { id: nodeId, name: `localhost-${nodeId.slice(-8)}` };
  try {
    const host = wanted('localhost', { nodeId, isChosen: false });
    expect(await takePlace(database.db, host)).toEqual(own);
    const second = memberIn(own);
    await second.member.join();
    await second.member.leave();
    expect(await takePlace(database.db, host)).toEqual(own);
  } finally {
    clearInterval(beats);
  }
});

test('an id whose name was changed stays behind the former name', async () => {
  const { member, id } = await started('before');
  await member.leave();
  const place = await takePlace(database.db, wanted('after', { nodeId: id }));
  expect([place.name, place.id === id]).toEqual(['after', false]);
});

test('an aborted start stops waiting', async () => {
  await started('waiting');
  await expect(takePlace(database.db, wanted('waiting'), AbortSignal.abort())).rejects.toThrow('aborted');
});

test('a node that has not come back for a day is in no list', async () => {
  const [{ id }, gone] = [await started('seen'), await started('gone')];
  const page = { page: 1, limit: 100 };
  await silentFor(id, 86_400 - 60);
  await silentFor(gone.id, 86_400 + 1);
  const { items, total } = await listNodes(database.db, page);
  expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining(['seen']));
  expect(items.map(({ name }) => name)).not.toContain('gone');
  expect(total).toBe(items.length);
  expect((await findNodes(database.db)).map((node) => node.id)).not.toContain(gone.id);
});
