import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { SceneConfig } from '../../../src/vision/types.ts';
import { readScene } from '../../replay/scene-file.ts';
import { type LabelledCount, readCounts } from './counts-file.ts';
import { type LabelledState, readStates } from './states-file.ts';

/** A film of a till with what is true in it. */
export interface Till {
  readonly name: string;
  readonly video: string;
  readonly labels: string;
  readonly config: SceneConfig;
  /** Null where only visits are labelled. */
  readonly counts: readonly LabelledCount[] | null;
  /** What the tills do; null where nobody labelled it. */
  readonly states: readonly LabelledState[] | null;
}

const FILES = ['video.mp4', 'scene.json', 'labels.csv'] as const;

/**
 * The films of a folder, in the order of their names: each folder in it with a video.mp4, or the folder itself.
 * @throws Error that names the missing file
 */
export async function readTills(folder: string): Promise<Till[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => {
    throw new Error(`${folder} is not a folder that can be read.`);
  });
  const isFilm = (path: string) => existsSync(join(path, FILES[0]));
  const folders = entries
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map(({ name }) => join(folder, name))
    .filter(isFilm)
    .sort();
  const films = isFilm(folder) ? [folder] : folders;
  if (films.length === 0)
    throw new Error(`${folder} holds no films of tills: folders with ${FILES.join(', ')} expected.`);
  return Promise.all(films.map(readTill));
}

async function readTill(folder: string): Promise<Till> {
  const missing = FILES.filter((file) => !existsSync(join(folder, file)));
  if (missing.length > 0) throw new Error(`${folder} lacks ${missing.join(' and ')}.`);
  const [video, scene, labels] = FILES.map((file) => join(folder, file)) as [string, string, string];
  const [config, counts] = await Promise.all([readScene(scene), readCounts(join(folder, 'counts.csv'))]);
  const tillIds = (config.zones.tills ?? []).map(({ id }) => id);
  const states = await readStates(join(folder, 'states.csv'), tillIds);
  return { name: basename(resolve(folder)), video, labels, config, counts, states };
}
