import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT } from '../../../src/platform/project.ts';

const BUILT = join(PROJECT, 'dist/web');
const ASSETS = join(BUILT, 'assets');

export interface Sizes {
  /** Everything that Now needs at the first load, gzip. */
  readonly firstLoadBytes: number;
  readonly largestChunk: { readonly name: string; readonly bytes: number };
  /** With both languages, of which a browser loads one. */
  readonly allBytes: number;
  readonly buildMs: number;
  readonly unchangedMs: number;
}

const bytesOf = (name: string): number => {
  const file = join(ASSETS, name);
  return readFileSync(existsSync(`${file}.gz`) ? `${file}.gz` : file).byteLength;
};

/** The names of scripts and styles that a file loads itself, without those that it loads later. */
const named = (text: string): string[] =>
  [...text.matchAll(/[\w-]+-[\w-]{8}\.(?:js|css)/g)]
    .map(([name]) => name)
    .filter((name) => existsSync(join(ASSETS, name)));

/** @param requested names of the files that a browser loaded for Now */
export async function measureSizes(requested: readonly string[]): Promise<Sizes> {
  const scripts = readdirSync(ASSETS).filter((name) => /\.(js|css)$/.test(name));
  const first = new Set([...named(readFileSync(join(BUILT, 'index.html'), 'utf8')), ...requested]);
  const later = scripts.filter((name) => !first.has(name));
  const sized = later
    .map((name) => ({ name, bytes: bytesOf(name) }))
    .sort((one, other) => other.bytes - one.bytes);
  return {
    firstLoadBytes: sum([...first].map(bytesOf)),
    largestChunk: sized[0] ?? { name: '', bytes: 0 },
    allBytes: sum(scripts.map(bytesOf)),
    ...(await measureBuild()),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

async function measureBuild(): Promise<{ buildMs: number; unchangedMs: number }> {
  const build = async () => {
    const start = performance.now();
    await promisify(execFile)(process.execPath, ['scripts/page/build-page.mjs'], { cwd: PROJECT });
    return Math.round(performance.now() - start);
  };
  rmSync(join(BUILT, '.stamp'), { force: true });
  return { buildMs: await build(), unchangedMs: await build() };
}
