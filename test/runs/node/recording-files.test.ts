import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { Context } from '../../../src/platform/context.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { RecordingFiles } from '../../../src/runs/node/recordings/recording-files.ts';
import { SpareTime } from '../../../src/runs/node/recordings/spare-time.ts';
import { Progress } from '../../../src/runs/record/progress.ts';
import { eventually } from '../../support/eventually.ts';

let dataDir: string;
const folders: string[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'recording-files-'));
  folders.push(dataDir);
});
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

/** A bucket with one object; `read` gives its bytes. */
function bucketWith(read: () => Readable | null, sizeOf: () => number | null = () => 5): RecordingFiles {
  const objects = { sizeOf: async () => sizeOf(), fileOf: () => null, read: async () => read() };
  const logger = createLogger({ level: 'silent', program: 'test' });
  return new RecordingFiles(
    { config: { dataDir }, images: { objects }, logger } as unknown as Context,
    'node',
  );
}
const copies = () => readdirSync(join(dataDir, 'recordings', 'node'));
const claim = (sizeBytes = 5) => ({
  recording: { id: 'r', objectKey: 'k', sizeBytes, videoTrack: 0, recordedAtMs: 0 },
});

test('the copy of a recording exists until it is released; what a killed worker left is removed', async () => {
  const left = join(dataDir, 'recordings', 'node', 'left');
  await mkdir(join(left, '..'), { recursive: true });
  writeFileSync(left, 'x');
  const files = bucketWith(() => Readable.from([Buffer.from('video')]));
  await files.removeLeft();
  expect(existsSync(left)).toBe(false);
  const path = await files.open('run', claim());
  expect(await readFile(path, 'utf8')).toBe('video');
  files.release('another run');
  expect(copies()).toHaveLength(1);
  files.release('run');
  await eventually('the copy is removed', () => copies().length === 0);
});

test('a copy that is released before it is complete is given up', async () => {
  const endless = new Readable({ read: () => undefined });
  const files = bucketWith(() => endless);
  const opening = files.open('run', claim());
  await eventually(
    'the copy begins',
    () => existsSync(join(dataDir, 'recordings', 'node')) && copies().length > 0,
  );
  files.release('run');
  await expect(opening).rejects.toThrow('could not be read from the storage');
  await eventually('nothing is left', () => copies().length === 0);
  expect(endless.destroyed).toBe(true);
});

test.each([
  ['was deleted', bucketWith, { recording: null }, /was deleted/],
  [
    'is missing',
    () =>
      bucketWith(
        () => null,
        () => null,
      ),
    claim(),
    /file of the recording is missing/,
  ],
  ['vanishes', () => bucketWith(() => null), claim(), /file of the recording is missing/],
  ['is larger than the disk', () => bucketWith(() => null), claim(2 ** 60), /no disk space/],
  [
    'breaks off',
    () => bucketWith(() => Readable.from(failing())),
    claim(),
    /could not be read from the storage: start its analysis again/,
  ],
])('a recording that %s is a clear error', async (_, open, claimed, message) => {
  await expect(open(() => null).open('run', claimed)).rejects.toThrow(message);
  if (existsSync(join(dataDir, 'recordings'))) expect(copies()).toEqual([]);
});

async function* failing(): AsyncGenerator<Buffer> {
  yield Buffer.from('v');
  throw new Error('the connection was closed');
}

test.each([
  [{ cameras: 0, maxCameras: 8, isOverloaded: false }, 2],
  [{ cameras: 7, maxCameras: 8, isOverloaded: false }, 1],
  [{ cameras: 8, maxCameras: 8, isOverloaded: false }, 0],
  [{ cameras: 9, maxCameras: 8, isOverloaded: false }, 0],
  [{ cameras: 1, maxCameras: 8, isOverloaded: true }, 0],
])('a node with %p takes %d of two recordings', (node, expected) => {
  expect(new SpareTime(2).recordings(node, 0)).toBe(expected);
});

test('a node takes no recording for five minutes after an overload', () => {
  const spare = new SpareTime(1);
  const calm = { cameras: 1, maxCameras: 8, isOverloaded: false };
  expect(spare.recordings({ ...calm, isOverloaded: true }, 0)).toBe(0);
  expect(spare.recordings(calm, 299_000)).toBe(0);
  expect(spare.recordings(calm, 300_000)).toBe(1);
});

test('the rate of an analysis is that of its last ten seconds', () => {
  const progress = new Progress(0, 60_000);
  expect(progress.secondsPerSecond).toBeNull();
  progress.add(1_000, 70_000);
  expect(progress.secondsPerSecond).toBe(10);
  for (let second = 2; second <= 20; second++) progress.add(second * 1_000, 70_000 + (second - 1) * 2_500);
  expect(progress.secondsPerSecond).toBe(2.5);
});
