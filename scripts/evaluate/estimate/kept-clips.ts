import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import type { Clip } from './clips.ts';

/**
 * The clips in a file, where it exists, or else those that are made, which the file keeps when all of them are there: a run
 * that was stopped leaves none, and figures come from one run alone.
 * @param path nothing is kept without it
 * @throws Error where the file has clips of other settings
 */
export async function keptClips(
  path: string | undefined,
  settings: object,
  make: () => Promise<Clip[]>,
): Promise<Clip[]> {
  const heading = JSON.stringify(settings);
  if (path && existsSync(path)) {
    const [found, ...lines] = (await readFile(path, 'utf8')).trim().split('\n');
    if (found === heading) return lines.map((line) => JSON.parse(line) as Clip);
    throw new Error(`${path} has clips of other settings (${found}): remove it or name another file.`);
  }
  const clips = await make();
  if (path) await writeFile(path, [heading, ...clips.map((clip) => JSON.stringify(clip))].join('\n'));
  return clips;
}
