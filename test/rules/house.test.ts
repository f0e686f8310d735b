import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const NOT_OURS = new Set(['prisma-client', 'generated', 'dist']);
const MAX_LINES = 400;
const MAX_FILES = 20;

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : sources(path);
    return /\.(tsx?|mjs)$/.test(entry.name) ? [path] : [];
  });
}

const files = [...sources('src'), ...sources('models'), ...sources('scripts'), ...sources('test')].map(
  (path) => ({
    path,
    text: readFileSync(path, 'utf8'),
  }),
);
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  scripts: Record<string, string>;
};
const withLines = (wanted: (path: string, line: string) => boolean): string[] =>
  files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, at) => (wanted(path, line) ? [`${path}:${at + 1} ${line.trim()}`] : [])),
  );

describe('the house', () => {
  test('no file has more than 400 lines', () => {
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter(({ text }) => text.split('\n').length > MAX_LINES).map(({ path }) => path)).toEqual(
      [],
    );
  });

  test('no folder has more than 20 source files', () => {
    const counts = new Map<string, number>();
    for (const { path } of files) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > MAX_FILES)).toEqual([]);
  });

  test('there are no utils files and no barrel files', () => {
    expect(
      files.map(({ path }) => path).filter((path) => /\/(utils?|helpers?|index)\.tsx?$/.test(path)),
    ).toEqual([]);
  });

  test('there are no notes for later and no skipped tests', () => {
    const leftover = new RegExp(
      ['TO' + 'DO', 'FIX' + 'ME', String.raw`\b(it|test|describe)\.(skip|only|todo)\b`].join('|'),
    );
    // That one skips, and says so, what a machine without some program cannot test.
    const allowed = 'test/support/installed.ts';
    expect(withLines((path, line) => path !== allowed && leftover.test(line))).toEqual([]);
  });

  test('only the database files open connections, so that every transaction gets its limits', () => {
    // `createDb` is the only pool. The others hold no locks of rows: one listens, one asks a new server whether it answers, and one
    // builds indexes, which no transaction can, with limits of its own.
    const allowed = new Set([
      ...['src/platform/database/db.ts', 'src/platform/database/limited-client.ts'],
      ...['src/platform/database/notify.ts', 'scripts/postgres/embedded.ts'],
      'src/platform/database/fill-indexes.store.ts',
    ]);
    const opens = /new (pg\.)?(Pool|Client|PrismaClient|PrismaPg)\(/;
    expect(
      withLines((path, line) => path.startsWith('src/') && !allowed.has(path) && opens.test(line)),
    ).toEqual([]);
  });

  test('only config.ts reads the environment', () => {
    // The second decides nothing by it: it hands the harmless part on to children. The third looks a program up on PATH.
    const allowed = new Set([
      ...['src/platform/config.ts', 'src/platform/processes/child-environment.ts'],
      'src/video/ffmpeg/ffmpeg-binaries.ts',
    ]);
    expect(
      withLines((path, line) => path.startsWith('src/') && !allowed.has(path) && /process\.env\b/.test(line)),
    ).toEqual([]);
  });

  test('every property test takes the number of its cases from one place', () => {
    const asked = withLines((path, line) => path.startsWith('test/') && /from '[f]ast-check'/.test(line));
    expect(asked).toEqual([expect.stringMatching(/^test\/support\/property\.ts:1 /)]);
  });

  test('every package is pinned to an exact version', () => {
    const loose = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
      ([, version]) => !/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
    );
    expect(loose).toEqual([]);
  });

  test('CI runs exactly the test command of the README', () => {
    const ci = readFileSync('.ci/run', 'utf8').trim().split('\n').at(-1);
    expect(ci).toBe('npm ci && npm test');
    expect(readFileSync('README.md', 'utf8')).toContain(`\n${ci}\n`);
  });

  test('every npm script with one of our programs ends when its npm ends', () => {
    const programs = Object.values(manifest.scripts).filter((script) => /\w\.ts\b/.test(script));
    expect(programs.length).toBeGreaterThan(10);
    for (const script of programs)
      expect(script).toMatch(/^exec node --import \.\/scripts\/under-npm\.mjs \S+\.ts$/);
  });

  test('every npm script is named in a README', () => {
    const readme = ['README.md', 'scripts/README.md', 'CONTRIBUTING.md']
      .map((page) => readFileSync(page, 'utf8'))
      .join('\n');
    const missing = Object.keys(manifest.scripts).filter(
      (name) => !/^(pre|post)/.test(name) && !new RegExp(`npm (run (-s )?)?${name}\\b`).test(readme),
    );
    expect(missing).toEqual([]);
  });
});
