import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sealStreamUrl } from '../../../src/cameras/devices/stream-url.ts';
import { newConfig } from '../../../src/cameras/scenes/schema.ts';
import type { Context } from '../../../src/platform/context.ts';
import { asJson } from '../../../src/platform/database/as-json.ts';
import { newObjectKey } from '../../../src/platform/images/object-store.ts';
import {
  insertRecording,
  type NewRecording,
  type RecordingRow,
} from '../../../src/runs/recordings/recording.store.ts';

/** Two seconds of a test picture: MP4, 64 × 36 pixels, 5 frames a second. */
export const CLIP = readFileSync(new URL('../clips/two-seconds.mp4', import.meta.url));

/** A recording as an upload leaves it, with its file. */
export async function addRecording(
  { db, images, sealer }: Pick<Context, 'db' | 'images' | 'sealer'>,
  userId: string,
  changes: Partial<NewRecording> = {},
): Promise<RecordingRow> {
  const objectKey = newObjectKey('recordings', userId);
  const whole = async function* () {
    yield CLIP;
  };
  await images.objects.putStream(objectKey, whole(), { maxBytes: CLIP.length });
  const facts = { format: 'mp4', codec: 'h264', durationMs: 2_000, width: 64, height: 36, sourceFps: 5 };
  const recordedAt = new Date('2026-11-01T12:00:00.000Z');
  return insertRecording(
    db,
    {
      ...{ userId, objectKey, ...facts, recordedAt, timezone: 'Europe/Berlin' },
      ...{ name: `Recording ${randomUUID()}`, sizeBytes: BigInt(CLIP.length) },
      ...changes,
    },
    {
      most: 1_000_000,
      mostBytes: 1e15,
      config: asJson(newConfig.parse({})),
      sealAddress: (address) => sealStreamUrl(sealer, address),
    },
  );
}
