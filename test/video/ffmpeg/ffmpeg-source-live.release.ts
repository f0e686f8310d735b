import { afterAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { eventually } from '../../support/eventually.ts';
import { serveJpegs, serveLive } from '../../support/servers/stream-server.ts';
import { endSources, running, takeAll, watch } from '../../support/streams/watched-sources.ts';

// What a source makes of cameras that change in the course of many seconds.

const MJPEG_TYPE = 'multipart/x-mixed-replace;boundary=ffmpeg';
const jpeg = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();
const mjpeg = (size: string, ...more: string[]) => [
  ...['-re', '-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=10`, ...more, '-f', 'mpjpeg'],
];

afterAll(endSources);

describe('a camera', () => {
  test('a camera that stops sending gives no old frame as a new one', async () => {
    const image = await jpeg(320, 180);
    const images = () => Array.from({ length: 15 }, () => image);
    const { url } = await running(serveJpegs(images, { fallsSilent: true }));
    const { source, happened } = watch(url, { probeTimeoutMs: 2500, watchdogMs: 4000 });
    void takeAll(source);
    await happened('stalled');
    expect(Date.now() - source.stats.lastFrameAtMs!).toBeGreaterThan(3000);
  });

  test('a stream that ends is opened again without a probe unless its size changed, and the restart count starts again after a healthy time', async () => {
    const healthyMs = 3_000;
    const sizeOf = (request: number) => (request < 3 ? '320x180' : '240x240');
    const server = await running(serveLive(MJPEG_TYPE, (request) => mjpeg(sizeOf(request))));
    const { source, events, happened } = watch(server.url, { healthyMs });
    // Two streams end after a healthy time, whatever the machine needs for it. The third ends at its first frame.
    for (const stream of [1, 2]) {
      // Reading begins with the first wait for a frame. A frame of the stream before may still lie there.
      const waiting = source.next();
      await happened('started', stream);
      await waiting;
      const first = (await source.next())!.timeMs;
      while ((await source.next())!.timeMs - first < healthyMs);
      server.endNewest();
      await happened('restarting', stream);
    }
    void takeAll(source);
    await happened('restarting', 3);
    const ends = events.filter(({ type }) => type === 'ended').map(({ message }) => message);
    expect(ends.map((message) => /has ended|changed its frame size/.exec(message)?.[0])).toEqual([
      'has ended',
      'has ended',
      'changed its frame size',
    ]);
    // One probe and three streams.
    expect(server.connections).toBe(4);
    const restarts = events.filter(({ type }) => type === 'restarting');
    expect(restarts.map(({ restartsInARow }) => restartsInARow)).toEqual([1, 1, 2]);
    await eventually('it is shown in its new size', () => source.info?.width === 240);
  });

  test('a stream that changes its frame size is opened again with the right letterbox', async () => {
    const [wide, square] = await Promise.all([jpeg(320, 180), jpeg(240, 240)]);
    const many = (image: Buffer) => Array.from({ length: 30 }, () => image);
    // ffprobe and the first ffmpeg get the old size; the camera changes it while that ffmpeg reads.
    const { url } = await running(
      serveJpegs((request) =>
        request < 2 ? [...many(wide), ...many(square)] : [...many(square), ...many(square)],
      ),
    );
    const { source, happened } = watch(url);
    expect(await source.open()).toMatchObject({ width: 320, height: 180 });
    expect((await happened('ended')).message).toMatch(/changed its frame size/);
    for (;;) {
      const frame = (await source.next())!;
      if (frame.full?.width !== 240) continue;
      expect(frame.letterbox).toMatchObject({ contentWidth: 64, contentHeight: 64 });
      break;
    }
    expect(source.info).toMatchObject({ width: 240, height: 240 });
  });
});
