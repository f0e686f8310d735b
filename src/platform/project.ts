import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of the project, which has package.json. The build is some folders deeper than the source. */
export const PROJECT = projectFolder(import.meta.dirname);

/** Folder of the ready files of the embedded models, which the build or the first start makes. */
export const BUILT_MODELS_DIR = join(PROJECT, 'dist/models/ready');

function projectFolder(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error(`No folder above ${import.meta.dirname} has a package.json.`);
  return projectFolder(parent);
}
