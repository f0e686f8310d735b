import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { slimPackages } from '../../../scripts/image/slim-packages.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slim-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function write(file: string, content: object | string = ''): Promise<void> {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(
    join(folder, file),
    typeof content === 'string' ? content : JSON.stringify({ name: dirname(file), ...content }),
  );
}

const left = async (): Promise<string[]> =>
  (await readdir(join(folder, 'node_modules'), { recursive: true, withFileTypes: true }))
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + '/node_modules/'.length))
    .sort();

test('packages that only an unneeded dependency brings go, with their commands and the list of npm; shared ones stay', async () => {
  await write('package.json', { dependencies: { cli: '1', server: '1' } });
  await write('node_modules/server/package.json', { dependencies: { shared: '1', '@scope/deep': '1' } });
  await write('node_modules/server/node_modules/shared/package.json', { dependencies: { nested: '1' } });
  await write('node_modules/nested/package.json', {});
  await write('node_modules/@scope/deep/package.json', {
    peerDependencies: { host: '1', types: '1' },
    peerDependenciesMeta: { types: { optional: true } },
    optionalDependencies: { missing: '1' },
  });
  await write('node_modules/host/package.json', {});
  await write('node_modules/types/package.json', {});
  await write('node_modules/cli/package.json', { dependencies: { studio: '1', shared: '1' } });
  await write('node_modules/studio/package.json', { dependencies: { react: '1' } });
  await write('node_modules/studio/studio.js');
  await write('node_modules/react/package.json', {});
  await write('node_modules/shared/package.json', {});
  await write('node_modules/@alone/only/package.json', {});
  await write('node_modules/.package-lock.json', '{}');
  await mkdir(join(folder, 'node_modules/.bin'));
  await symlink('../studio/studio.js', join(folder, 'node_modules/.bin/studio'));
  await symlink('../cli/package.json', join(folder, 'node_modules/.bin/cli'));

  await slimPackages(folder, { dependencies: { cli: ['studio'] }, files: {} });
  expect(await left()).toEqual(
    [
      ...['.bin/cli', '@scope/deep/package.json', 'cli/package.json', 'host/package.json'],
      ...['nested/package.json', 'server/node_modules/shared/package.json', 'server/package.json'],
      'shared/package.json',
    ].sort(),
  );
  expect(await readdir(join(folder, 'node_modules'))).not.toContain('@alone');
});

test('files of a package go by their path, and folders whole', async () => {
  await write('package.json', { dependencies: { runtime: '1' } });
  await write('node_modules/runtime/package.json', {});
  for (const file of ['bin/linux/x64/a.so', 'bin/win32/x64/a.dll', 'bin/darwin/arm64/deep/a.dylib'])
    await write(`node_modules/runtime/${file}`);
  await slimPackages(folder, {
    dependencies: {},
    files: { runtime: /^bin\/(?!linux)\w+\/\w+$/ },
  });
  expect(await left()).toEqual(['runtime/bin/linux/x64/a.so', 'runtime/package.json']);
});

test('a folder without package.json or packages is refused with one sentence, and nothing is removed', async () => {
  await expect(slimPackages(folder)).rejects.toThrow(`${folder} has no package.json`);
  await write('package.json', { dependencies: { gone: '1' } });
  await expect(slimPackages(folder)).rejects.toThrow('The package gone is not installed');
});
