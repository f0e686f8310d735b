import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sealStreamUrl } from '../../../src/cameras/devices/stream-url.ts';
import type { Db } from '../../../src/platform/database/db.ts';
import { newObjectKey } from '../../../src/platform/images/object-store.ts';
import type { Device } from '../../../src/platform/prisma-client/client.ts';
import { type QueuedScene, queueScene, testSealer } from './runs.ts';

export interface QueuedRecording extends QueuedScene {
  readonly device: Device;
}

export interface RecordedFile {
  /** Folder of the local storage of images. */
  readonly imagesDir: string;
  /** The video; by default a few bytes that no test reads. */
  readonly video?: string;
  readonly recordedAt?: string;
  readonly durationMs?: number;
  readonly plan?: Device['plan'];
  /** By default a new user. */
  readonly userId?: string;
}

/** A recording of a user of its own, with its file and a queued run. */
export async function queueRecording(
  db: Db,
  { imagesDir, video, recordedAt = '2024-03-01T09:00:00Z', durationMs = 60_000, plan, userId }: RecordedFile,
): Promise<QueuedRecording> {
  const owner = userId ?? (await db.user.create({ data: { email: `${randomUUID()}@example.com` } })).id;
  const device = await db.device.create({
    data: {
      ...{ userId: owner, kind: 'recording', name: 'Recording', onlineStatus: 'online', nextProbeAt: null },
      ...{
        streamUrlEncrypted: sealStreamUrl(testSealer, `recording:${randomUUID()}`),
        ...(plan && { plan }),
      },
    },
  });
  const objectKey = newObjectKey('recordings', owner);
  const path = join(imagesDir, objectKey);
  await mkdir(dirname(path), { recursive: true });
  await (video ? copyFile(video, path) : writeFile(path, 'no video'));
  // In one transaction: a worker that runs already takes the run as soon as it sees it.
  const queued = await db.$transaction(async (tx) => {
    const run = await queueScene(tx, device);
    await tx.recording.create({
      data: {
        ...{ userId: owner, deviceId: device.id, sceneId: run.scene.id, name: 'Recording', objectKey },
        ...{ sizeBytes: 8, format: 'mp4', codec: 'h264', durationMs, width: 640, height: 360, sourceFps: 10 },
        ...{ recordedAt: new Date(recordedAt), timezone: 'Europe/Berlin' },
      },
    });
    return run;
  });
  return { ...queued, device };
}
