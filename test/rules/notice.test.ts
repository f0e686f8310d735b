import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');
const notice = readFileSync(join(ROOT, 'NOTICE'), 'utf8');
const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { license?: string; dev?: boolean; dependencies?: Record<string, string> }>;
};
const isNamed = (name: string) =>
  new RegExp(`(?<![\\w@/-])${name.replace(/[.]/g, '\\.')}(?![\\w/-])`).test(notice);

/** Licences that only ask to keep their text, which stays in node_modules. */
const PERMISSIVE =
  /^\(?(MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|Unlicense|CC0-1\.0)\b/;

test('NOTICE names each package of an installation whose licence asks for more than its text', () => {
  const installed = Object.entries(lock.packages).filter(
    ([path, { dev, license }]) => path !== '' && !dev && license !== undefined && !PERMISSIVE.test(license),
  );
  const names = installed.map(([path]) => path.replace(/^.*node_modules\//, ''));
  // Builds for one system are parts of the package that chooses among them.
  const whole = names.map((name) =>
    name.replace(/^(@ff\w+-installer)\/(?=linux|darwin|win32)/, '$1/ff ').replace(/^@img\/sharp.*/, 'sharp'),
  );
  const wanted = whole.map((name) => name.replace(/^@(ff\w+)-installer\/ff .*/, '@$1-installer/$1'));
  expect(wanted.length).toBeGreaterThan(3);
  expect([...new Set(wanted)].filter((name) => !isNamed(name))).toEqual([]);
});

/** In place of these preact is in the page. */
const REPLACED = new Set(['react', 'react-dom']);
const IMPORT = /(?:from|import) '((?:@[\w-]+\/)?[a-z][\w.-]*)[^']*'/g;

test('NOTICE names each package whose code is in the built page', () => {
  const folders = ['src/page', 'src/client'].map((folder) => join(ROOT, folder));
  const sources = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/(^|\/)(generated|dist|node_modules)\//.test(name))
      .map((name) => readFileSync(join(folder, name), 'utf8')),
  );
  const found = new Set(['preact']);
  const add = (name: string) => {
    if (found.has(name) || REPLACED.has(name)) return;
    found.add(name);
    for (const needed of Object.keys(lock.packages[`node_modules/${name}`]?.dependencies ?? {})) add(needed);
  };
  for (const source of sources) for (const [, name] of source.matchAll(IMPORT)) add(name!);
  expect(found).toContain('uplot');
  const inLock = [...found].filter((name) => lock.packages[`node_modules/${name}`]);
  expect(inLock.filter((name) => !isNamed(name))).toEqual([]);
});
