import { spawn } from 'node:child_process';
import { chmod, cp, mkdir, readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { PROJECT } from '../../src/platform/project.ts';
import { readStages, type Stage } from './dockerfile.ts';

/** The stage whose result all images contain. */
const STAGE = 'build';

export interface ImageOptions {
  /** An empty folder; it is made where it is missing. */
  readonly folder: string;
  /** A `node_modules` of the same package-lock.json that is used instead of `npm ci`; its files are linked, not copied. */
  readonly packages?: string | undefined;
  readonly onStep?: (step: string) => void;
}

export const imageStages = async (): Promise<Stage[]> =>
  readStages(await readFile(join(PROJECT, 'Dockerfile'), 'utf8'));

/**
 * Takes the steps of the Dockerfile's build stage without Docker, and makes the folder read-only, as the images are.
 * @throws Error with the output of the step that failed
 */
export async function buildImage({ folder, packages, onStep }: ImageOptions): Promise<void> {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw new Error(`The folder ${folder} is not empty.`);
  const build = (await imageStages()).find(({ name }) => name === STAGE);
  for (const { word, text } of build?.instructions ?? []) {
    onStep?.(`${word} ${text}`);
    if (word === 'COPY') await copy(text.split(/\s+/), folder);
    else if (word === 'RUN' && text === 'npm ci' && packages) await linkPackages(packages, folder);
    else if (word === 'RUN') await run(text, folder, { isOffline: packages !== undefined });
    else if (word !== 'WORKDIR')
      throw new Error(`The Dockerfile has a step that is not known here: ${word}.`);
  }
  await makeReadOnly(folder);
}

/** Removes what `buildImage` made. */
export async function removeImage(folder: string): Promise<void> {
  await eachFolder(folder, (path) => chmod(path, 0o755), { first: true });
  await rm(folder, { recursive: true, force: true });
}

/** `COPY FILE… ./` and `COPY . .`, without what `.dockerignore` names. */
async function copy(paths: readonly string[], folder: string): Promise<void> {
  const ignored = (await readFile(join(PROJECT, '.dockerignore'), 'utf8')).split('\n').filter(Boolean);
  const isIgnored = (name: string) =>
    ignored.some((pattern) => (pattern.startsWith('*') ? name.endsWith(pattern.slice(1)) : name === pattern));
  const sources = paths.slice(0, -1);
  const names = sources.includes('.') ? await readdir(PROJECT) : sources;
  for (const name of names.filter((each) => !isIgnored(each)))
    await cp(join(PROJECT, name), join(folder, basename(name)), { recursive: true });
}

/** Links or copies a `node_modules` into a folder. */
export async function linkPackages(packages: string, folder: string): Promise<void> {
  const to = join(folder, 'node_modules');
  const from = await realpath(packages);
  // Links do not reach another file system.
  await command('cp', ['-al', from, to], folder).catch(async () => {
    await rm(to, { recursive: true, force: true });
    await command('cp', ['-a', from, to], folder);
  });
  // npm writes its list of the installed packages in place, and so also into the folder that the links lead to.
  await rm(join(to, '.package-lock.json'), { force: true });
  await rm(join(to, '.cache'), { recursive: true, force: true });
}

const run = (text: string, folder: string, { isOffline }: { isOffline: boolean }): Promise<void> =>
  command('sh', ['-c', text], folder, isOffline ? { npm_config_offline: 'true' } : {});

/** Like a container, a step sees neither NODE_ENV nor what an outer npm tells its programs. */
function command(
  file: string,
  args: readonly string[],
  cwd: string,
  more: NodeJS.ProcessEnv = {},
): Promise<void> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|INIT_CWD)/.test(name));
  const env = { ...Object.fromEntries(kept), npm_config_audit: 'false', npm_config_fund: 'false', ...more };
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`The step \`${[file, ...args].join(' ')}\` ended with ${code}:\n${output}`));
    });
  });
}

/** Folders and files; files of packages, which may be linked, only by their folders. */
async function makeReadOnly(folder: string): Promise<void> {
  await eachFolder(folder, async (path) => {
    const isOfPackages = path.slice(folder.length).startsWith('/node_modules');
    for (const entry of isOfPackages ? [] : await readdir(path, { withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(path, entry.name);
      await chmod(file, ((await stat(file)).mode & 0o555) | 0o444);
    }
    await chmod(path, 0o555);
  });
}

/** @param options `first`: before the folders in it, else after them */
async function eachFolder(
  folder: string,
  change: (path: string) => Promise<void>,
  { first = false }: { first?: boolean } = {},
): Promise<void> {
  if (first) await change(folder);
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await eachFolder(join(folder, entry.name), change, { first });
  if (!first) await change(folder);
}
