import { describe, expect, test } from '@jest/globals';
import { Tracker } from '../../../src/vision/track/tracker.ts';
import type { Detection, Track } from '../../../src/vision/types.ts';
import { fc } from '../../support/property.ts';

/** A person 0.1 wide and 0.4 high with the foot point at x. */
const person = (x: number, score = 0.85, bottom = 0.8): Detection => ({
  box: { left: x - 0.05, top: bottom - 0.4, right: x + 0.05, bottom },
  score,
  classId: 0,
});

interface Film {
  readonly fps: number;
  readonly seconds: number;
  readonly at: (seconds: number) => Detection[];
}

/** The tracks of each frame. */
function watch({ fps, seconds, at }: Film, tracker = new Tracker()): Track[][] {
  return Array.from({ length: Math.round(seconds * fps) }, (_, frame) =>
    tracker.update(at(frame / fps), (frame * 1000) / fps),
  );
}

const idsOf = (frames: readonly (readonly Track[])[]) => [...new Set(frames.flat().map(({ id }) => id))];
/** The id nearest to x in a frame. */
const idAt = (frame: readonly Track[], x: number) =>
  frame.toSorted((a, b) => Math.abs(middle(a) - x) - Math.abs(middle(b) - x))[0]?.id;
const middle = ({ box }: Track) => (box.left + box.right) / 2;

describe('Tracker', () => {
  test.each([2, 5, 10, 30])('keeps one id for a walker at %i frames a second', (fps) => {
    const frames = watch({ fps, seconds: 6, at: (s) => [person(0.1 + 0.1 * s)] });
    expect(idsOf(frames)).toEqual([1]);
    expect(frames.slice(1).every((tracks) => tracks.length === 1)).toBe(true);
  });

  test('shows a new track at its second detection, with the time of the first', () => {
    const tracker = new Tracker();
    expect(tracker.update([person(0.5)], 1000)).toEqual([]);
    expect(tracker.update([person(0.5)], 1200)).toMatchObject([{ id: 1, bornMs: 1000, timeMs: 1200 }]);
  });

  test('a held frame shows everybody where they were, confirms nobody and changes no filter', () => {
    const tracker = new Tracker();
    const film = { fps: 5, seconds: 1, at: (s: number) => [person(0.2 + 0.1 * s)] };
    const [before] = watch(film, tracker).slice(-1);
    tracker.update([person(0.28), person(0.7)], 1_000);
    const filterOf = () => tracker.checkpoint().tracks.map(({ filter: { value, vv } }) => ({ value, vv }));
    const known = filterOf();
    const held = [1_200, 1_400, 1_600].map((timeMs) => tracker.hold(timeMs));
    expect(held.map((tracks) => idsOf([tracks]))).toEqual([[1], [1], [1]]);
    expect(held.map(([track]) => track!.timeMs)).toEqual([1_200, 1_400, 1_600]);
    expect(filterOf()).toEqual(known);
    expect(tracker.update([person(0.28), person(0.7)], 1_800).map(({ id }) => id)).toEqual([
      before![0]!.id,
      2,
    ]);
  });

  test('shows no track for single detections far apart in time', () => {
    const frames = watch({ fps: 5, seconds: 4, at: (s) => (s % 1 < 0.1 ? [person(0.5)] : []) });
    expect(frames.flat()).toEqual([]);
  });

  test.each([
    { score: 0.59, confidenceThreshold: 0.6, seen: false },
    { score: 0.6, confidenceThreshold: 0.6, seen: true },
    { score: 0.35, confidenceThreshold: 0.3, seen: true },
  ])(
    'begins at score $score with threshold $confidenceThreshold: $seen',
    ({ score, confidenceThreshold, seen }) => {
      const tracker = new Tracker({ confidenceThreshold });
      const frames = watch({ fps: 5, seconds: 2, at: () => [person(0.5, score)] }, tracker);
      expect(idsOf(frames).length === 1).toBe(seen);
    },
  );

  test('unsure detections continue a track, but begin none', () => {
    const frames = watch({
      fps: 5,
      seconds: 6,
      at: (s) => [person(0.2, s < 1 ? 0.9 : 0.15), person(0.7, 0.4)],
    });
    expect(idsOf(frames)).toEqual([1]);
    expect(frames.at(-1)).toHaveLength(1);
  });

  test.each([
    { hiddenSeconds: 1, maxAgeSeconds: 2, same: true },
    { hiddenSeconds: 1.6, maxAgeSeconds: 2, same: true },
    { hiddenSeconds: 2.6, maxAgeSeconds: 2, same: false },
    { hiddenSeconds: 1.6, maxAgeSeconds: 1, same: false },
  ])(
    'keeps the id of a standing person who was hidden for $hiddenSeconds s of at most $maxAgeSeconds s: $same',
    ({ hiddenSeconds, maxAgeSeconds, same }) => {
      const tracker = new Tracker({ maxAgeSeconds });
      const at = (s: number) => (s > 2 && s < 2 + hiddenSeconds ? [] : [person(0.5)]);
      const frames = watch({ fps: 5, seconds: hiddenSeconds + 4, at }, tracker);
      expect(idsOf(frames)).toEqual(same ? [1] : [1, 2]);
    },
  );

  test('never drops a person who stands still', () => {
    const frames = watch({ fps: 2, seconds: 600, at: () => [person(0.5)] });
    expect(idsOf(frames)).toEqual([1]);
    expect(frames.slice(1).every((tracks) => tracks.length === 1)).toBe(true);
  });

  test.each([5, 10, 25])(
    'two people who cross keep their ids, with the farther one hidden meanwhile, at %i frames a second',
    (fps) => {
      const near = (s: number) => 0.1 + 0.15 * s;
      const far = (s: number) => 0.9 - 0.15 * s;
      const frames = watch({
        fps,
        seconds: 5,
        at: (s) => {
          const hidden = Math.abs(near(s) - far(s)) < 0.06;
          return [person(near(s), 0.9, 0.85), ...(hidden ? [] : [person(far(s), 0.8, 0.78)])];
        },
      });
      expect(idsOf(frames)).toHaveLength(2);
      expect(idAt(frames.at(-1)!, near(5))).toBe(idAt(frames[fps]!, near(1)));
      expect(idAt(frames.at(-1)!, far(5))).toBe(idAt(frames[fps]!, far(1)));
    },
  );

  test('a line that moves up keeps its ids, although people half cover each other and are missed at times', () => {
    const places = [0.2, 0.28, 0.36, 0.44, 0.52];
    const frames = watch({
      fps: 5,
      seconds: 30,
      at: (s) => {
        const moved = 0.08 * Math.floor(s / 10) + 0.08 * Math.max(0, Math.min(1, (s % 10) - 9));
        return places.flatMap((x, at) =>
          // One after the other is covered for two seconds while the line stands.
          s % 10 > 2 && s % 10 < 4 && Math.floor(s / 2) % 5 === at
            ? []
            : [person(x + moved, 0.75 + 0.03 * at)],
        );
      },
    });
    expect(idsOf(frames)).toHaveLength(5);
  });

  test('jittering boxes and lost frames change no id', () => {
    const noise = (at: number) => 0.012 * Math.sin(12.9898 * at);
    const frames = watch({
      fps: 5,
      seconds: 40,
      at: (s) => {
        const step = Math.round(s * 5);
        return step % 7 === 3 ? [] : [person(0.3 + noise(step)), person(0.7 + noise(3 * step))];
      },
    });
    expect(idsOf(frames)).toHaveLength(2);
  });

  test('varying times between frames change no id', () => {
    const tracker = new Tracker();
    const times = [0, 180, 410, 450, 800, 1000, 1330, 1400, 1900, 2000];
    const frames = times.map((ms) => tracker.update([person(0.1 + ms / 5000)], ms));
    expect(idsOf(frames)).toEqual([1]);
  });

  test('a gap between frames makes no track older than the maximum age', () => {
    const tracker = new Tracker();
    watch({ fps: 5, seconds: 2, at: () => [person(0.5)] }, tracker);
    expect(tracker.update([person(0.5)], 62_000)).toMatchObject([{ id: 1 }]);
  });

  test('a shaking camera changes no id', () => {
    const places = [0.1, 0.25, 0.4, 0.55, 0.7, 0.85];
    const frames = watch({
      fps: 10,
      seconds: 10,
      at: (s) => places.map((x) => person(x + (Math.round(s * 10) % 20 === 19 ? 0.08 : 0))),
    });
    expect(idsOf(frames)).toHaveLength(places.length);
  });

  test('two boxes on one vehicle make one track, with the class of the higher score', () => {
    const car = { ...person(0.5, 0.9), classId: 2 };
    const truck = { ...person(0.502, 0.7), classId: 7 };
    const frames = watch({ fps: 5, seconds: 2, at: () => [truck, car] });
    expect(frames.at(-1)).toMatchObject([{ id: 1, classId: 2 }]);
    expect(idsOf(frames)).toEqual([1]);
  });

  test('boxes without an area are ignored', () => {
    const flat: Detection = { box: { left: 0.5, top: 0.5, right: 0.5, bottom: 0.9 }, score: 0.9, classId: 0 };
    expect(watch({ fps: 5, seconds: 1, at: () => [flat] }).flat()).toEqual([]);
  });
});

const film = fc.array(
  fc.array(
    fc.record({
      x: fc.double({ min: 0, max: 1, noNaN: true }),
      bottom: fc.double({ min: 0.4, max: 1, noNaN: true }),
      score: fc.double({ min: 0.05, max: 1, noNaN: true }),
    }),
    { maxLength: 8 },
  ),
  { minLength: 1, maxLength: 20 },
);
const detect = (people: readonly { x: number; bottom: number; score: number }[]) =>
  people.map(({ x, bottom, score }) => person(x, score, bottom));

describe('Tracker, with any detections', () => {
  test('gives each id at most one box per frame, counts ids up from 1, and returns only tracks of the frame', () => {
    fc.assert(
      fc.property(film, (frames) => {
        const tracker = new Tracker();
        let highest = 0;
        frames.forEach((people, at) => {
          const timeMs = at * 200;
          const tracks = tracker.update(detect(people), timeMs);
          expect(tracks.length).toBeLessThanOrEqual(people.length);
          expect(new Set(tracks.map(({ id }) => id)).size).toBe(tracks.length);
          const newest = Math.max(highest, ...tracks.map(({ id }) => id));
          expect(tracks.filter(({ id }) => id > highest)).toHaveLength(newest - highest);
          expect(tracks.every((track) => track.timeMs === timeMs && track.bornMs < timeMs)).toBe(true);
          highest = newest;
        });
      }),
    );
  });

  test('gives the same result for any order of detections', () => {
    fc.assert(
      fc.property(film, fc.infiniteStream(fc.nat()), (frames, dice) => {
        const [straight, shuffled] = [new Tracker(), new Tracker()];
        frames.forEach((people, at) => {
          const mixed = people
            .map((one) => ({ one, key: dice.next().value as number }))
            .sort((a, b) => a.key - b.key)
            .map(({ one }) => one);
          expect(shuffled.update(detect(mixed), at * 200)).toEqual(straight.update(detect(people), at * 200));
        });
      }),
    );
  });

  test('gives the same result for any start time', () => {
    fc.assert(
      fc.property(film, fc.integer({ min: 1, max: 2 ** 40 }), (frames, startMs) => {
        const [early, late] = [new Tracker(), new Tracker()];
        frames.forEach((people, at) => {
          const ids = (tracks: readonly Track[]) => tracks.map(({ id }) => id);
          const later = late.update(detect(people), startMs + at * 200);
          expect(ids(later)).toEqual(ids(early.update(detect(people), at * 200)));
        });
      }),
    );
  });
});
