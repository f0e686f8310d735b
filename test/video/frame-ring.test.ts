import { describe, expect, test } from '@jest/globals';
import { FrameRing } from '../../src/video/frame-ring.ts';
import type { Frame, FullFrame } from '../../src/vision/frame.ts';

const SIZE = { width: 32, height: 16 };

/** One colour all over, as Y, U, V. */
function full(index: number, yuv: readonly number[] = [16, 128, 128]): FullFrame {
  const luma = SIZE.width * SIZE.height;
  const data = new Uint8Array((luma * 3) / 2);
  data
    .fill(yuv[0]!, 0, luma)
    .fill(yuv[1]!, luma, luma * 1.25)
    .fill(yuv[2]!, luma * 1.25);
  return { index, timeMs: index * 200, ...SIZE, colourMatrix: 'bt601', data };
}

/** Of a source that does not want its buffers back. */
const frame = (full: FullFrame): Pick<Frame, 'full' | 'keepFull'> => ({
  full,
  keepFull: () => undefined,
});

describe('the frames of the last seconds', () => {
  test('a frame is found by its index, the newest one without an index', () => {
    const ring = new FrameRing();
    for (let index = 0; index < 100; index++) ring.add(frame(full(index, [index, 128, 128])));
    expect(ring.get(null)?.index).toBe(99);
    expect(ring.get(90)?.data[0]).toBe(90);
    expect(ring.get(84)?.index).toBe(84);
    expect(ring.get(83)).toBeNull();
  });

  test('frames keep their buffers; the source gets the buffers of dropped frames of the same size', () => {
    const ring = new FrameRing({ keepMs: 400 });
    const spares: (Uint8Array | null)[] = [];
    const add = (full: FullFrame | null) => ring.add({ full, keepFull: (spare) => spares.push(spare) });
    const frames = [0, 1, 2, 3, 4].map((index) => full(index));
    for (const full of frames) add(full);
    expect(ring.get(4)?.data).toBe(frames[4]!.data);
    expect(spares.slice(0, 3)).toEqual([null, null, null]);
    expect(spares[3]).toBe(frames[0]!.data);
    expect(spares[4]).toBe(frames[1]!.data);

    add(null);
    add({ ...full(50), width: 16, height: 16, data: new Uint8Array(384) });
    expect(spares).toHaveLength(6);
    expect(spares[5]).toBeNull();
    expect([ring.get(4), ring.get(50)?.width]).toEqual([null, 16]);
  });

  test('the number of frames is bounded at a high rate, when time goes back and when the size changes', () => {
    const ring = new FrameRing({ maxFrames: 4 });
    for (let index = 0; index < 10; index++) ring.add(frame({ ...full(index), timeMs: index }));
    expect([ring.get(5), ring.get(6)?.index]).toEqual([null, 6]);
    ring.add(frame({ ...full(20), timeMs: 0, width: 16, height: 16, data: new Uint8Array(384) }));
    expect(ring.get(20)?.data).toHaveLength(384);
  });

  test('there is no newest frame before the first one', () => {
    expect(new FrameRing().get(null)).toBeNull();
  });
});
