// What tests import, beside what tsx reads: our own code comes translated from the tree of scripts/build/build-tree.mjs.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

// The package `@jest/globals` throws when Node imports it outside of Jest's own module system.
const GLOBALS = new URL('./jest-globals.mjs', import.meta.url).href;
const PROJECT = new URL('..', import.meta.url).href;
const OURS = /^(src|models|scripts)\/.*\.ts$/;

/** Address of the folder of the tree. */
let tree = '';
const inTree = new Map();

export function initialize(address) {
  tree = address;
}

export function resolve(specifier, context, next) {
  if (specifier === '@jest/globals') return { url: GLOBALS, shortCircuit: true };
  const url = ours(specifier, context.parentURL);
  return url === null ? next(specifier, context) : { url, format: 'module', shortCircuit: true };
}

export async function load(url, context, next) {
  if (!url.startsWith(tree)) return next(url, context);
  return { format: 'module', source: await readFile(fileURLToPath(url)), shortCircuit: true };
}

/** The file of the tree that is meant; null for everything else. What browsers run is not in the tree. */
function ours(specifier, parent) {
  if (!/^(\.|\/|file:)/.test(specifier) || !URL.canParse(specifier, parent)) return null;
  const { href } = new URL(specifier, parent);
  if (href.startsWith(tree)) return href;
  const path = href.startsWith(PROJECT) ? href.slice(PROJECT.length) : '';
  if (!OURS.test(path)) return null;
  if (!inTree.has(path)) {
    const url = `${tree}${path.slice(0, -2)}js`;
    inTree.set(path, existsSync(fileURLToPath(url)) ? url : null);
  }
  return inTree.get(path);
}
