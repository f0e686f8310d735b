// Once in each process that runs test files, before the first: what they import is found and translated from here on.
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import 'tsx/esm';

register('./jest-loader.mjs', {
  parentURL: import.meta.url,
  data: pathToFileURL(`${process.env.TEST_TREE}/`).href,
});
