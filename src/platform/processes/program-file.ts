import { join } from 'node:path';

/** The folder that has `src` and `scripts`: the project, or the folder of a build of it. */
const TREE = join(import.meta.dirname, '../../..');
const IS_BUILT = import.meta.url.endsWith('.js');

/** What Node is given before a program or a module of ours: tsx, which reads TypeScript; nothing in a build. */
export const LOADER: readonly string[] = IS_BUILT ? [] : ['--import', 'tsx'];

/** Where a file of ours is, in the same tree as this one. @param file its source, for example `src/lane.ts` */
export function programFile(file: string): string {
  return join(TREE, IS_BUILT ? file.replace(/\.ts$/, '.js') : file);
}

/** The arguments with which Node runs a program of ours. @param file its source, for example `src/api.ts` */
export const nodeArguments = (file: string): string[] => [...LOADER, programFile(file)];
