import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, release } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { childEnvironment } from '../../platform/processes/child-environment.ts';

/** Where the Vulkan loader looks for the manifests of drivers. */
const FOLDERS = ['/etc/xdg', '/etc', '/usr/local/share', '/usr/share'].map((at) => `${at}/vulkan/icd.d`);
const USER_FOLDERS = ['.local/share/vulkan/icd.d', '.config/vulkan/icd.d'];

/**
 * A text that changes when a graphics driver is installed, updated or removed, found without opening one; null when there
 * is no driver. On Linux: the manifests of Vulkan drivers with the sizes and times of their libraries. Elsewhere drivers come
 * with the system, so it is the release of the system.
 */
export function graphicsDrivers(env = childEnvironment()): string | null {
  const system = `${process.platform} ${release()}`;
  if (process.platform !== 'linux') return system;
  const drivers = manifestsOf(env).flatMap((file) => describeManifest(file) ?? []);
  if (drivers.length === 0) return null;
  return createHash('sha256')
    .update([system, ...drivers].join('\n'))
    .digest('hex')
    .slice(0, 16);
}

/** Drivers that emulate a graphics card on the processor, by the names of their manifests. */
const EMULATED = /lvp|lavapipe|llvmpipe|swiftshader/i;
/** Cards of NVIDIA without the kernel's own interface, and the card of the host in WSL 2. */
const OTHER_CARDS = /^(nvidia\d+|dxg)$/;

/**
 * Whether a driver may reach a graphics card: not where each driver is an emulation by its name, nor where Linux has no card, because a
 * distribution installs the drivers of all vendors and an emulation together. An emulation would take a minute to be measured, and lose.
 * @param devices folder of the devices
 */
export function mayHaveGraphicsCard(env = childEnvironment(), devices = '/dev'): boolean {
  if (process.platform !== 'linux') return true;
  const drivers = manifestsOf(env).filter((file) => describeManifest(file) !== null);
  return drivers.some((file) => !EMULATED.test(basename(file))) && hasCard(devices);
}

function hasCard(devices: string): boolean {
  return (
    namesIn(join(devices, 'dri')).some((name) => name.startsWith('renderD')) ||
    namesIn(devices).some((name) => OTHER_CARDS.test(name))
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const manifestsOf = (env: NodeJS.ProcessEnv): string[] =>
  namedManifests(env) ?? [...FOLDERS, ...USER_FOLDERS.map((at) => join(homedir(), at))].flatMap(manifestsIn);

/** The manifests that variables of the loader name; null when no variable is set. */
function namedManifests({ VK_DRIVER_FILES, VK_ICD_FILENAMES }: NodeJS.ProcessEnv): string[] | null {
  const named = VK_DRIVER_FILES || VK_ICD_FILENAMES;
  return named ? named.split(delimiter).filter(Boolean) : null;
}

const manifestsIn = (folder: string): string[] =>
  namesIn(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => join(folder, file));

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
