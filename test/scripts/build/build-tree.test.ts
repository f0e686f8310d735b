import { readdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';
// @ts-expect-error: programs that run before anything is built have no types.
import { treeSources } from '../../../scripts/build/build-tree.mjs';

test('a tree is made again when anything in it has changed, and nothing else', () => {
  // `shared` has pieces of programs.
  const made = readdirSync(process.env.TEST_TREE!, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /^(src|models|scripts)\/.*\.js$/.test(path),
  );
  expect(treeSources()).toEqual(made.map((path) => path.replace(/js$/, 'ts')).sort());
});
