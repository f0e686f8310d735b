import { lstat, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { table } from '../support/terminal.ts';

const LIMIT_MB = 550;
const MB = 1_000_000;

export interface TreeSize {
  /** Of all files; a file with two names counts once. */
  readonly bytes: number;
  /** Packages, folders of `dist`, and what else lies in the tree, largest first. */
  readonly parts: readonly { readonly name: string; readonly bytes: number }[];
}

/** What a tree holds, without what a file system adds to it. */
export async function measureTree(folder: string): Promise<TreeSize> {
  const parts = new Map<string, number>();
  const seen = new Set<number>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const path = join(entry.parentPath, entry.name);
    const { ino, size } = await lstat(path);
    if (seen.has(ino)) continue;
    seen.add(ino);
    const name = partOf(relative(folder, path).split(sep));
    parts.set(name, (parts.get(name) ?? 0) + size);
  }
  const sorted = [...parts].map(([name, bytes]) => ({ name, bytes })).sort((a, b) => b.bytes - a.bytes);
  return { bytes: sorted.reduce((sum, { bytes }) => sum + bytes, 0), parts: sorted };
}

function partOf(path: readonly string[]): string {
  const [top, second] = path;
  if (top !== 'node_modules' && top !== 'dist') return top!;
  return path.slice(0, second?.startsWith('@') ? 3 : 2).join('/');
}

/** @param rows as many of the largest parts are named */
export function sizeTable({ bytes, parts }: TreeSize, rows = 20): string {
  const others = parts.slice(rows);
  const rest = others.reduce((sum, part) => sum + part.bytes, 0);
  const lines = [
    ...parts.slice(0, rows).map((part) => [part.name, part.bytes] as const),
    ...(others.length > 0 ? [[`all ${others.length} others`, rest] as const] : []),
    ['together', bytes] as const,
  ];
  const width = inMb(bytes).length;
  return table([
    ['part', 'MB'.padStart(width)],
    ...lines.map(([name, size]) => [name, inMb(size).padStart(width)]),
  ]);
}

const inMb = (bytes: number): string => (bytes / MB).toFixed(1);

/** @throws Error the tree is above the limit */
export function checkSize({ bytes }: TreeSize): void {
  if (bytes <= LIMIT_MB * MB) return;
  const shown = (Math.ceil(bytes / (MB / 10)) / 10).toFixed(1);
  throw new Error(
    `The image tree has ${shown} MB, more than the limit of ${LIMIT_MB} MB: scripts/image/slim-packages.ts names what is left out.`,
  );
}
