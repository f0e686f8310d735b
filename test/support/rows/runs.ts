import { randomUUID } from 'node:crypto';
import { sealStreamUrl } from '../../../src/cameras/devices/stream-url.ts';
import { Sealer } from '../../../src/platform/crypto.ts';
import type { Db, Tx } from '../../../src/platform/database/db.ts';
import type { AnalysisTask, Device, Scene } from '../../../src/platform/prisma-client/client.ts';
import { registerNode } from '../../../src/runs/node/node.store.ts';
import type { ClaimedRun } from '../../../src/runs/store/claim-runs.store.ts';
import type { RunWrite } from '../../../src/runs/store/write-runs.store.ts';
import { SHOP_ZONES } from '../../../src/simulator/shop-zones.ts';
import { parametersSchema } from '../../../src/vision/scene-config.ts';
import type { QueueZones } from '../../../src/vision/types.ts';

const KEY = Buffer.alloc(32, 1);
export const testSealer = new Sealer([{ id: 'test', key: KEY }]);
/** The same, as ENCRYPTION_KEYS of a program. */
export const TEST_ENCRYPTION_KEYS = `test:${KEY.toString('base64')}`;

/** A device of a user of its own. */
export async function addDevice(db: Db, streamUrl = 'sim:shop?seed=1', analysisFps = 5): Promise<Device> {
  const user = await db.user.create({ data: { email: `${randomUUID()}@example.com` } });
  return db.device.create({
    data: {
      userId: user.id,
      name: 'Camera',
      streamUrlEncrypted: sealStreamUrl(testSealer, streamUrl),
      analysisFps,
      onlineStatus: 'online',
    },
  });
}

export interface QueuedScene {
  readonly scene: Scene;
  readonly task: AnalysisTask;
}

/** A scene of the device with a queued run, as a start leaves it. It has both zones where none are given. */
export async function queueScene(
  db: Db | Tx,
  device: Pick<Device, 'id' | 'userId'>,
  {
    zones = SHOP_ZONES,
    ...run
  }: Partial<Pick<AnalysisTask, 'priority' | 'reservedNodeId' | 'reservedUntil'>> & {
    readonly zones?: QueueZones;
  } = {},
): Promise<QueuedScene> {
  const owner = { userId: device.userId, deviceId: device.id };
  const config = { zones: structuredClone(zones), parameters: parametersSchema.parse({}) };
  const scene = await db.scene.create({
    data: { ...owner, name: 'Queue', analysisStatus: 'starting', config: JSON.parse(JSON.stringify(config)) },
  });
  const task = await db.analysisTask.create({ data: { ...owner, sceneId: scene.id, ...run } });
  return { scene, task };
}

/** @returns the id of a registered node. It sends no heartbeats, and is online for a day, which is longer than any test */
export async function addNode(db: Db, name: string): Promise<string> {
  const id = randomUUID();
  // A node of an earlier test may have the name.
  const isTaken = (await db.computeNode.count({ where: { name } })) > 0;
  await registerNode(db, {
    id,
    name: isTaken ? `${name}-${id.slice(0, 8)}` : name,
    host: 'test',
    version: '0',
    incarnation: randomUUID(),
    model: 'none',
    executionProvider: 'cpu',
    adapter: null,
    providerReason: null,
    videoDecoder: 'software',
    videoDecoderReason: null,
    maxConcurrentDevices: 10,
  });
  await db.$executeRaw`UPDATE "ComputeNode" SET "lastHeartbeatAt" = now() + interval '1 day' WHERE id = ${id}::uuid`;
  return id;
}

/** What a node writes of a run that has processed a frame. */
export const writeOf = (run: ClaimedRun, nodeId: string, changes: Partial<RunWrite> = {}): RunWrite => ({
  ...{ id: run.id, epoch: run.epoch, taskId: run.id, sceneId: run.sceneId, deviceId: run.deviceId },
  ...{ computeNodeId: nodeId, visits: [], minutes: [], totals: null, snapshots: [], rolling: [], said: [] },
  ...{
    floor: [],
    feet: null,
    tills: [],
    checkpoint: null,
    lastFrameMs: 1_700_000_000_000,
    positionMs: null,
    batch: 0,
    watchedMs: 0,
    hasFrames: true,
    latest: null,
  },
  stats: { processedFrames: 1, skippedFrames: 0, droppedFrames: 0, fps: 5, avgProcessingTimeMs: 20 },
  rules: [],
  end: null,
  ...changes,
});
