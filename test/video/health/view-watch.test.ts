import { describe, expect, test } from '@jest/globals';
import { ViewWatch } from '../../../src/video/health/view-watch.ts';

const SIDE = 192;
const letterbox = { inputWidth: SIDE, inputHeight: SIDE, contentWidth: SIDE, contentHeight: SIDE };
const START_MS = 1_700_000_000_000;

/** Brightness at a point of the scene. The frame is one unit wide and high. */
type Scene = (x: number, y: number) => number;
/** Shelves and boxes of many sizes that do not repeat. */
const ROOM: Scene = (x, y) => {
  const box = Math.sin(Math.floor(x * 13) * 12.9898 + Math.floor(y * 9) * 78.233) * 43_758.5453;
  return 60 + 140 * (box - Math.floor(box));
};

function draw(scene: Scene) {
  const model = new Uint8Array(SIDE * SIDE * 3);
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const level = Math.max(0, Math.min(255, scene(x / SIDE, y / SIDE)));
      model.fill(level, (y * SIDE + x) * 3, (y * SIDE + x) * 3 + 3);
    }
  }
  return { model, letterbox };
}

/** Shows each scene for so many minutes. @returns since when it is another view, in minutes */
function watch(...shown: readonly (readonly [minutes: number, scene: Scene])[]): number | null {
  const view = new ViewWatch();
  let timeMs = START_MS;
  for (const [minutes, scene] of shown) {
    const frame = draw(scene);
    for (let sample = 0; sample < minutes * 6; sample++, timeMs += 10_000) view.take(frame, timeMs);
  }
  return view.sinceMs === null ? null : (view.sinceMs - START_MS) / 60_000;
}

describe('the view of a camera', () => {
  test.each<[string, Scene]>([
    ['turned a little', (x, y) => ROOM(x + 0.05, y)],
    ['turned away', (x, y) => ROOM(x + 3.37, y + 2.21)],
    ['tilted', (x, y) => ROOM(x * 0.98 - y * 0.17, x * 0.17 + y * 0.98)],
    ['zoomed', (x, y) => ROOM(x / 1.3, y / 1.3)],
  ])('%s: noticed within five minutes, from the first changed samples on', (_, scene) => {
    expect(watch([3, ROOM], [5, scene])).toBe(3);
  });

  test.each<[string, Scene]>([
    ['darker', (x, y) => ROOM(x, y) * 0.4],
    ['at night, lit from the other side', (x, y) => 200 - 0.6 * ROOM(x, y)],
    ['a crowd over half of it', (x, y) => (x < 0.5 ? 128 : ROOM(x, y))],
    ['trembling', (x, y) => ROOM(x + 0.004, y)],
    ['nearly dark', (x, y) => ROOM(x, y) * 0.03],
  ])('%s: the view counts as the same', (_, scene) => {
    expect(watch([3, ROOM], [12, scene])).toBeNull();
  });

  test('a person in front of the lens for a minute is no other view', () => {
    expect(watch([3, ROOM], [1, () => 90], [6, ROOM])).toBeNull();
  });

  test('a camera that was turned back shows its first view again', () => {
    expect(watch([3, ROOM], [6, (x, y) => ROOM(x + 2.41, y)], [3, ROOM])).toBeNull();
  });
});
