import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Db } from '../../../src/platform/database/db.ts';
import { type ClaimedRun, claimRuns } from '../../../src/runs/store/claim-runs.store.ts';
import {
  closeOverdueStops,
  expireLeases,
  releaseAllOfNode,
  releaseLeases,
  renewLeases,
} from '../../../src/runs/store/lease.store.ts';
import { type RunState, shownOf, stateOf } from '../../../src/runs/store/states.ts';
import { cancelQueued, fenceRuns, requestStop } from '../../../src/runs/store/stop-runs.store.ts';
import { failRun, writeRuns } from '../../../src/runs/store/write-runs.store.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { dearCases, fc } from '../../support/property.ts';
import { addDevice, addNode, queueScene, writeOf } from '../../support/rows/runs.ts';

let database: TestDatabase;
let db: Db;
let nodes: string[];

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  nodes = [await addNode(db, 'a'), await addNode(db, 'b')];
});
afterAll(() => database.drop());

/** Every function that changes the state of a run. */
const WRITERS = [
  'claim',
  'firstFrame',
  'renew',
  'stop',
  'fail',
  'failRun',
  'release',
  'releaseAll',
  'requestStop',
  'cancel',
  'fence',
  'expireLeases',
  'closeOverdueStops',
] as const;

/** Runs of one device, and the claims that two nodes remember, also of runs that they have lost. */
class World {
  readonly #remembered = new Map<string, ClaimedRun[]>(nodes.map((id) => [id, []]));
  readonly ids: readonly string[];
  readonly #deviceId: string;

  constructor(deviceId: string, ids: readonly string[]) {
    this.#deviceId = deviceId;
    this.ids = ids;
  }

  async take(writer: (typeof WRITERS)[number], node: number): Promise<unknown> {
    const nodeId = nodes[node]!;
    const runs = this.#remembered.get(nodeId)!;
    const end = (command: 'stop' | 'fail') =>
      runs.map((run) => writeOf(run, nodeId, { end: { command, errorMessage: null } }));
    switch (writer) {
      case 'claim': {
        const claimed = await claimRuns(db, { nodeId, heldDeviceIds: [], maxDevices: 9, leaseSeconds: 99 });
        return runs.push(...claimed);
      }
      case 'firstFrame':
        return writeRuns(
          db,
          nodeId,
          runs.map((run) => writeOf(run, nodeId, {})),
        );
      case 'renew':
        return renewLeases(db, nodeId, { leases: runs, leaseSeconds: 99 });
      case 'stop':
      case 'fail':
        return writeRuns(db, nodeId, end(writer));
      case 'failRun':
        for (const run of runs) await failRun(db, nodeId, { ...run, errorMessage: 'x' });
        return;
      case 'release':
        return releaseLeases(db, nodeId, runs);
      case 'releaseAll':
        return releaseAllOfNode(db, nodeId);
      case 'requestStop': {
        const which = { ids: this.ids, deviceId: this.#deviceId };
        return requestStop(db, which, { reason: 'user_request', drain: false, deadlineSeconds: 9 });
      }
      case 'cancel':
        return cancelQueued(db, this.ids, { reason: 'user_request' });
      case 'fence':
        return fenceRuns(db, this.ids, 'scheduled');
      case 'expireLeases':
        await db.runLease.updateMany({ data: { expiresAt: new Date(0) } });
        return expireLeases(db);
      case 'closeOverdueStops':
        await db.analysisTask.updateMany({
          where: { stopRequestedAt: { not: null } },
          data: { stopDeadlineAt: new Date(0) },
        });
        return closeOverdueStops(db);
    }
  }
}

describe('every change of a run’s state', () => {
  test('is a move of the table, for every function that makes one, in any order', async () => {
    const reached = new Set<RunState>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...WRITERS), fc.integer({ min: 0, max: 1 })), {
          minLength: 4,
          maxLength: 12,
        }),
        async (writers) => {
          await db.user.deleteMany();
          const device = await addDevice(db);
          const queued = [await queueScene(db, device), await queueScene(db, device)];
          const world = new World(
            device.id,
            queued.map(({ task }) => task.id),
          );
          for (const [writer, node] of writers) {
            // The databases of the tests refuse every other move: test/support/rows/guard-moves.ts.
            await world.take(writer, node);
            for (const run of await db.analysisTask.findMany({ include: { scene: true } })) {
              reached.add(stateOf(run));
              expect(run.scene.analysisStatus).toBe(shownOf(run).scene);
              expect(run.completedAt !== null).toBe(run.status !== 'QUEUED' && run.status !== 'PROCESSING');
            }
          }
        },
      ),
      // The examples reach the rare states for certain.
      {
        numRuns: dearCases(6),
        examples: [
          [
            [
              ['claim', 0],
              ['requestStop', 0],
              ['firstFrame', 0],
              ['fail', 0],
            ],
          ],
          [
            [
              ['claim', 1],
              ['firstFrame', 1],
              ['requestStop', 0],
              ['fence', 0],
            ],
          ],
        ],
      },
    );
    expect([...reached].sort()).toEqual([
      'cancelled',
      'completed',
      'failed',
      'queued',
      'running',
      'starting',
      'stopping',
      'stoppingEarly',
    ]);
  });

  test('is refused by the databases of the tests when the table does not have it', async () => {
    const { task } = await queueScene(db, await addDevice(db));
    const change = db.analysisTask.update({ where: { id: task.id }, data: { status: 'COMPLETED' } });
    await expect(change).rejects.toThrow('no move of a run from queued to completed');
  });

  test('by fenceRuns cancels a queued run and completes a run that a node holds, both with the reason', async () => {
    const device = await addDevice(db);
    const held = await queueScene(db, device);
    await claimRuns(db, { nodeId: nodes[0]!, heldDeviceIds: [], maxDevices: 9, leaseSeconds: 99 });
    const queued = await queueScene(db, device);
    await fenceRuns(db, [held.task.id, queued.task.id], 'scheduled');
    const columns = { status: true, runStatus: true, reason: true, epoch: true } as const;
    const stateOfRun = (id: string) => db.analysisTask.findUnique({ where: { id }, select: columns });
    const ended = { runStatus: 'stopped', reason: 'scheduled' };
    expect(await stateOfRun(queued.task.id)).toEqual({ ...ended, status: 'CANCELLED', epoch: 1 });
    expect(await stateOfRun(held.task.id)).toEqual({ ...ended, status: 'COMPLETED', epoch: 2 });
  });
});
