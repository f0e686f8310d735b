import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pino from 'pino';
import { openJpegCamera } from '../../../scripts/chaos/cameras/jpeg-camera.ts';
import { LaneHost } from '../../../src/lanes/host/lane-host.ts';
import type { CameraStats, FromLane, StreamMessage } from '../../../src/lanes/lane-protocol.ts';
import { loadConfig } from '../../../src/platform/config.ts';
import { eventually } from '../../support/eventually.ts';
import { FFMPEG_PATHS, runFfmpeg, scratchFolder } from '../../support/ffmpeg.ts';
import { laneCamera, laneOptions } from '../../support/lane.ts';

const folder = scratchFolder();
const heard: FromLane[] = [];
const lane = new LaneHost(
  { keepsUp: true, send: (message) => void heard.push(message) },
  pino({ level: 'silent' }),
  // On a busy machine frames of a healthy stream may come seconds apart.
  { goneMs: 8_000, retryMs: 500 },
);
const url = (size: string) => `file:${join(folder, `${size}.mp4`)}`;
const main = { url: url('640x360'), size: { width: 640, height: 360 } };

beforeAll(async () => {
  for (const size of ['640x360', '320x176', '320x240']) {
    const [short, long] = [join(folder, `short-${size}.mp4`), join(folder, `${size}.mp4`)];
    const film = `testsrc2=size=${size}:rate=5:duration=10`;
    await runFfmpeg('-f', 'lavfi', '-i', film, '-pix_fmt', 'yuv420p', '-preset', 'ultrafast', short);
    // Longer than any test: it is played in real time.
    await runFfmpeg('-stream_loop', '29', '-i', short, '-c', 'copy', long);
  }
  const network = { networks: ['none'], allowedHosts: ['127.0.0.1'], ownHosts: [] };
  await lane.handle({ type: 'open', ...laneOptions({ ...loadConfig(), ...FFMPEG_PATHS }), network });
});
afterAll(async () => {
  await lane.close();
  rmSync(folder, { recursive: true });
});

const opened = (deviceId: string): StreamMessage[] =>
  heard.filter(
    (message): message is StreamMessage =>
      message.type === 'stream' && message.deviceId === deviceId && message.event === 'opened',
  );
const statsOf = (deviceId: string): CameraStats | undefined =>
  heard
    .flatMap((message) => (message.type === 'alive' ? message.cameras : []))
    .findLast((camera) => camera.deviceId === deviceId);
const hasFrames = (deviceId: string) => (statsOf(deviceId)?.processedFrames ?? 0) > 2;

test('the second stream is analysed, and does not tell the size of the device', async () => {
  await lane.handle({ type: 'addCamera', camera: { ...laneCamera('same', url('320x176')), main } });
  await eventually('frames are analysed', () => hasFrames('same'));
  expect(opened('same')).toEqual([expect.objectContaining({ info: null })]);
  expect(statsOf('same')!.warnings).toEqual([]);
  await lane.handle({ type: 'removeCamera', deviceId: 'same', drain: false });
});

test('where it has another shape, the main one is analysed in the same runs, with a warning', async () => {
  const camera = { ...laneCamera('other', url('320x240')), main };
  await lane.handle({ type: 'addCamera', camera });
  await eventually('the main stream is analysed', () => opened('other').length === 2 && hasFrames('other'));
  expect(opened('other')[1]!.info).toMatchObject({ width: 640, height: 360 });
  expect(statsOf('other')!.warnings).toEqual([
    expect.objectContaining({
      reason: 'analysis_stream_differs',
      message: expect.stringContaining('shows 320 × 240 pixels, and streamUrl 640 × 360'),
    }),
  ]);
  expect(heard.filter(({ type }) => type === 'runEnded')).toHaveLength(1);
  // A change of something else does not try it again.
  await lane.handle({ type: 'updateCamera', camera, drain: false });
  expect(opened('other')).toHaveLength(2);
  // A right one is taken at once, and the warning ends.
  await lane.handle({
    type: 'updateCamera',
    camera: { ...camera, url: url('320x176') },
    drain: false,
  });
  await eventually('the right one is analysed', () => opened('other').length === 3);
  await eventually('the warning has ended', () => statsOf('other')?.warnings.length === 0);
  await lane.handle({ type: 'removeCamera', deviceId: 'other', drain: false });
});

test('while it gives no frames, the main one is analysed in the same runs, and later the second one again', async () => {
  const first = await openJpegCamera(5);
  let second = await openJpegCamera(5);
  const { port } = second;
  const address = (of: number) => `http://127.0.0.1:${of}/stream`;
  const size = { width: 640, height: 360 };
  const ends = heard.filter(({ type }) => type === 'runEnded').length;
  const camera = { ...laneCamera('gone', address(port)), main: { url: address(first.port), size } };
  try {
    await lane.handle({ type: 'addCamera', camera });
    await eventually('the second stream is analysed', () => opened('gone').length === 1 && hasFrames('gone'));
    await second.close();
    await eventually('the main stream is analysed', () => opened('gone').length === 2 && hasFrames('gone'));
    expect(opened('gone')[1]!.info).toMatchObject({ width: 640, height: 360 });
    await eventually('the next report has the warning', () => statsOf('gone')!.warnings.length > 0);
    expect(statsOf('gone')!.warnings).toEqual([
      expect.objectContaining({
        reason: 'analysis_stream_offline',
        message: expect.stringMatching(
          /analysisStreamUrl\) gives no frames: .* The main stream is analysed meanwhile/,
        ),
      }),
    ]);
    // Another scene does not try it earlier.
    await lane.handle({ type: 'updateCamera', camera, drain: false });
    expect(opened('gone')).toHaveLength(2);

    second = await openJpegCamera(5, port);
    await eventually('the second stream is analysed again', () => opened('gone').length === 3);
    await eventually(
      'the warning has ended',
      () => statsOf('gone')?.warnings.length === 0 && hasFrames('gone'),
    );
    expect(opened('gone')[2]!.info).toBeNull();
    expect(heard.filter(({ type }) => type === 'runEnded')).toHaveLength(ends);
    // The camera had no outage that anybody is told of.
    const reports = heard.filter(
      (message): message is StreamMessage => message.type === 'stream' && message.deviceId === 'gone',
    );
    expect(reports.filter(({ restartsInARow }) => restartsInARow > 0)).toEqual([]);
  } finally {
    await lane.handle({ type: 'removeCamera', deviceId: 'gone', drain: false });
    await Promise.all([first.close(), second.close()]);
  }
});
