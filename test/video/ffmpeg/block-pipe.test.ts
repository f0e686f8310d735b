import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { BlockPipe, makePipes } from '../../../src/video/ffmpeg/block-pipe.ts';

/** Elsewhere a pipe stays as the system makes it. */
const FRAME_BYTES = process.platform === 'linux' ? 640 * 1024 : 4096;

test('a pipe holds a whole frame before anyone reads it, and the frame is read unchanged', async () => {
  const [pipe] = await makePipes(1);
  const { readFd, writeFd } = pipe!;
  const write = `fs.writeSync(1, Buffer.alloc(${FRAME_BYTES}, 7)); process.exit(3)`;
  const writer = spawn(process.execPath, ['-e', write], { stdio: ['ignore', writeFd, 'inherit'] });
  closeSync(writeFd);
  // a pipe as the kernel makes it, of 64 kB, would hold it up for ever
  expect(await once(writer, 'exit')).toEqual([3, null]);
  const blocks: Uint8Array[] = [];
  await new Promise<void>((ended) => {
    let block = new Uint8Array();
    new BlockPipe(readFd, {
      nextBlock: () => {
        block = new Uint8Array(FRAME_BYTES);
        return block;
      },
      blockDone: () => blocks.push(block) > 0,
      ended,
    });
  });
  expect(blocks.map((block) => block.every((byte) => byte === 7))).toEqual([true]);
});
