import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/**
 * What `npm ci && npm run build && npm prune --omit=dev` leaves, in a folder of its own that nobody may write to. It
 * is built without the type check, which `npm test` does anyway.
 * @returns the folder; give it to `removeBuiltTree`
 */
export async function buildTree(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'built-'));
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(ROOT, '.config/tsconfig.build.json'),
      compilerOptions: {
        rootDir: ROOT,
        outDir: join(folder, 'dist'),
        sourceMap: false,
        noCheck: true,
        types: [],
      },
      include: [join(ROOT, 'src')],
    }),
  );
  await run(process.execPath, [join(ROOT, 'node_modules/typescript-7/bin/tsc'), '-p', folder]);
  await run(process.execPath, [join(ROOT, 'scripts/build/open-binaries.mjs')]);
  for (const name of ['package.json', 'models', 'prisma', '.config', 'scripts']) {
    await cp(join(ROOT, name), join(folder, name), { recursive: true });
  }
  // `npm test` builds it before.
  await cp(join(ROOT, 'dist/web'), join(folder, 'dist/web'), { recursive: true });
  await linkProductionPackages(join(folder, 'node_modules'));
  await setModes(folder, { folders: 0o555, files: 0o555 });
  return folder;
}

export async function removeBuiltTree(folder: string): Promise<void> {
  await setModes(folder, { folders: 0o755, files: 0o644 });
  await rm(folder, { recursive: true });
}

/** The packages that `npm prune --omit=dev` keeps. */
async function linkProductionPackages(folder: string): Promise<void> {
  const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  for (const [path, { dev }] of Object.entries(packages)) {
    const [, name, nested] = path.split(/(?:^|\/)node_modules\//);
    if (!name || nested || dev) continue;
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await symlink(join(ROOT, 'node_modules', name), join(folder, name));
  }
}

async function setModes(folder: string, modes: { folders: number; files: number }): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await setModes(path, modes);
    else if (entry.isFile()) await chmod(path, modes.files);
  }
  await chmod(folder, modes.folders);
}
