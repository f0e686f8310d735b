import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AttributeCard } from './attribute-card.ts';
import type { SourceBytes } from './convert/build-model.ts';
import { buildNetwork } from './convert/build-network.ts';
import { type ModelPlace, prepare, readSource, sha256, writeWhole } from './model-store.ts';

export type NetworkPlace = Omit<ModelPlace, 'model'>;

/** The prepared graph of a card, out of the cache or made. @throws one sentence saying what to do */
export async function prepareNetwork(card: AttributeCard, place: NetworkPlace): Promise<Uint8Array> {
  const given = card.source.kind === 'given' ? await readGiven(card, place.cacheDir) : null;
  return prepare(place, {
    name: card.name,
    madeFrom: [card, given && sha256(given.model)],
    source: () => sourceOf(card, given, place),
    build: (source) => buildNetwork(card, source),
  });
}

async function sourceOf(
  { name, source }: AttributeCard,
  given: SourceBytes | null,
  place: NetworkPlace,
): Promise<SourceBytes> {
  if (given) return given;
  if (source.kind === 'given') throw new Error(`The file of the model ${name} is missing.`);
  return readSource({ name, source }, place);
}

const givenPrefix = (name: string) => `given-${name}-`;

/** The file of a given model that is in the cache; null when there is none. */
export async function findGiven(name: string, cacheDir: string): Promise<string | null> {
  const folder = join(cacheDir, 'sources');
  const files = await readdir(folder).catch(() => []);
  const found = files.find((file) => file.startsWith(givenPrefix(name)) && file.endsWith('.onnx'));
  return found ? join(folder, found) : null;
}

/** Keeps the bytes of a given model under a name that tells their sha256. */
export async function keepGiven(name: string, bytes: Uint8Array, cacheDir: string): Promise<string> {
  const file = join(cacheDir, 'sources', `${givenPrefix(name)}${sha256(bytes)}.onnx`);
  await writeWhole(file, bytes);
  return file;
}

/** @throws one sentence when it is missing or damaged */
export async function readGiven(
  { name, obtain }: Pick<AttributeCard, 'name' | 'obtain'>,
  cacheDir: string,
): Promise<{ kind: 'onnx'; model: Uint8Array }> {
  const file = await findGiven(name, cacheDir);
  if (!file) {
    throw new Error(
      `The file of the attribute model ${name} was not given yet: \`npm run models -- pull ${name} --from FILE\`. ${obtain}`,
    );
  }
  const model = await readFile(file);
  if (!file.endsWith(`-${sha256(model)}.onnx`)) {
    throw new Error(
      `The model file ${file} is damaged: \`npm run models -- pull ${name} --from FILE\` again.`,
    );
  }
  return { kind: 'onnx', model };
}
