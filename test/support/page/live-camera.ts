import sharp from 'sharp';
import { sampleMetrics } from '../../../scripts/seed/numbers.ts';
import { storePicture } from '../../../src/cameras/devices/images/live-picture.store.ts';
import { createRandom } from '../../../src/simulator/random.ts';
import type { TillNow } from '../../../src/vision/tills/till-watch.ts';
import { type ApiUser, QUEUE_ZONE, SHOP, type TestApi } from '../api.ts';
import { addNode } from '../rows/runs.ts';

const HOUR_MS = 3_600_000;
/** Size of the pictures. */
export const PICTURE = { width: 640, height: 360 } as const;
/** Where the one person of the pictures is: pixels. */
export const PERSON = { left: 128, top: 90, width: 64, height: 180 } as const;

/** A grey picture with a red person, as large as its box says. */
const withPerson = (): Promise<Buffer> =>
  sharp({ create: { ...PICTURE, channels: 3, background: '#8a8f94' } })
    .composite([
      {
        left: PERSON.left,
        top: PERSON.top,
        input: { create: { width: PERSON.width, height: PERSON.height, channels: 3, background: '#d01020' } },
      },
    ])
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer();

const BOX = [
  PERSON.left / PICTURE.width,
  PERSON.top / PICTURE.height,
  (PERSON.left + PERSON.width) / PICTURE.width,
  (PERSON.top + PERSON.height) / PICTURE.height,
] as const;

export interface LiveCamera {
  readonly deviceId: string;
  readonly sceneId: string;
  readonly taskId: string;
  /** Stores a live picture of this moment, with the person in the queue. */
  show(picture?: { readonly isStill?: boolean; readonly capturedAtMs?: number }): Promise<void>;
  /** Stores numbers of this moment, and what its tills do. */
  count(people: number, tills?: readonly TillNow[]): Promise<void>;
}

interface CameraNames {
  readonly name?: string;
  readonly sceneName?: string;
  readonly tills?: readonly object[];
}

/** A camera that is analysed, without a worker: the test writes what a node would write. */
export async function addLiveCamera(
  { context: { db } }: TestApi,
  user: ApiUser,
  { name = 'Entrance', sceneName = 'Till 3', tills }: CameraNames = {},
): Promise<LiveCamera> {
  const device = await user.post('/devices', { ...SHOP, name, timezone: 'Europe/Berlin' });
  const deviceId = device.body.data.id as string;
  const config = { zones: { queueZone: QUEUE_ZONE, ...(tills && { tills }) } };
  const scene = await user.post('/scenes', {
    deviceId,
    name: sceneName,
    analysisType: 'queue_analysis',
    config,
  });
  const sceneId = scene.body.data.id as string;
  const task = await db.analysisTask.create({ data: { userId: user.userId, deviceId, sceneId } });
  const computeNodeId = await addNode(db, 'node');
  const where = { id: task.id };
  const claimed = { computeNodeId, epoch: 1, startedAt: new Date(), status: 'PROCESSING' } as const;
  await db.analysisTask.update({ where, data: claimed });
  // Its node does not fall silent during the test.
  const lastFrameAt = new Date(Date.now() + HOUR_MS);
  await db.analysisTask.update({ where, data: { runStatus: 'running', lastFrameAt } });
  await db.scene.update({ where: { id: sceneId }, data: { analysisStatus: 'running' } });
  await db.device.update({ where: { id: deviceId }, data: { width: 640, height: 360 } });
  const jpeg = await withPerson();
  return {
    deviceId,
    sceneId,
    taskId: task.id,
    async show({ isStill = false, capturedAtMs = Date.now() } = {}) {
      const { privacyRevision } = await db.device.findUniqueOrThrow({ where: { id: deviceId } });
      const tracks = JSON.stringify({ [sceneId]: [[1, 'queue', ...BOX]] });
      await storePicture(db, deviceId, { capturedAtMs, tracks, isStill, jpeg, privacyRevision });
    },
    async count(people, tillsNow = []) {
      const { current, ...others } = sampleMetrics(createRandom(1));
      const metrics = {
        ...others,
        ...{ current: { ...current, inQueue: people, totalPresent: people }, tills: tillsNow },
      };
      const latestMetrics = JSON.parse(JSON.stringify(metrics));
      await db.scene.update({
        where: { id: sceneId },
        data: { latestMetrics, metricsUpdatedAt: new Date() },
      });
    },
  };
}
