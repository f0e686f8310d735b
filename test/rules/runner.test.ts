import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  devDependencies: Record<string, string>;
};

test('Jest is the version whose private parts .config/jest-runtime.cjs was checked with', () => {
  // With another version: look whether `jest-runtime` still has `unstable_shouldLoadAsEsm`, `unstable_importModule`,
  // `requireInternalModule` and `setGlobalsForRuntime` with the same arguments, and run `npm run test:flaky` once.
  for (const name of ['jest', 'jest-runtime', 'jest-mock', '@jest/globals'])
    expect([name, devDependencies[name]]).toEqual([name, '30.5.2']);
});
