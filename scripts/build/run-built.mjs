// Runs a command of ours as JavaScript, from a tree that is built where the sources have changed: each of the programs that it
// starts then needs half of the processor time until it asks for its database (test/README.md).
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildTree } from './build-tree.mjs';

/** Trees that nobody has touched for two hours are removed. */
const TOUCH_MS = 30 * 60_000;

const [name, ...args] = process.argv.slice(2);
// A wrong option, or `--help`, ends the program here.
const { [`${name}Command`]: command } = await import(`../${name}/command.ts`);
command().parse(args, { from: 'user' });
const tree = await buildTree(
  () => void process.stderr.write('Building the programs; later starts are quicker …\n'),
);
setInterval(() => {
  const now = new Date();
  utimesSync(tree, now, now);
}, TOUCH_MS).unref();
const file = join(tree, 'scripts', `${name}.js`);
process.argv = [process.execPath, file, ...args];
await import(pathToFileURL(file).href);
