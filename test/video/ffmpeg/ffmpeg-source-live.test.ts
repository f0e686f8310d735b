import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from '@jest/globals';
import { findFfmpeg } from '../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import type { FfmpegSource } from '../../../src/video/ffmpeg/ffmpeg-source.ts';
import { eventually } from '../../support/eventually.ts';
import { FFMPEG_PATHS, LIVE_VIDEO, scratchFolder } from '../../support/ffmpeg.ts';
import { serveRtsp } from '../../support/servers/rtsp-server.ts';
import {
  refusedUrl,
  serveHls,
  serveHttp,
  serveLive,
  serveRtmp,
  serveSilence,
} from '../../support/servers/stream-server.ts';
import { endSources, running, watch } from '../../support/streams/watched-sources.ts';

const MJPEG_TYPE = 'multipart/x-mixed-replace;boundary=ffmpeg';
const mjpeg = (size: string, ...more: string[]) => [
  ...['-re', '-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=10`, ...more, '-f', 'mpjpeg'],
];
const serveTs = () => serveLive('video/mp2t', () => [...LIVE_VIDEO('320x180'), '-f', 'mpegts']);

afterAll(endSources);

test('a camera is read again when ffmpeg, which was gone for a moment, is back', async () => {
  const server = await running(serveTs());
  const folder = scratchFolder();
  const found = await findFfmpeg(FFMPEG_PATHS);
  const path = join(folder, 'ffmpeg');
  const binaries = { ...found, ffmpeg: { ...found.ffmpeg, path } };
  const { source, happened } = watch(server.url, { binaries });
  const opened = source.open();
  expect((await happened('failed')).message).toBe(`${path} does not run any more: there is no such file.`);
  await writeFile(path, `#!/bin/sh\nexec ${await pathOf(found.ffmpeg.path)} "$@"\n`, { mode: 0o755 });
  expect(await opened).toMatchObject({ width: 320 });
  await source.close();
  await rm(folder, { recursive: true });
});

/** The file of a program, which may be on PATH. */
const pathOf = async (program: string) =>
  program.includes('/') ? program : (await promisify(execFile)('which', [program])).stdout.trim();

async function take(source: FfmpegSource, count: number): Promise<number[]> {
  const times: number[] = [];
  while (times.length < count) {
    const frame = await source.next();
    if (!frame) break;
    expect(frame.full).toMatchObject({ index: frame.index, width: 320, height: 180 });
    times.push(frame.timeMs);
  }
  return times;
}

describe('a camera', () => {
  test('frames come over RTSP, RTMP, HTTP MPEG-TS, HLS and MJPEG, with the time of their arrival', async () => {
    const servers = await Promise.all([
      running(serveRtsp({ credentials: 'admin:secret' })),
      running(serveRtmp()),
      running(serveTs()),
      running(serveHls()),
      running(serveLive(MJPEG_TYPE, () => mjpeg('320x180'))),
    ]);
    await Promise.all(
      servers.map(async (server, at) => {
        // By name: what static builds of ffmpeg cannot look up themselves.
        const url = server.url.replace('127.0.0.1', 'localhost');
        const startedAt = Date.now();
        const { source, events } = watch(at === 0 ? url.replace('//', '//admin:secret@') : url);
        const times = await take(source, 8);
        expect(source.info).toMatchObject({ width: 320, height: 180, live: true, durationSeconds: null });
        expect(times).toHaveLength(8);
        for (const [n, timeMs] of times.entries()) {
          expect(timeMs).toBeGreaterThan(n === 0 ? startedAt : times[n - 1]!);
          expect(timeMs).toBeLessThanOrEqual(Date.now() + 10);
        }
        expect(JSON.stringify(events)).not.toContain('secret');
        await source.close();
      }),
    );
  });

  test('after a pause `next` gives the newest frame, and the frames in between are counted as dropped', async () => {
    const { url } = await running(serveLive(MJPEG_TYPE, () => mjpeg('320x180')));
    const { source } = watch(url);
    const first = (await source.next())!;
    await eventually('frames come that nobody takes', () => source.stats.droppedFrames >= 5);
    const second = (await source.next())!;
    expect(second.index - first.index).toBeGreaterThanOrEqual(5);
    expect(source.stats.droppedFrames).toBeGreaterThanOrEqual(second.index - first.index - 1);
    expect(source.stats.lastFrameAtMs).toBeGreaterThanOrEqual(second.timeMs);
  });

  test('when frames stop, the watchdog restarts ffmpeg and the frame numbers continue', async () => {
    const server = await running(serveRtsp());
    // Long enough for an ffmpeg that starts on a busy machine: it is watched from its start.
    const { source, happened } = watch(server.url, { watchdogMs: 8_000 });
    const before = (await source.next())!;
    const { index, timeMs } = before;
    server.sending = false;
    expect(await happened('stalled')).toMatchObject({
      message: expect.stringMatching(/sent no frame for 8 s/),
      restartsInARow: 1,
    });
    expect((await happened('restarting')).delayMs).toBeGreaterThanOrEqual(20);
    server.sending = true;
    const after = (await source.next())!;
    for (let next = after; next.index <= index; ) next = (await source.next())!;
    expect(after.timeMs).toBeGreaterThan(timeMs);
    expect(source.stats.restarts).toBeGreaterThanOrEqual(1);
  });

  test('each fault gives one sentence, and the stream is tried again', async () => {
    const [locked, silent, garbage, missing, deaf] = await Promise.all([
      running(serveRtsp({ credentials: 'admin:secret' })),
      running(serveSilence('rtsp')),
      running(serveHttp((_request, response) => response.end(Buffer.alloc(100_000, 'garbage ')))),
      running(serveHttp((_request, response) => response.writeHead(404).end())),
      running(serveSilence('http', 'HTTP/1.1 200 OK\r\nContent-Type: video/mp2t\r\n\r\n')),
    ]);
    const faults: [string, RegExp][] = [
      [locked.url.replace('//', '//admin:mistaken@'), /\*\*\*:\*\*\*@.*asks for other credentials \(401\)/],
      [silent.url, /does not answer in time/],
      [garbage.url, /not a video ffmpeg can read/],
      [missing.url, /does not exist/],
      [deaf.url, /does not answer in time/],
      [await refusedUrl('rtsp'), /refuses connections/],
      [await refusedUrl('http'), /refuses connections/],
    ];
    await Promise.all(
      faults.map(async ([url, sentence]) => {
        // Only the servers that never answer need a short limit.
        const mute = url === silent.url || url === deaf.url;
        const { source, happened, events } = watch(url, { probeTimeoutMs: mute ? 1500 : 15_000 });
        const opening = source.open();
        opening.catch(() => {});
        expect(await happened('failed')).toMatchObject({ message: expect.stringMatching(sentence) });
        await happened('restarting', 2);
        expect(
          events.find(({ type, restartsInARow }) => type === 'restarting' && restartsInARow === 2),
        ).toBeDefined();
        expect(JSON.stringify(events)).not.toContain('mistaken');
        await source.close();
        await expect(opening).rejects.toThrow('was closed');
        expect(await source.next()).toBeNull();
      }),
    );
  });
});
