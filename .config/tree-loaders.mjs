// Before our modules are imported: tsx reads the TypeScript of tests, and jest-loader.mjs takes the rest from the tree.
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import 'tsx/esm';

const data = pathToFileURL(`${process.env.TEST_TREE}/`).href;
register('./jest-loader.mjs', { parentURL: import.meta.url, data });
