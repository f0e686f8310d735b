import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { OPERATIONS } from './operations.ts';

const files = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|md)$/.test(name))
    .map((name) => join(folder, name));

/** `/analysis/tasks?deviceId=…` in code, in a shell command or in prose; a part in `${…}` is one segment. Places of the page follow a `#`. */
const ADDRESS = /(?<!#)((?:\/(?:[\w-]+|\$\{[^}]*\}))+)\?((?:[\w[\]]+=(?:\$\{[^}]*\}|[^&\s`'")|])*&?)+)/g;

const calls = [...files('scripts'), ...files('src'), 'README.md'].flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(ADDRESS)].map(([address, path = '', query = '']) => ({
    where: `${file}: ${address}`,
    path: path.replace(/^.*\/api\/v1/, ''),
    names: query.split('&').map((part) => part.split('=')[0]!),
  })),
);

const fits = (template: string, path: string) =>
  new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);

/** By address: the parameters that its call does not know. Where several calls have the path, all of them count. */
const checked = calls.flatMap(({ where, path, names }) => {
  const operations = OPERATIONS.filter((one) => fits(one.path, path));
  if (operations.length === 0) return [];
  const known = operations.flatMap(({ parameters }) => parameters.map(({ name }) => name));
  return [{ where, unknown: names.filter((name) => name !== '' && !known.includes(name)) }];
});

test('finds the calls of our own programs and of the documentation', () => {
  expect(checked.length).toBeGreaterThan(20);
  expect(checked.some(({ where }) => where.startsWith('scripts/chaos/'))).toBe(true);
});

test('our own programs send only known query parameters', () => {
  expect(checked.filter(({ unknown }) => unknown.length > 0)).toEqual([]);
});
