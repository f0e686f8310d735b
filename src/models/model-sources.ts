import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelCard } from './cards.ts';

/** The folders of cards and of the cache. */
export interface ModelFolders {
  readonly modelsDir: string;
  /** Ready files, and downloaded sources. */
  readonly cacheDir: string;
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The path of a downloaded source. */
export const pulledFile = (cacheDir: string, sha: string): string => join(cacheDir, 'sources', `${sha}.onnx`);

const givenPrefix = (name: string) => `given-${name}-`;

/** The path of a given source, which has its sha256 in the name. */
export const givenFile = (cacheDir: string, name: string, sha: string): string =>
  join(cacheDir, 'sources', `${givenPrefix(name)}${sha}.onnx`);

/** The file of a given model in the cache; null where there is none. */
export async function findGiven(name: string, cacheDir: string): Promise<string | null> {
  const folder = join(cacheDir, 'sources');
  const files = await readdir(folder).catch(() => []);
  const found = files.find((file) => file.startsWith(givenPrefix(name)) && file.endsWith('.onnx'));
  return found ? join(folder, found) : null;
}

/** The sha256 that the name of a given file has. */
export const sha256OfGiven = (file: string): string => /-([^-]+)\.onnx$/.exec(file)?.[1] ?? '';

/** Whether the source of a model is here, without a download. */
export async function isHere({ name, source }: ModelCard, { cacheDir }: ModelFolders): Promise<boolean> {
  if (source.kind === 'given') return (await findGiven(name, cacheDir)) !== null;
  if (source.kind !== 'url') return true;
  const found = await stat(pulledFile(cacheDir, source.sha256)).catch(() => null);
  return found !== null;
}
