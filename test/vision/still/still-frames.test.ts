import { describe, expect, test } from '@jest/globals';
import { SUM_OF_LEVEL } from '../../../src/vision/still/brightness.ts';
import { type StillCheckpoint, StillFrames } from '../../../src/vision/still/still-frames.ts';
import type { Detection } from '../../../src/vision/types.ts';

const LETTERBOX = { inputWidth: 8, inputHeight: 8, contentWidth: 8, contentHeight: 8 };
const PERSON: Detection = { box: { left: 0, top: 0, right: 1, bottom: 1 }, score: 0.4, classId: 0 };

/** A camera of five frames a second. Its frames have one cell, whose level is their only byte. */
function makeCamera(known: StillCheckpoint | null = null, firstMs = 0) {
  let timeMs = firstMs - 200;
  let did: string[] = [];
  let compared = 0;
  const found = { glance: [] as Detection[], look: [] as Detection[] };
  const say = async (what: 'glance' | 'look') => {
    did.push(what);
    return found[what];
  };
  const release = async () => undefined;
  const of = async ([level = 0]: Uint8Array) => {
    compared++;
    return Int32Array.of(level * SUM_OF_LEVEL);
  };
  const brightness = { count: 1, columns: 1, of, release };
  const still = new StillFrames(brightness, { holdsPeople: true, known });
  /** @returns what the detector did: `skipped`, `glance`, `look`, or `glance look` */
  const frame = async (
    level: number,
    { mustLook = false, isSmallest = false, restMs = null as number | null } = {},
  ) => {
    timeMs += 200;
    did = [];
    const result = await still.look(
      { model: Uint8Array.of(level), timeMs, letterbox: LETTERBOX },
      {
        followed: restMs === null ? null : () => ({ restMs, entrances: [] }),
        ...{ mustLook, glance: isSmallest ? null : () => say('glance') },
        isAlmostSure: (detections) => detections.length > 0,
        detect: () => say('look'),
      },
    );
    expect(result?.detections ?? null).toEqual(did.includes('look') || result?.isHeld ? found.look : null);
    return did.join(' ') || (result ? 'held' : 'skipped');
  };
  const frames = async (count: number, level: number) => {
    const all: string[] = [];
    for (let at = 0; at < count; at++) all.push(await frame(level));
    return all;
  };
  return { still, compared: () => compared, found, frame, frames, pause: (ms: number) => (timeMs += ms) };
}

/** After the first frame it looks for a second. */
async function makeQuiet() {
  const camera = makeCamera();
  expect(await camera.frames(5, 100)).toEqual(['look', 'look', 'look', 'look', 'look']);
  return camera;
}

describe('while nothing changes', () => {
  test('the detector glances once a second and looks every five seconds', async () => {
    const { frames } = await makeQuiet();
    const did = (await frames(30, 100))
      .map((what, at) => `${at} ${what}`)
      .filter((what) => !what.endsWith('skipped'));
    expect(did).toEqual(['4 glance', '9 glance', '14 glance', '19 glance', '24 look', '29 glance']);
  });

  test('it looks once a second where its network is as small as that of a glance', async () => {
    const { frame } = await makeQuiet();
    const did = [];
    for (let at = 0; at < 10; at++) did.push(await frame(100, { isSmallest: true }));
    expect(did.filter((what) => what === 'look')).toHaveLength(2);
  });

  test('it looks properly after a glance that finds somebody', async () => {
    const { frames, found } = await makeQuiet();
    found.glance = [PERSON];
    expect((await frames(5, 100)).at(-1)).toBe('glance look');
  });

  test('it looks at every frame while somebody is nearly sure', async () => {
    const { frames, found } = await makeQuiet();
    await frames(24, 100);
    found.look = [PERSON];
    expect(await frames(3, 100)).toEqual(['look', 'look', 'look']);
    found.look = [];
    expect(await frames(2, 100)).toEqual(['look', 'skipped']);
  });
});

test('it looks at the frame that changes, and at those of the next second', async () => {
  const { frames } = await makeQuiet();
  expect(await frames(1, 100)).toEqual(['skipped']);
  expect(await frames(6, 120)).toEqual(['look', 'look', 'look', 'look', 'look', 'skipped']);
});

test('it looks at every frame while it must, and at the first one afterwards', async () => {
  const { frame } = await makeQuiet();
  expect(await frame(100, { mustLook: true })).toBe('look');
  expect(await frame(100, { mustLook: true })).toBe('look');
  expect(await frame(100)).toBe('look');
});

test('it looks at the first frame after an outage, and after a clock that went back', async () => {
  const { frame, pause } = await makeQuiet();
  pause(60_000);
  expect(await frame(100)).toBe('look');
  expect(await frame(100)).toBe('skipped');
  pause(-30_000);
  expect(await frame(100)).toBe('look');
});

test('a checkpoint continues without any difference', async () => {
  const whole = await makeQuiet();
  await whole.frames(7, 100);
  const copy = (still: StillFrames) => JSON.parse(JSON.stringify(still.checkpoint()));
  const rest = makeCamera(copy(whole.still), 12 * 200);
  expect(await rest.frames(40, 100)).toEqual(await whole.frames(40, 100));
  expect(await makeCamera(copy(makeCamera().still)).frames(1, 100)).toEqual(['look']);
});

describe('while people are followed', () => {
  /** Somebody was found in the last of two frames. */
  async function makeOccupied() {
    const camera = makeCamera();
    camera.found.look = [PERSON];
    await camera.frame(100);
    await camera.frame(100);
    return {
      ...camera,
      rest: async (count: number, level: number, restMs: number) => {
        const all = [];
        for (let at = 0; at < count; at++) all.push(await camera.frame(level, { restMs }));
        return all.join(' ');
      },
    };
  }

  test.each([
    [1_000, 'held held held held look held held held held look'],
    [400, 'held look held look held look held look held look'],
    [0, 'look look look look look look look look look look'],
  ])('what was found holds for %d ms while nothing changes', async (restMs, expected) => {
    const { rest } = await makeOccupied();
    expect(await rest(10, 100, restMs)).toBe(expected);
  });

  test('the detector looks at the frame that changes and at the one after it', async () => {
    const { rest } = await makeOccupied();
    expect(await rest(2, 100, 1_000)).toBe('held held');
    expect(await rest(4, 120, 1_000)).toBe('look look held held');
  });

  test('it looks at every frame while a lamp flickers by more than any noise', async () => {
    const { rest } = await makeOccupied();
    for (let at = 0; at < 50; at++) expect(await rest(1, at % 2 === 0 ? 130 : 100, 1_000)).toBe('look');
  });

  test('where all changes all the time, most frames are not even compared', async () => {
    const { rest, compared } = await makeOccupied();
    for (let at = 0; at < 80; at++) await rest(1, at % 2 === 0 ? 130 : 100, 1_000);
    expect(compared()).toBeLessThan(40);
    expect(await rest(10, 100, 1_000)).toContain('held held held');
  });

  test('it looks at the first frame after an outage, after a clock that went back and after everybody left', async () => {
    const { rest, pause, frame } = await makeOccupied();
    pause(60_000);
    expect(await rest(2, 100, 1_000)).toBe('look held');
    pause(-30_000);
    expect(await rest(2, 100, 1_000)).toBe('look held');
    expect(await frame(100)).toBe('look');
  });

  test('a checkpoint continues without any difference', async () => {
    const whole = await makeOccupied();
    await whole.rest(3, 100, 1_000);
    const known = JSON.parse(JSON.stringify(whole.still.checkpoint()));
    const rest = makeCamera(known, 5 * 200);
    rest.found.look = [PERSON];
    for (const restMs of [1_000, 400, 1_000, 1_000, 1_000, null, null])
      expect(await rest.frame(100, { restMs })).toBe(await whole.frame(100, { restMs }));
  });
});
