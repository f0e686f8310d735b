import { link, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { checkSize, measureTree, sizeTable } from '../../../scripts/image/measure-tree.ts';

test('parts are packages and the folders of the build, largest first; a file with two names counts once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'measure-'));
  try {
    for (const path of ['dist/models', 'dist/src', 'node_modules/@scope/one/lib', 'node_modules/two'])
      await mkdir(join(folder, path), { recursive: true });
    await writeFile(join(folder, 'node_modules/@scope/one/lib/a'), Buffer.alloc(3_000_000));
    await writeFile(join(folder, 'node_modules/two/b'), Buffer.alloc(1_000_000));
    await link(join(folder, 'node_modules/two/b'), join(folder, 'node_modules/two/c'));
    await writeFile(join(folder, 'dist/models/m.onnx'), Buffer.alloc(2_000_000));
    await writeFile(join(folder, 'README.md'), 'x');
    const size = await measureTree(folder);
    expect(size).toEqual({
      bytes: 6_000_001,
      parts: [
        { name: 'node_modules/@scope/one', bytes: 3_000_000 },
        { name: 'dist/models', bytes: 2_000_000 },
        { name: 'node_modules/two', bytes: 1_000_000 },
        { name: 'README.md', bytes: 1 },
      ],
    });
    expect(sizeTable(size, 2).split('\n')).toEqual([
      'part                      MB',
      '-----------------------  ---',
      'node_modules/@scope/one  3.0',
      'dist/models              2.0',
      'all 2 others             1.0',
      'together                 6.0',
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a tree above the limit is an error that names both and what to do', () => {
  checkSize({ bytes: 550_000_000, parts: [] });
  expect(() => checkSize({ bytes: 550_000_001, parts: [] })).toThrow(
    /The image tree has 550\.1 MB, more than the limit of 550 MB.*slim-packages/,
  );
});
