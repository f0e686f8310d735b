import { describe, expect, test } from '@jest/globals';
import { FrameAssembler } from '../../../src/video/ffmpeg/frame-assembler.ts';
import { PIPE_BYTES } from '../../../src/video/ffmpeg/pipe-size.ts';

/** Too large to lie in a pipe. */
const MODEL_BYTES = PIPE_BYTES + 5_000;
const FULL_BYTES = PIPE_BYTES + 15_000;

/** Two pipes whose blocks are filled with the number of their frame. */
function assembler(keep: 'newest' | 'every', withFullFrames = true) {
  const frames = new FrameAssembler({
    modelBytes: MODEL_BYTES,
    fullBytes: withFullFrames ? FULL_BYTES : null,
    keep,
    clock: () => 7,
  });
  const count = { model: 0, full: 0 };
  /** `m` a model block, `p` a full-size block. */
  const write = (blocks: string) => {
    for (const block of blocks) {
      const pipe = block === 'm' ? 'model' : 'full';
      frames.buffer(pipe).fill(count[pipe]++);
      frames.done(pipe);
    }
  };
  /** e.g. `3/3`: first bytes of both blocks; `3/-` without a full-size block. */
  const take = () => {
    const pair = frames.take();
    return pair && `${pair.model.bytes[0]}/${pair.full?.bytes[0] ?? '-'}`;
  };
  return { frames, write, take };
}

describe('the frame assembler', () => {
  test.each([
    ['mp', '0/0', 0],
    ['pm', '0/0', 0],
    ['m', null, 0],
    ['mpmpmp', '2/2', 2],
    ['mmpp', '1/1', 1],
    ['mmmmmppppp', '4/4', 4],
    ['pppppmmmmm', '4/4', 4],
    ['mmmmmpp', null, 3],
  ])('with `newest`, blocks written as %s give frame %s and %d dropped', (blocks, taken, dropped) => {
    const { frames, write, take } = assembler('newest');
    write(blocks);
    expect(take()).toBe(taken);
    expect(frames.dropped).toBe(dropped);
  });

  test('with one pipe a frame needs no full-size block', () => {
    const { write, take, frames } = assembler('newest', false);
    write('mm');
    expect(take()).toBe('1/-');
    expect(take()).toBeNull();
    expect(frames.dropped).toBe(1);
  });

  test('a frame that was taken stays unchanged until the next one is taken', () => {
    const { frames, write, take } = assembler('newest');
    write('mp');
    const first = frames.take()!;
    write('mpmpmpmpmp');
    expect([first.model.bytes[0], first.full?.bytes[0]]).toEqual([0, 0]);
    expect(take()).toBe('5/5');
    expect(frames.dropped).toBe(4);
  });

  test('buffers are reused: it never needs more than five per pipe', () => {
    const { frames, write } = assembler('newest');
    const seen = new Set<ArrayBufferLike>();
    for (let at = 0; at < 100; at++) {
      seen.add(frames.buffer('model').buffer);
      write(at % 7 < 3 ? 'mmpp' : 'mp');
      if (at % 3 === 0) frames.take();
    }
    expect(seen.size).toBeLessThanOrEqual(5);
  });

  test('with `every` reading waits until a frame is taken, and no frame is lost', () => {
    const { frames, write, take } = assembler('every');
    const taken: (string | null)[] = [];
    for (let at = 0; at < 5; at++) {
      write('m');
      expect(frames.mustWait).toBe(false);
      write('p');
      expect(frames.mustWait).toBe(true);
      taken.push(take());
    }
    expect(taken).toEqual(['0/0', '1/1', '2/2', '3/3', '4/4']);
    expect(frames.dropped).toBe(0);
  });

  test('with `every` a frame goes without its full-size block if that is too far behind', () => {
    const { frames, write, take } = assembler('every');
    write('mmm');
    expect(take()).toBe('0/-');
    write('pp');
    expect(take()).toBe('1/1');
    write('p');
    expect(take()).toBe('2/2');
    expect(frames.dropped).toBe(0);
  });

  test('small blocks come many at once, and the frames wait for their full-size blocks', () => {
    const frames = new FrameAssembler({
      ...{ modelBytes: 12_288, fullBytes: 6_144, keep: 'every' },
      clock: () => 7,
    });
    for (let at = 0; at < 5; at++) frames.done('model');
    expect(frames.take()).toBeNull();
    for (let at = 0; at < 5; at++) frames.done('full');
    for (let at = 0; at < 5; at++)
      expect(frames.take()).toMatchObject({ model: { index: at }, full: { index: at } });
  });

  test('after the end frames no longer wait for their full-size blocks', () => {
    const { frames, write, take } = assembler('every');
    write('mm');
    frames.end();
    expect([take(), take(), take()]).toEqual(['0/-', '1/-', null]);
  });
});
