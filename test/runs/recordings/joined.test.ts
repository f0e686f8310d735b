import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { PlayedTime } from '../../../src/video/recording/played-time.ts';
import { type ApiUser, type TestApi, testApi } from '../../support/api.ts';
import { runFfmpeg, scratchFolder } from '../../support/ffmpeg.ts';

const folder = scratchFolder();
let api: TestApi;
let user: ApiUser;
beforeAll(async () => {
  api = await testApi();
  user = await api.user();
});
afterAll(async () => {
  await api?.drop();
  await rm(folder, { recursive: true, force: true });
});

async function transportStream(seconds: number, ...options: string[]): Promise<Buffer> {
  const path = join(folder, 'made.ts');
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=64x36:rate=5:duration=${seconds}`];
  await runFfmpeg(...picture, '-c:v', 'libx264', '-preset', 'ultrafast', ...options, '-f', 'mpegts', path);
  return readFile(path);
}

const upload = async (body: Buffer) => {
  const { status, body: answer } = await request(api.app)
    .post('/api/v1/recordings?recordedAt=2026-11-01T09:00:00%2B01:00&timezone=Europe/Berlin')
    .set('Authorization', `Bearer ${user.key}`)
    .set('Content-Type', 'application/octet-stream')
    .send(body);
  return { status, reason: answer.error?.details[0].reason, seconds: answer.data?.durationSeconds };
};

/** As it comes over a network. */
function joinedSecondsOf(file: Buffer): number {
  const played = PlayedTime.of(file.subarray(0, 1024))!;
  for (let at = 1024; at < file.length; at += 1000) played.read(file.subarray(at, at + 1000));
  return played.joinedSeconds;
}

test('recordings of MPEG-TS that were joined one after the other are refused; repaired, all of them is kept', async () => {
  const [first, second] = [await transportStream(20), await transportStream(30)];
  expect(await upload(second)).toEqual({ status: 201, reason: undefined, seconds: 30 });
  // The second one may begin within a packet of the first, which was broken off.
  for (const before of [first, first.subarray(0, -100)]) {
    const both = Buffer.concat([before, second]);
    expect(Math.round(joinedSecondsOf(both))).toBe(50);
    expect(await upload(both)).toEqual({ status: 400, reason: 'joined', seconds: undefined });
  }
  const [path, repaired] = [join(folder, 'both.ts'), join(folder, 'repaired.mkv')];
  await writeFile(path, Buffer.concat([first, second]));
  await runFfmpeg('-i', path, '-c', 'copy', repaired);
  expect(await upload(await readFile(repaired))).toEqual({ status: 201, reason: undefined, seconds: 50 });
});

test('one recording is not joined, where its clock starts again after 26 hours and where the second one goes on', async () => {
  const wrapping = await transportStream(20, '-output_ts_offset', String(2 ** 33 / 90_000 - 10));
  const goesOn = Buffer.concat([
    await transportStream(20),
    await transportStream(20, '-output_ts_offset', '20'),
  ]);
  expect([wrapping, goesOn].map(joinedSecondsOf)).toEqual([0, 0]);
});
