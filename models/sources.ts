import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ModelCard } from '../src/models/cards.ts';
import {
  findGiven,
  type ModelFolders,
  pulledFile,
  sha256,
  sha256OfGiven,
} from '../src/models/model-sources.ts';
import type { SourceBytes } from './convert/build-model.ts';

/** The verified bytes of a card's source. @throws Error with one sentence that says how to get them */
export async function readSource(
  card: Pick<ModelCard, 'name' | 'source'> & { readonly obtain?: string | undefined },
  { modelsDir, cacheDir }: ModelFolders,
): Promise<SourceBytes> {
  const { name, source } = card;
  const pull = `run \`npm run models -- pull ${name}\`.`;
  if (source.kind === 'given') return { kind: 'onnx', model: await readGiven(card, cacheDir) };
  if (source.kind === 'url')
    return { kind: 'onnx', model: await readVerified(pulledFile(cacheDir, source.sha256), source, pull) };
  if (source.kind === 'file') {
    const file = join(modelsDir, source.path);
    return { kind: 'onnx', model: await readVerified(file, source, 'put the file its card names there.') };
  }
  const again = `run \`npm ci\` to install ${source.package} anew.`;
  const folder = dirname(packageManifest(source.package, again));
  const read = (file: { path: string; sha256: string; bytes: number }) =>
    readVerified(join(folder, file.path), file, again);
  return { kind: 'tfjs', topology: await read(source.topology), weights: await read(source.weights) };
}

async function readGiven(
  { name, obtain = '' }: { readonly name: string; readonly obtain?: string | undefined },
  cacheDir: string,
): Promise<Uint8Array> {
  const file = await findGiven(name, cacheDir);
  const pull = `\`npm run models -- pull ${name} --from FILE\``;
  if (!file) throw new Error(`The file of the model ${name} was not given yet: ${pull}. ${obtain}`.trimEnd());
  const model = await readFile(file);
  if (sha256OfGiven(file) === sha256(model)) return model;
  throw new Error(`The model file ${file} is damaged: ${pull} again.`);
}

/** Whether the package of a source is there. A pruned installation has only what `npm run build` made of it. */
export function hasPackage(name: string): boolean {
  try {
    return packageManifest(name, '') !== '';
  } catch {
    return false;
  }
}

function packageManifest(name: string, again: string): string {
  try {
    return createRequire(import.meta.url).resolve(`${name}/package.json`);
  } catch {
    throw new Error(`The npm package ${name} is not installed: ${again}`);
  }
}

/** Reads a file and verifies that it is the one of the card. @param again what to do where it is not */
async function readVerified(
  file: string,
  expected: { readonly sha256: string; readonly bytes: number },
  again: string,
): Promise<Uint8Array> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`The model file ${file} cannot be read (${error.code}): ${again}`);
  });
  if (bytes.length < expected.bytes) {
    throw new Error(
      `The model file ${file} is cut short (${bytes.length} of ${expected.bytes} bytes): ${again}`,
    );
  }
  const found = sha256(bytes);
  if (found !== expected.sha256) {
    throw new Error(`The model file ${file} is not the one its card names (sha256 ${found}): ${again}`);
  }
  return bytes;
}
