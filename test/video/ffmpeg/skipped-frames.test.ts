import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { FfmpegSource, type FfmpegSourceOptions } from '../../../src/video/ffmpeg/ffmpeg-source.ts';
import type { StreamEvent } from '../../../src/video/frame-source.ts';
import { eventually } from '../../support/eventually.ts';
import { FFMPEG_PATHS, frameReaders, runFfmpeg, scratchFolder } from '../../support/ffmpeg.ts';
import { serveRtsp } from '../../support/servers/rtsp-server.ts';
import { type StreamServer, serveHls, serveHttp, serveLive } from '../../support/servers/stream-server.ts';

const folder = scratchFolder();
const cleanUps: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
  await rm(folder, { recursive: true });
  expect(frameReaders()).toEqual([]);
});

async function running<S extends StreamServer>(started: Promise<S>): Promise<S> {
  const server = await started;
  cleanUps.push(() => server.close());
  return server;
}

function watch(url: string, options: Partial<FfmpegSourceOptions> = {}) {
  const events: StreamEvent[] = [];
  const source = new FfmpegSource({
    ...{ url, fps: 5, inputWidth: 64, inputHeight: 64, pace: 'realtime', ...FFMPEG_PATHS },
    ...{ backoffMinMs: 20, backoffMaxMs: 100, probeTimeoutMs: 15_000, watchdogMs: 15_000, killAfterMs: 300 },
    ...options,
    onEvent: (event) => events.push(event),
  });
  cleanUps.push(() => source.close());
  return { source, events };
}

/** Two of three frames are needed by no other; a key frame comes every three seconds. */
const TWO_OF_THREE = [
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '75', '-sc_threshold', '0'],
  ...['-bf', '2', '-b_strategy', '0', '-x264-params', 'b-pyramid=none'],
];
const serveTs = () =>
  serveLive('video/mp2t', () => [
    ...['-re', '-t', '120', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25'],
    ...[...TWO_OF_THREE, '-f', 'mpegts'],
  ]);

/** Takes frames until it holds. @returns what `next` gave: numbers and times */
async function takeUntil(source: FfmpegSource, holds: () => boolean) {
  const frames: { index: number; timeMs: number }[] = [];
  while (!holds()) {
    const { index, timeMs } = (await source.next())!;
    frames.push({ index, timeMs });
  }
  return frames;
}
const shareDecoded = ({ counts: { decoded, received } }: FfmpegSource) => decoded / received;

describe('what is decoded changes', () => {
  test('of a camera: its frames go on meanwhile, there is no event, and back again', async () => {
    const server = await running(serveTs());
    const { source, events } = watch(server.url);
    await takeUntil(source, () => source.counts.received > 50);
    expect(shareDecoded(source)).toBeGreaterThan(0.9);
    const probes = server.connections;
    const all: Awaited<ReturnType<typeof takeUntil>> = [];
    for (const [decoding, share] of [
      ['needed', 1 / 3],
      ['all', 1],
    ] as const) {
      source.decode(decoding);
      expect(source.decoding).toBe(decoding);
      const before = source.counts;
      const changing = await takeUntil(source, () => source.counts !== before);
      // Frames go on for the seconds that the new ffmpeg needs to open the stream and to get a key frame.
      expect(changing.length).toBeGreaterThanOrEqual(2);
      all.push(...changing, ...(await takeUntil(source, () => source.counts.received > 75)));
      expect(Math.abs(shareDecoded(source) - share)).toBeLessThan(0.1);
    }
    expect(
      all.every(
        ({ index, timeMs }, at) => at === 0 || (index > all[at - 1]!.index && timeMs > all[at - 1]!.timeMs),
      ),
    ).toBe(true);
    expect(events.map(({ type }) => type)).toEqual(['started']);
    expect(source.stats.restarts).toBe(0);
    // Each change opens the stream once, without a probe.
    expect(server.connections - probes).toBe(2);
    await eventually('one ffmpeg reads', () => frameReaders().length === 1);
  });

  test.each<[string, () => Promise<StreamServer>]>([
    ['RTSP', () => serveRtsp()],
    ['HLS', () => serveHls()],
  ])('over %s', async (_, serve) => {
    const { source, events } = watch((await running(serve())).url);
    await takeUntil(source, () => source.counts.received > 20);
    source.decode('key');
    const before = source.counts;
    await takeUntil(source, () => source.counts !== before);
    await takeUntil(source, () => source.counts.received > 40);
    expect(shareDecoded(source)).toBeLessThan(0.35);
    expect(events.map(({ type }) => type)).toEqual(['started']);
    await source.close();
  });

  test('of a camera that serves one reader: nothing, and its frames go on', async () => {
    const inner = await running(serveTs());
    let busy = 0;
    const server = await running(
      serveHttp(async (_request, response) => {
        if (busy > 0) return void response.writeHead(503).end();
        busy++;
        const { body } = await fetch(inner.url);
        response.writeHead(200, { 'Content-Type': 'video/mp2t' });
        response.on('close', () => busy--);
        for await (const bytes of body!)
          if (response.destroyed || !response.write(bytes)) if (response.destroyed) break;
      }),
    );
    const { source, events } = watch(server.url);
    await takeUntil(source, () => source.counts.received > 10);
    source.decode('needed');
    const { counts } = source;
    await takeUntil(source, () => source.decoding === 'all');
    await takeUntil(source, () => counts.received > 100);
    expect(source.counts).toBe(counts);
    expect(events.map(({ type }) => type)).toEqual(['started']);
    await source.close();
  });

  test('of a file at 1×: it continues at the same position', async () => {
    const file = join(folder, 'steps.mp4');
    const steps = 'color=black:size=64x64:rate=25,geq=lum=16+2*N:cb=128:cr=128';
    await runFfmpeg('-f', 'lavfi', '-i', steps, '-frames:v', '100', ...TWO_OF_THREE, '-qp', '4', file);
    const { source, events } = watch(file);
    const seen: { timeMs: number; level: number }[] = [];
    for (let frame = await source.next(); frame; frame = await source.next()) {
      seen.push({ timeMs: frame.timeMs, level: frame.model[0]! });
      if (frame.timeMs === 800) source.decode('needed');
      if (frame.timeMs === 2400) source.decode('all');
    }
    expect(seen.map(({ timeMs }) => timeMs).slice(0, 20)).toEqual(
      Array.from({ length: 20 }, (_, n) => n * 200),
    );
    // Of the frames that are left, every third, it is the newest at its time; right after a change it may be the next one.
    for (const { timeMs, level } of seen) expect(Math.abs(level / 1.164 / 2 - timeMs / 40)).toBeLessThan(3.5);
    expect(events.map(({ type }) => type)).toEqual(['started', 'ended']);
  });

  test('never at full speed: a recording is decoded whole', async () => {
    const file = join(folder, 'recording.mp4');
    await runFfmpeg(
      '-f',
      'lavfi',
      '-i',
      'testsrc2=size=64x64:rate=25',
      '-frames:v',
      '50',
      ...TWO_OF_THREE,
      file,
    );
    const { source } = watch(file, { pace: 'fast', fps: 25, recordedAfterMs: null });
    await source.next();
    source.decode('needed');
    expect(source.decoding).toBe('all');
    let frames = 1;
    while (await source.next()) frames++;
    expect(frames).toBe(50);
  });
});
