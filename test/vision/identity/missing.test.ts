import { describe, expect, test } from '@jest/globals';
import { miss, type Surroundings } from '../../../src/vision/identity/missing.ts';
import { IDENTITY_DEFAULTS } from '../../../src/vision/identity/options.ts';
import type { Person, Sighting } from '../../../src/vision/identity/person.ts';
import type { Box } from '../../../src/vision/types.ts';
import { boxAt } from '../zones/walk.ts';

const FRAME_MS = 200;
const moment = (timeMs: number) => ({ timeMs, watchedMs: timeMs });
/** Nearer than the people of these tests, and around the place x. */
const cover = (x: number): Box => ({ left: x - 0.06, right: x + 0.06, top: 0.45, bottom: 0.95 });

/** Seen for a second until 1000 ms. @param perSecond share of the picture's width */
const person = (x: number, perSecond = 0): Person => {
  const seenAt = (timeMs: number): Sighting => ({
    box: boxAt(x + (perSecond * (timeMs - 1000)) / 1000),
    ...{ at: moment(timeMs), isSeen: true, hasHiddenFeet: false },
  });
  return {
    ...{ id: 1, trackId: 1, appearance: null, openMs: 0, hiddenMs: 0, isDoubtful: false },
    last: [...[0, 250, 500, 750].map(seenAt), seenAt(1000)],
  };
};

/** Not seen for so long. */
function missed(one: Person, seconds: number, { boxes = [], visible = [] }: Partial<Surroundings>): Person {
  for (let timeMs = 1000 + FRAME_MS; timeMs <= 1000 + seconds * 1000; timeMs += FRAME_MS)
    miss(one, FRAME_MS, moment(timeMs), { boxes, visible, aspect: 16 / 9 }, IDENTITY_DEFAULTS);
  return one;
}

describe('a person who is not seen', () => {
  test('is hidden where a nearer one covers them, and there for ten seconds', () => {
    const hidden = missed(person(0.5), 9, { boxes: [cover(0.5)] });
    expect(hidden).toMatchObject({ openMs: 0, hiddenMs: 9000, isDoubtful: false });
    expect(missed(hidden, 2, { boxes: [cover(0.5)] }).isDoubtful).toBe(true);
  });

  test('is doubtful after two seconds where nothing covers them', () => {
    expect(missed(person(0.5), 1.8, {}).isDoubtful).toBe(false);
    expect(missed(person(0.5), 2, {})).toMatchObject({ openMs: 2000, isDoubtful: true });
  });

  test('and was walking is hidden only until they would be past the one who covers', () => {
    const walker = missed(person(0.5, 0.15), 3, { boxes: [cover(0.5)] });
    expect(walker.hiddenMs).toBeGreaterThan(0);
    expect(walker.hiddenMs).toBeLessThan(1000);
    expect(walker.isDoubtful).toBe(true);
  });

  test('and walked out of the picture is doubtful as soon as they are beyond its edge', () => {
    const gone = missed(person(0.96, 0.15), 0.6, { boxes: [cover(0.96)] });
    expect(gone.isDoubtful).toBe(true);
    expect(missed(person(0.5, 0.15), 0.6, { boxes: [cover(0.5)] }).isDoubtful).toBe(false);
  });

  test('has no room where a visible one stands', () => {
    const around = { boxes: [cover(0.5)], visible: [boxAt(0.505)] };
    expect(missed(person(0.5), 3, around)).toMatchObject({ hiddenMs: 0, isDoubtful: true });
  });
});
