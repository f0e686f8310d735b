import { pipeline, Readable } from 'node:stream';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { FfmpegSource } from '../../../src/video/ffmpeg/ffmpeg-source.ts';
import { eventually } from '../../support/eventually.ts';
import { frameReaders, LIVE_SECONDS, TWO_OF_THREE } from '../../support/ffmpeg.ts';
import { serveRtsp } from '../../support/servers/rtsp-server.ts';
import { type StreamServer, serveHls, serveHttp, serveLive } from '../../support/servers/stream-server.ts';
import { endSources, running, watch } from '../../support/streams/watched-sources.ts';

afterAll(endSources);

const serveTs = () =>
  serveLive('video/mp2t', () => [
    ...['-re', '-t', LIVE_SECONDS, '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25'],
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
        pipeline(Readable.fromWeb(body as never), response, () => busy--);
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
});
