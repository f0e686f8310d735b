import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { measureInProcess } from '../../../src/models/choice/measuring-process.ts';
import { childEnvironment } from '../../../src/platform/processes/child-environment.ts';

/** The environment of a process that sees one graphics card, which SwiftShader emulates. */
export type Emulated = { readonly env: NodeJS.ProcessEnv } | { readonly reason: string };

/** SwiftShader, a Vulkan driver that computes on the CPU, out of the files of the Chromium of the page tests. */
export async function swiftshader(): Promise<Emulated> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { reason: 'it is built for Linux on x64' };
  const folder = unpacked();
  if (folder === null) return { reason: '@sparticuz/chromium has no SwiftShader' };
  const VK_DRIVER_FILES = join(folder, 'vk_swiftshader_icd.json');
  const nothing = { detectors: [], cropNetworks: [], modelsDir: folder, cacheDir: folder, threads: 1 };
  let reason = '';
  // A machine without a Vulkan loader uses that of Chromium.
  for (const loader of [{}, { LD_LIBRARY_PATH: folder }]) {
    const env = { ...childEnvironment(), ...loader, VK_DRIVER_FILES };
    const opened = await measureInProcess(
      { executionProvider: 'webgpu', ...nothing },
      { allowEmulated: true, env },
    );
    if (!('reason' in opened)) return { env };
    reason = opened.reason;
  }
  return { reason };
}

function unpacked(): string | null {
  const bin = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..', '..', 'bin');
  const archive = join(bin, 'swiftshader.tar.br');
  if (!existsSync(archive)) return null;
  const folder = join(tmpdir(), 'video-analytics-swiftshader');
  if (existsSync(folder)) return folder;
  mkdirSync(tmpdir(), { recursive: true });
  const partial = mkdtempSync(`${folder}-`);
  const { status } = spawnSync('tar', ['-x', '-C', partial], {
    input: brotliDecompressSync(readFileSync(archive)),
  });
  if (status !== 0) return null;
  try {
    renameSync(partial, folder);
  } catch {
    // Another test was first.
  }
  return folder;
}
