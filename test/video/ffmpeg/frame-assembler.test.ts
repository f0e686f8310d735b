import { describe, expect, test } from '@jest/globals';
import { FrameAssembler } from '../../../src/video/ffmpeg/frame-assembler.ts';
import { PIPE_BYTES } from '../../../src/video/ffmpeg/pipe-size.ts';

/** Too large to lie in a pipe. */
const MODEL_BYTES = PIPE_BYTES + 5_000;
const PICTURE_BYTES = PIPE_BYTES + 15_000;

/** Two pipes whose blocks are filled with the number of their frame. */
function assembler(keep: 'newest' | 'every', withPictures = true) {
  const frames = new FrameAssembler({
    modelBytes: MODEL_BYTES,
    pictureBytes: withPictures ? PICTURE_BYTES : null,
    keep,
    firstIndex: 0,
    clock: () => 7,
  });
  const count = { model: 0, picture: 0 };
  /** `m` a model block, `p` a picture block. */
  const write = (blocks: string) => {
    for (const block of blocks) {
      const pipe = block === 'm' ? 'model' : 'picture';
      frames.buffer(pipe).fill(count[pipe]++);
      frames.done(pipe);
    }
  };
  /** e.g. `3/3`: bytes of model and picture; `3/-` without a picture. */
  const take = () => {
    const pair = frames.take();
    return pair && `${pair.model.bytes[0]}/${pair.picture?.bytes[0] ?? '-'}`;
  };
  return { frames, write, take };
}

describe('putting frames together', () => {
  test.each([
    ['mp', '0/0', 0],
    ['pm', '0/0', 0],
    ['m', null, 0],
    ['mpmpmp', '2/2', 2],
    ['mmpp', '1/1', 1],
    ['mmmmmppppp', '4/4', 4],
    ['pppppmmmmm', '4/4', 4],
    ['mmmmmpp', null, 3],
  ])('newest, written %s: takes %s, %d dropped', (blocks, taken, dropped) => {
    const { frames, write, take } = assembler('newest');
    write(blocks);
    expect(take()).toBe(taken);
    expect(frames.dropped).toBe(dropped);
  });

  test('one pipe alone needs no picture', () => {
    const { write, take, frames } = assembler('newest', false);
    write('mm');
    expect(take()).toBe('1/-');
    expect(take()).toBeNull();
    expect(frames.dropped).toBe(1);
  });

  test('what was taken stays as it is until the next is taken', () => {
    const { frames, write, take } = assembler('newest');
    write('mp');
    const first = frames.take()!;
    write('mpmpmpmpmp');
    expect([first.model.bytes[0], first.picture?.bytes[0]]).toEqual([0, 0]);
    expect(take()).toBe('5/5');
    expect(frames.dropped).toBe(4);
  });

  test('buffers are used again: never more than five of a kind', () => {
    const { frames, write } = assembler('newest');
    const seen = new Set<ArrayBufferLike>();
    for (let at = 0; at < 100; at++) {
      seen.add(frames.buffer('model').buffer);
      write(at % 7 < 3 ? 'mmpp' : 'mp');
      if (at % 3 === 0) frames.take();
    }
    expect(seen.size).toBeLessThanOrEqual(5);
  });

  test('every: is full until a frame is taken, and loses none', () => {
    const { frames, write, take } = assembler('every');
    const taken: (string | null)[] = [];
    for (let at = 0; at < 5; at++) {
      write('m');
      expect(frames.full).toBe(false);
      write('p');
      expect(frames.full).toBe(true);
      taken.push(take());
    }
    expect(taken).toEqual(['0/0', '1/1', '2/2', '3/3', '4/4']);
    expect(frames.dropped).toBe(0);
  });

  test('every: where a picture is too far behind, its frame goes without it', () => {
    const { frames, write, take } = assembler('every');
    write('mmm');
    expect(take()).toBe('0/-');
    write('pp');
    expect(take()).toBe('1/1');
    write('p');
    expect(take()).toBe('2/2');
    expect(frames.dropped).toBe(0);
  });

  test('small blocks come many at once: their pictures are waited for', () => {
    const frames = new FrameAssembler({
      ...{ modelBytes: 12_288, pictureBytes: 6_144, keep: 'every', firstIndex: 0 },
      clock: () => 7,
    });
    for (let at = 0; at < 5; at++) frames.done('model');
    expect(frames.take()).toBeNull();
    for (let at = 0; at < 5; at++) frames.done('picture');
    for (let at = 0; at < 5; at++)
      expect(frames.take()).toMatchObject({ model: { index: at }, picture: { index: at } });
  });

  test('at the end nothing waits for a picture any more', () => {
    const { frames, write, take } = assembler('every');
    write('mm');
    frames.end();
    expect([take(), take(), take()]).toEqual(['0/-', '1/-', null]);
  });
});
