import { expect, test } from '@jest/globals';
import { createRandom } from '../../../src/simulator/random.ts';
import { observeFrame } from '../../../src/vision/observe-frame.ts';
import { ScenePipeline } from '../../../src/vision/pipeline.ts';
import { sceneConfigSchema } from '../../../src/vision/scene-config.ts';
import { SUM_OF_LEVEL } from '../../../src/vision/still/brightness.ts';
import { type Look, StillFrames } from '../../../src/vision/still/still-frames.ts';
import type { Detection } from '../../../src/vision/types.ts';

const [COLUMNS, ROWS] = [64, 36];
const LETTERBOX = { inputWidth: 512, inputHeight: 288, contentWidth: 512, contentHeight: 288 };
const CONFIG = sceneConfigSchema.parse({
  zones: {
    queueZone: {
      type: 'polygon',
      points: [
        [0.2, 0.3],
        [0.8, 0.3],
        [0.8, 0.95],
        [0.2, 0.95],
      ],
    },
  },
});

/** People as blocks of brightness, six cells wide and sixteen high, the nearest last. */
interface Person {
  readonly column: number;
  readonly row: number;
  readonly level: number;
}
const LINE: readonly Person[] = [24, 32, 40].map((column) => ({ column, row: 10, level: 160 }));

const boxOf = ({ column, row }: Person): Detection => ({
  box: {
    ...{ left: column / COLUMNS, right: (column + 6) / COLUMNS },
    ...{ top: row / ROWS, bottom: (row + 16) / ROWS },
  },
  ...{ score: 0.9, classId: 0 },
});

/** What else changes in the picture of a frame. @param random -1 to 1 */
type Disturbance = (cells: Float64Array, frame: number, random: () => number) => void;

const rectangle = (cells: Float64Array, part: readonly [number, number, number, number], level: number) => {
  const [left, top, right, bottom] = part;
  for (let row = top; row < bottom; row++) cells.fill(level, row * COLUMNS + left, row * COLUMNS + right);
};

const QUIET: Disturbance = () => undefined;
const NOISE: Disturbance = (cells, _frame, random) => {
  for (let at = 0; at < cells.length; at++) cells[at]! += 2 * random();
};
const KEY_FRAMES: Disturbance = (cells, frame, random) => {
  NOISE(cells, frame, random);
  if (frame % 5 === 0) for (let at = 0; at < cells.length; at++) cells[at]! += 2;
};
const RAIN: Disturbance = (cells, _frame, random) => {
  for (let drop = 0; drop < 40; drop++) cells[Math.floor(((random() + 1) / 2) * cells.length)]! += 15;
};
const LAMP: Disturbance = (cells, frame) => {
  if (frame % 2 === 0) for (let at = 0; at < cells.length; at++) cells[at]! += 30;
};
/** Before the people are drawn: behind them. */
const SCREEN: Disturbance = (cells, frame) => rectangle(cells, [20, 4, 44, 24], 60 + 40 * (frame % 3));

/** @returns for each frame the people whom the scene shows, and the share of frames that held */
async function film(
  people: (frame: number) => readonly Person[],
  disturb: Disturbance,
  holdsPeople: boolean,
) {
  const random = createRandom(7);
  const cells = new Float64Array(COLUMNS * ROWS);
  let now: readonly Person[] = [];
  const brightness = {
    ...{ count: COLUMNS * ROWS, columns: COLUMNS, release: async () => undefined },
    of: async () => Int32Array.from(cells, (level) => Math.min(255, Math.max(0, level)) * SUM_OF_LEVEL),
  };
  const still = new StillFrames(brightness, { holdsPeople });
  const detector = {
    sizes: [{ width: 512, height: 288 }] as const,
    detect: async () => now.map(boxOf),
  };
  const scene = new ScenePipeline({ sceneId: 'line', config: CONFIG });
  const shown: number[] = [];
  let held = 0;
  const onLook = ({ isHeld }: Look) => {
    if (isHeld) held++;
  };
  for (let frame = 0; frame < 100; frame++) {
    now = people(frame);
    cells.fill(100);
    if (disturb === SCREEN) disturb(cells, frame, () => 2 * random.next() - 1);
    for (const { column, row, level } of now) rectangle(cells, [column, row, column + 6, row + 16], level);
    if (disturb !== SCREEN) disturb(cells, frame, () => 2 * random.next() - 1);
    const picture = { model: new Uint8Array(), letterbox: LETTERBOX, timeMs: frame * 200, index: frame };
    const watchers = { detector, scenes: [scene], still, onLook };
    const [seen] = await observeFrame(picture as never, watchers);
    shown.push(seen!.tracks.length);
  }
  return { shown, held: held / 100 };
}

/** The one who comes at frame 60 is hardly brighter than the line, in front of which they walk. */
const withWalker = (frame: number): readonly Person[] =>
  frame < 60 ? LINE : [...LINE, { column: Math.min(60, 2 + 2 * (frame - 60)), row: 16, level: 152 }];

test.each<[string, Disturbance, number]>([
  ['a quiet picture', QUIET, 0.4],
  ['noise at night', NOISE, 0.4],
  ['a key frame every second', KEY_FRAMES, 0.25],
  ['rain', RAIN, 0],
  ['a flickering lamp', LAMP, 0],
  ['a screen that moves behind people', SCREEN, 0],
])(
  '%s: who walks in front of a standing line is seen in the same frame as without holding',
  async (_, disturb, least) => {
    const every = await film(withWalker, disturb, false);
    const sparing = await film(withWalker, disturb, true);
    expect(every.held).toBe(0);
    expect(sparing.shown).toEqual(every.shown);
    expect(sparing.held).toBeGreaterThanOrEqual(least);
  },
);

test('who leaves the line is missed in the same frame', async () => {
  const people = (frame: number) => (frame < 50 ? LINE : LINE.slice(1));
  expect((await film(people, NOISE, true)).shown).toEqual((await film(people, NOISE, false)).shown);
});
