import { afterEach, expect, jest, test } from '@jest/globals';
import { FrameQueue, type Part } from '../../../src/video/ffmpeg/frame-queue.ts';
import { planStream } from '../../../src/video/ffmpeg/stream-plan.ts';
import type { Pace } from '../../../src/video/frame-source.ts';
import type { ProbedStream } from '../../../src/video/probe/probed-stream.ts';
import { parseStreamUrl } from '../../../src/video/stream-url.ts';

const FILE: ProbedStream = {
  ...{
    videoIndex: 0,
    videoTracks: [],
    codec: 'h264',
    width: 64,
    height: 64,
    fps: '25',
    startMs: 0,
    durationSeconds: 60,
  },
  ...{ format: 'mov,mp4', colourMatrix: 'bt601', isFullFormat: true },
};
const planOf = (url: string, pace: Pace, continueMs?: number) =>
  planStream(
    FILE,
    { address: parseStreamUrl(url), ioTimeoutMs: 1_000 },
    {
      ...{ fps: 5, inputWidth: 64, inputHeight: 64, fullLongSide: null, decodeThreads: 1 },
      ...{ pace, continueMs },
    },
  );

let nowMs = 0;
afterEach(() => void jest.restoreAllMocks());
function begun(url: string, pace: Pace): { queue: FrameQueue; part: Part } {
  nowMs = 10_000;
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const queue = new FrameQueue(pace, () => nowMs);
  const part = queue.prepare(planOf(url, pace));
  queue.begin(part);
  return { queue, part };
}

test('a file begins when its first frame is taken, however long the start took', () => {
  const { queue, part } = begun('/v/a.mp4', 'realtime');
  expect([0, 1].map(part.dueInMs)).toEqual([0, Number.POSITIVE_INFINITY]);
  nowMs += 7_000;
  part.assembler.done('model');
  nowMs += 300;
  expect(queue.take()?.timeMs).toBe(0);
  expect([1, 2, 10].map(part.dueInMs)).toEqual([200, 400, 2_000]);
  expect(queue.lateMs).toBe(0);
});

test('what the start of another ffmpeg costs is caught up', () => {
  const { queue, part } = begun('/v/a.mp4', 'realtime');
  part.assembler.done('model');
  queue.take();
  nowMs += 3_000;
  expect(queue.lateMs).toBe(2_800);
  const next = queue.prepare(planOf('/v/a.mp4', 'realtime', queue.nextTimeMs!));
  queue.begin(next);
  expect([0, 14, 15].map(next.dueInMs)).toEqual([-2_800, 0, 200]);
  for (let frame = 0; frame < 15; frame++) next.assembler.done('model');
  expect(queue.take()?.timeMs).toBe(3_000);
  expect(queue.lateMs).toBe(0);
});

test.each<[string, Pace]>([
  ['/v/a.mp4', 'fast'],
  ['rtsp://camera/1', 'realtime'],
])('%s at pace `%s` is read as it comes', (url, pace) => {
  const { queue, part } = begun(url, pace);
  part.assembler.done('model');
  queue.take();
  nowMs += 5_000;
  expect([1, 1_000].map(part.dueInMs)).toEqual([0, 0]);
  expect(queue.lateMs).toBe(0);
});
