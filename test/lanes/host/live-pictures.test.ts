import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { type LivePicture, LivePictures, staffOf, tracksOf } from '../../../src/lanes/host/live-pictures.ts';
import type { RunObservation } from '../../../src/lanes/lane-protocol.ts';
import { withoutPeople } from '../../../src/video/picture/hide.ts';
import type { FullFrame } from '../../../src/vision/frame.ts';
import { NO_PRIVACY } from '../../../src/vision/privacy.ts';

const [WIDTH, HEIGHT] = [640, 360];
const fullAt = (timeMs: number): FullFrame => ({
  ...{ index: timeMs / 200, timeMs, width: WIDTH, height: HEIGHT, colourMatrix: 'bt601' },
  data: new Uint8Array((WIDTH * HEIGHT * 3) / 2).fill(128),
});

const runOf = (sceneId: string, timeMs: number, people = 1): RunObservation => ({
  runId: `run of ${sceneId}`,
  observation: {
    ...{ sceneId, timeMs, frameIndex: timeMs / 200, changes: [], staff: null, floor: [] },
    open: { queued: 0, inService: 0 },
    tracks: Array.from({ length: people }, (_, at) => ({
      ...{ id: timeMs + at, zone: at % 2 === 0 ? 'queue' : null },
      box: { left: 0.12345, top: 1 / 3, right: 0.5, bottom: 1 },
    })),
  },
  openVisits: [],
});

/** Live pictures of a camera of five frames a second, with a clock that the test sets. */
function livePictures() {
  const pictures: LivePicture[] = [];
  let nowMs = 0;
  let wake = () => {};
  const live = new LivePictures(
    (picture) => {
      pictures.push(picture);
      wake();
    },
    () => nowMs,
  );
  const hidden = () => withoutPeople(NO_PRIVACY);
  const offer = (timeMs: number) =>
    live.offer({ full: fullAt(timeMs), timeMs, cameFps: 5, privacyRevision: 1, hidden }, [
      runOf('a', timeMs),
    ]);
  return {
    ...{ live, pictures, offer },
    setClock: (ms: number) => {
      nowMs = ms;
    },
    /** Offers a frame and waits for its picture. */
    async made(timeMs: number) {
      const came = new Promise<void>((resolve) => {
        wake = resolve;
      });
      offer(timeMs);
      await came;
    },
  };
}

describe('live pictures of a camera', () => {
  test('nobody wants them: none is made', async () => {
    const { live, pictures, offer, made, setClock } = livePictures();
    offer(0);
    live.want({ width: 320, fps: 5, forMs: 1_000 });
    live.want({ width: 0, fps: 0, forMs: 0 });
    offer(200);
    live.want({ width: 320, fps: 5, forMs: 1_000 });
    setClock(1_000);
    offer(400);
    live.want({ width: 320, fps: 5, forMs: 1_000 });
    await made(600);
    expect(pictures.map(({ capturedAtMs }) => capturedAtMs)).toEqual([600]);
  });

  test('each has the time and the people of its own frame', async () => {
    const { live, pictures, made } = livePictures();
    live.want({ width: 320, fps: 5, forMs: 10_000 });
    for (const timeMs of [1_000, 1_200, 1_400]) await made(timeMs);
    expect(pictures.map(({ capturedAtMs, tracks }) => [capturedAtMs, JSON.parse(tracks)])).toEqual(
      [1_000, 1_200, 1_400].map((ms) => [ms, { a: [[ms, 'queue', 0.123, 0.333, 0.5, 1]] }]),
    );
    const { format, width, height } = await sharp(pictures[0]!.jpeg).metadata();
    expect([format, width, height]).toEqual(['jpeg', 320, 180]);
  });

  test('come at the wanted rate; a new rate begins at once', async () => {
    const { live, pictures, offer, made } = livePictures();
    live.want({ width: 320, fps: 1, forMs: 10_000 });
    for (let timeMs = 1_000; timeMs < 3_000; timeMs += 200) {
      if (timeMs % 1_000 === 0) await made(timeMs);
      else offer(timeMs);
      // A renewed wish changes nothing.
      live.want({ width: 320, fps: 1, forMs: 10_000 });
    }
    live.want({ width: 320, fps: 5, forMs: 10_000 });
    for (const timeMs of [3_200, 3_400]) await made(timeMs);
    expect(pictures.map(({ capturedAtMs }) => capturedAtMs)).toEqual([1_000, 2_000, 3_200, 3_400]);
  });

  test('a frame that comes while a picture is made is left out', async () => {
    const { live, pictures, offer, made } = livePictures();
    live.want({ width: 320, fps: 15, forMs: 10_000 });
    const first = made(1_000);
    offer(1_200);
    await first;
    await made(1_400);
    expect(pictures.map(({ capturedAtMs }) => capturedAtMs)).toEqual([1_000, 1_400]);
  });
});

test('tracks are one line of ASCII of at most 150 people in all scenes', () => {
  const text = tracksOf([runOf('a', 0, 100), runOf('b', 0, 100), runOf('c', 0, 1)]);
  const byScene = JSON.parse(text) as Record<string, unknown[]>;
  expect(Object.values(byScene).map(({ length }) => length)).toEqual([100, 50, 0]);
  expect(text).toMatch(/^[\x20-\x7e]{1,10000}$/);
  expect(tracksOf([])).toBe('{}');
});

describe('the staff of a picture', () => {
  const withStaff = (sceneId: string, staff: number): RunObservation => {
    const run = runOf(sceneId, 0);
    const box = { left: 0.12345, top: 0.5, right: 0.25, bottom: 1 };
    const staffTracks = Array.from({ length: staff }, (_, id) => ({
      id,
      box,
      reason: 'stays_at_till' as const,
    }));
    return { ...run, observation: { ...run.observation, staffTracks } };
  };

  test('is missing where there is none', () => {
    expect(staffOf([runOf('a', 0), withStaff('b', 0)])).toBeNull();
  });

  test('has its reason and box by scene, of 50 people at most', () => {
    expect(JSON.parse(staffOf([runOf('a', 0), withStaff('b', 1)])!)).toEqual({
      b: [[0, 'stays_at_till', 0.123, 0.5, 0.25, 1]],
    });
    const shown = JSON.parse(staffOf([withStaff('a', 40), withStaff('b', 40), withStaff('c', 1)])!);
    expect([shown.a.length, shown.b.length, shown.c]).toEqual([40, 10, undefined]);
  });
});
