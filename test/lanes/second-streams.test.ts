import { beforeEach, expect, test } from '@jest/globals';
import type { LaneCamera } from '../../src/lanes/lane-protocol.ts';
import { SECOND_STREAM_TIMING, SecondStreams } from '../../src/lanes/second-streams.ts';
import type { StreamEvent } from '../../src/video/frame-source.ts';
import { laneCamera } from '../support/lane.ts';

const SECOND = 'rtsp://camera/second';
const MAIN = 'rtsp://camera/main';
const wanted: LaneCamera = {
  ...laneCamera('d', SECOND),
  main: { url: MAIN, size: { width: 1920, height: 1080 } },
};
const event = (changes: Partial<StreamEvent>): StreamEvent => ({
  ...{ type: 'ended', message: 'It ended.', faultReason: 'unreadable', isUndecodable: false },
  ...{ delayMs: 0, restartsInARow: 0, restartsWithoutFrame: 0, ...changes },
});

let streams: SecondStreams;
let reading: LaneCamera;
let answers: boolean;
const read: string[] = [];
let nowMs: number;
let due: { readonly atMs: number; readonly work: () => void }[];
const time = {
  nowMs: () => nowMs,
  later: (ms: number, work: () => void) => {
    const entry = { atMs: nowMs + ms, work };
    due.push(entry);
    return () => {
      due = due.filter((one) => one !== entry);
    };
  },
};
beforeEach(() => {
  [nowMs, due] = [0, []];
  read.length = 0;
  answers = false;
  streams = new SecondStreams(
    {
      ...{ log: { info: () => undefined, warn: () => undefined }, now: () => 5_000 },
      requested: () => reading,
      reopen: (camera) => {
        reading = streams.usable(camera);
        read.push(reading.url);
      },
      answers: async () => answers,
    },
    undefined,
    time,
  );
  reading = streams.usable(wanted);
});
/** Lets so many seconds pass. */
async function seconds(count: number): Promise<void> {
  const endMs = nowMs + count * 1000;
  for (;;) {
    const [next] = due.filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs);
    if (!next) break;
    nowMs = next.atMs;
    due = due.filter((one) => one !== next);
    next.work();
    // The answer of the stream.
    await new Promise((resolve) => setImmediate(resolve));
  }
  nowMs = endMs;
}

test('the timing is the documented one', () => {
  expect(SECOND_STREAM_TIMING).toEqual({ goneMs: 10_000, retryMs: 60_000 });
});

test('a stream that stopped is left after ten seconds without a frame', async () => {
  streams.event('d', event({}));
  await seconds(9.9);
  streams.event('d', event({ type: 'restarting' }));
  expect(read).toEqual([]);
  await seconds(0.1);
  expect(read).toEqual([MAIN]);
  expect(streams.warnings('d')).toEqual([
    { reason: 'analysis_stream_offline', message: expect.stringContaining('It ended.'), sinceMs: 5_000 },
  ]);
});

test('frames in time keep it', async () => {
  streams.event('d', event({}));
  await seconds(9);
  streams.event('d', event({ type: 'started', faultReason: null }));
  await seconds(60);
  expect(read).toEqual([]);
});

test.each<[string, Partial<StreamEvent>, string[]]>([
  ['the third restart in a row', { type: 'restarting', restartsInARow: 3 }, [MAIN]],
  ['a stream that cannot be decoded', { isUndecodable: true }, [MAIN]],
  ['the second restart', { type: 'restarting', restartsInARow: 2 }, []],
  ['an address that is not allowed', { faultReason: 'address_not_allowed', restartsInARow: 9 }, []],
])('%s', (_, changes, expected) => {
  streams.event('d', event(changes));
  expect(read).toEqual(expected);
});

test('faults of the main stream change nothing', async () => {
  streams.event('d', event({ isUndecodable: true }));
  streams.event('d', event({ isUndecodable: true, restartsInARow: 9 }));
  expect(read).toEqual([MAIN]);
});

test('it is tried each minute until it answers; left again soon after, after two', async () => {
  streams.event('d', event({ isUndecodable: true }));
  await seconds(119);
  expect(read).toEqual([MAIN]);
  answers = true;
  await seconds(1);
  expect([read, streams.warnings('d')]).toEqual([[MAIN, SECOND], []]);
  streams.event('d', event({ isUndecodable: true }));
  await seconds(119);
  expect(read).toEqual([MAIN, SECOND, MAIN]);
  await seconds(1);
  expect(read).toEqual([MAIN, SECOND, MAIN, SECOND]);
});

test('one of another shape is not tried again; another address, or none, is taken at once', async () => {
  const info = { width: 640, height: 480 } as Parameters<SecondStreams['opened']>[1];
  streams.opened('d', info);
  answers = true;
  await seconds(3600);
  expect(read).toEqual([MAIN]);
  expect(streams.usable(wanted).url).toBe(MAIN);
  expect(streams.usable({ ...wanted, url: 'rtsp://camera/third' }).url).toBe('rtsp://camera/third');
  expect(streams.warnings('d')).toEqual([]);
  streams.opened('d', info);
  expect(streams.usable({ ...wanted, url: MAIN, main: null }).url).toBe(MAIN);
  expect(streams.warnings('d')).toEqual([]);
});
