import { describe, expect, test } from '@jest/globals';
import { type FollowOptions, follow } from '../../../../scripts/evaluate/tracks/follow.ts';

const OPTIONS: FollowOptions = { size: { width: 640, height: 480 }, confidence: 0.6 };
/** Five frames a second; somebody stands in the middle and is not seen for the frames between. */
const frames = Array.from({ length: 60 }, (_, at) => ({
  frame: at + 1,
  timeMs: at * 200,
  detections:
    at >= 20 && at < 36
      ? []
      : [{ box: { left: 0.45, top: 0.3, right: 0.55, bottom: 0.8 }, score: 0.9, classId: 0 }],
}));
const idsIn = (options: Partial<FollowOptions> = {}) =>
  new Set(follow(frames, { ...OPTIONS, ...options }).tracked.flatMap(({ rows }) => rows.map(({ id }) => id)));

describe('following people for the scores of tracks', () => {
  test('a person who was not seen for three seconds keeps the number, as in a scene', () => {
    expect(idsIn().size).toBe(1);
  });

  test('the tracker alone begins a second track', () => {
    expect(idsIn({ isPlain: true }).size).toBe(2);
  });

  test('rows are boxes in pixels, and only of frames that show somebody', () => {
    const { tracked } = follow(frames, OPTIONS);
    expect(tracked.map(({ frame }) => frame)).toEqual(frames.map(({ frame }) => frame));
    expect(tracked[25]!.rows).toEqual([]);
    expect(tracked[10]!.rows).toEqual([
      expect.objectContaining({ left: expect.closeTo(288, 0), height: expect.closeTo(240, 0), classId: 1 }),
    ]);
  });
});
