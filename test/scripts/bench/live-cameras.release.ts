import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ffmpegInstaller from '@ffmpeg-installer/ffmpeg';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readClock } from '../../../scripts/bench/capacity/cameras/burnt-clock.ts';
import { type Films, makeFilms } from '../../../scripts/bench/capacity/cameras/films.ts';
import { LiveCameras } from '../../../scripts/bench/capacity/cameras/live-cameras.ts';
import { TransportStream } from '../../../scripts/bench/capacity/cameras/transport-stream.ts';
import { runFfmpeg, scratchFolder } from '../../support/ffmpeg.ts';

const FRAMES = 75;
const folder = scratchFolder();
let films: Films;

beforeAll(async () => {
  const video = join(folder, 'video.mp4');
  await runFfmpeg('-f', 'lavfi', '-i', `testsrc2=size=640x360:rate=25:duration=${FRAMES / 25}`, video);
  films = await makeFilms(folder, { video, standing: false, hd: false, secondStreams: false });
});
afterAll(() => rm(folder, { recursive: true }));

/** @returns pictures of some frames of a stream, and what ffmpeg complains about */
async function decoded(stream: Uint8Array, every: number) {
  const file = join(folder, 'stream.ts');
  await writeFile(file, stream);
  const pictures = ['-vf', `select='not(mod(n,${every}))'`, '-vsync', '0', join(folder, 'picture-%d.jpg')];
  const argv = ['-nostdin', '-loglevel', 'warning', '-y', '-fflags', '+igndts', '-i', file, ...pictures];
  const { stderr } = await promisify(execFile)(ffmpegInstaller.path, argv);
  const picture = (number: number) => readFile(join(folder, `picture-${number + 1}.jpg`));
  return { picture, complaints: stderr.split('\n').filter((line) => /continuity|corrupt|error/i.test(line)) };
}

test('a film goes on after its last frame without a fault, and each picture tells its number', async () => {
  const stream = new TransportStream(await readFile(films.main));
  expect(stream.frames).toBe(FRAMES);
  expect([0, 49, 50, 74, 75].map((frame) => stream.isKey(frame))).toEqual([true, false, true, false, true]);
  const twice = Array.from({ length: 2 * FRAMES }, (_, frame) => stream.bytes(frame));
  const { picture, complaints } = await decoded(Buffer.concat(twice), 25);
  expect(complaints).toEqual([]);
  for (const at of [0, 1, 2, 3, 4, 5]) expect(await readClock(await picture(at))).toBe((25 * at) % FRAMES);
});

test('who reads a camera begins with a key frame, and a picture tells how old it is', async () => {
  const cameras = await LiveCameras.open(films);
  try {
    const response = await new Promise<IncomingMessage>((resolve) => get(cameras.url(3, 'main'), resolve));
    const [chunks, enough] = [[] as Buffer[], 40_000];
    for await (const chunk of response) {
      chunks.push(chunk as Buffer);
      if (chunks.reduce((bytes, { length }) => bytes + length, 0) > enough) break;
    }
    const jpeg = await (await decoded(Buffer.concat(chunks), 1)).picture(0);
    expect([0, 50]).toContain(await readClock(jpeg));
    const nowMs = performance.timeOrigin + performance.now();
    const lagMs = await cameras.lagMs(3, jpeg, nowMs);
    expect(lagMs).toBeGreaterThanOrEqual(0);
    expect((await cameras.lagMs(3, jpeg, nowMs + 40)) - lagMs).toBeCloseTo(40);
    expect((await fetch(cameras.url(3, 'second'))).status).toBe(404);
  } finally {
    await cameras.close();
  }
});
