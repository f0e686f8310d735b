import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadConfig } from '../../../src/platform/config.ts';
import type { Context } from '../../../src/platform/context.ts';
import type { Db } from '../../../src/platform/database/db.ts';
import { newObjectKey } from '../../../src/platform/images/object-store.ts';
import { readFacts, readStill } from '../../../src/runs/recordings/read-recording.ts';
import { uploadRecording } from '../../../src/runs/recordings/upload-recording.ts';
import { TestClock } from '../../support/api.ts';
import { runFfmpeg, scratchFolder } from '../../support/ffmpeg.ts';
import { CLIP } from '../../support/rows/recordings.ts';
import { startS3, type TestS3 } from '../../support/servers/s3.ts';
import { testShared } from '../../support/shared.ts';

let s3: TestS3;
let folder: string;
beforeAll(async () => {
  s3 = await startS3();
  folder = scratchFolder();
});
afterAll(async () => {
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

const config = loadConfig({ NODE_ENV: 'test' });
const contextOf = () => ({ config, images: s3.images(), shared: testShared(config) });
const { signal } = new AbortController();
const USER = '0198b3f0-0000-7000-8000-00000000000a';

async function put(bytes: Uint8Array): Promise<string> {
  const key = newObjectKey('recordings', USER);
  const whole = async function* () {
    yield bytes;
  };
  await s3.images().objects.putStream(key, whole(), { maxBytes: bytes.length });
  return key;
}

test('a recording of a bucket is read in place: its facts, and a frame of any time', async () => {
  const stored = { objectKey: await put(CLIP), container: 'mp4', videoTrack: 0 } as const;
  expect(await readFacts(contextOf(), stored, signal)).toEqual({
    ...{ codec: 'h264', durationMs: 2_000, width: 64, height: 36, sourceFps: 5, videoTrack: 0 },
    videoTracks: [{ number: 0, codec: 'h264', width: 64, height: 36, fps: 5 }],
  });
  const frame = await readStill(contextOf(), stored, { atSeconds: 1.5, longest: 32, signal });
  expect([frame.width, frame.height]).toEqual([32, 18]);
});

test('also where the index of the file is at its end', async () => {
  const path = join(folder, 'late.mp4');
  await runFfmpeg('-f', 'lavfi', '-i', 'testsrc=size=320x180:rate=10', '-t', '5', '-c:v', 'libx264', path);
  const stored = { objectKey: await put(readFileSync(path)), container: 'mp4' } as const;
  expect(await readFacts(contextOf(), stored, signal)).toMatchObject({ durationMs: 5_000, width: 320 });
});

test('an object that is gone is a clear error', async () => {
  const objectKey = newObjectKey('recordings', USER);
  await expect(readFacts(contextOf(), { objectKey, container: 'mp4' }, signal)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
});

test('in production an old ffmpeg reads no recording', async () => {
  const strict = { ...config, nodeEnv: 'production' as const };
  const stored = { objectKey: await put(CLIP), container: 'mp4' } as const;
  const read = readFacts({ ...contextOf(), config: strict }, stored, signal);
  const isOld = await read.then(
    () => false,
    ({ code, message }) => code === 'SERVICE_UNAVAILABLE' && /ALLOW_OLD_FFMPEG/.test(message),
  );
  let wasAsked = false;
  const upload = {
    length: null,
    async *[Symbol.asyncIterator]() {
      wasAsked = true;
      yield CLIP;
    },
  };
  const says = { recordedAt: new Date('2026-01-01'), timezone: 'UTC', name: 'Shop', rotation: 0 as const };
  const db = {
    recording: { count: async () => 0, findMany: async () => [] },
    $queryRaw: async () => [{ bytes: 0n }],
  } as unknown as Db;
  const context = { ...contextOf(), config: strict, db, clock: new TestClock() } as unknown as Context;
  await uploadRecording(context, { userId: USER, says, upload, signal }).catch(() => undefined);
  // It is refused before its bytes come.
  expect(wasAsked).toBe(!isOld);
  const { oldRelease, findFfmpeg } = await import('../../../src/video/ffmpeg/ffmpeg-binaries.ts');
  expect(isOld).toBe(oldRelease(await findFfmpeg()) !== null);
});
