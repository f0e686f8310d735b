import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, release } from 'node:os';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { childEnvironment } from '../../platform/processes/child-environment.ts';

/** Where the Vulkan loader looks for the manifests of drivers. */
const FOLDERS = ['/etc/vulkan/icd.d', '/usr/local/share/vulkan/icd.d', '/usr/share/vulkan/icd.d'];
const USER_FOLDERS = ['.local/share/vulkan/icd.d', '.config/vulkan/icd.d'];

/**
 * A text that changes when a graphics driver is installed, updated or removed, found without opening one; null when there
 * is no driver. On Linux: the manifests of Vulkan drivers with the sizes and times of their libraries. Elsewhere drivers come
 * with the system, so it is the release of the system.
 */
export function graphicsDrivers(env = childEnvironment()): string | null {
  const system = `${process.platform} ${release()}`;
  if (process.platform !== 'linux') return system;
  const manifests =
    namedManifests(env) ??
    [...FOLDERS, ...USER_FOLDERS.map((at) => join(homedir(), at))].flatMap(manifestsIn);
  const drivers = manifests.flatMap((file) => describeManifest(file) ?? []);
  if (drivers.length === 0) return null;
  return createHash('sha256')
    .update([system, ...drivers].join('\n'))
    .digest('hex')
    .slice(0, 16);
}

/** The manifests that variables of the loader name; null when no variable is set. */
function namedManifests({ VK_DRIVER_FILES, VK_ICD_FILENAMES }: NodeJS.ProcessEnv): string[] | null {
  const named = VK_DRIVER_FILES || VK_ICD_FILENAMES;
  return named ? named.split(delimiter).filter(Boolean) : null;
}

function manifestsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .sort()
      .map((file) => join(folder, file));
  } catch {
    return [];
  }
}

/** @returns null when it is no manifest */
function describeManifest(file: string): string | null {
  try {
    const text = readFileSync(file, 'utf8');
    const library = (JSON.parse(text) as { ICD?: { library_path?: unknown } }).ICD?.library_path;
    if (typeof library !== 'string') return null;
    return [
      file,
      text,
      isAbsolute(library) || library.startsWith('.') ? describeLibrary(file, library) : '',
    ].join(' ');
  } catch {
    return null;
  }
}

function describeLibrary(manifest: string, library: string): string {
  const path = isAbsolute(library) ? library : join(dirname(manifest), library);
  if (!existsSync(path)) return 'missing';
  const { size, mtimeMs } = statSync(realpathSync(path));
  return `${size} ${mtimeMs}`;
}

/** Whether the CUDA libraries of ONNX Runtime were installed. */
export function hasCudaLibraries(): boolean {
  const package_ = createRequire(import.meta.url).resolve('onnxruntime-node/package.json');
  const folder = join(dirname(package_), 'bin', 'napi-v6', process.platform, process.arch);
  return existsSync(join(folder, 'libonnxruntime_providers_cuda.so'));
}
