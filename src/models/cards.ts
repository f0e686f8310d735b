import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { EMBEDDED } from '../vision/attributes/attribute-model.ts';
import { type AttributeCard, AttributeCardSchema } from './attribute-card.ts';
import { type DetectorCard, DetectorCardSchema } from './detector-card.ts';

/** The detector that needs no download: its files come from npm and are prepared on the user's machine. */
export const DEFAULT_MODEL = 'nanodet-g-int8';

export type ModelCard = DetectorCard | AttributeCard;

/** @returns one sentence; null for a model that may be used for anything */
export const restrictionOf = ({ name, usage, licence }: Pick<ModelCard, 'name' | 'usage' | 'licence'>) =>
  usage === 'any'
    ? null
    : `The model ${name} is for research only (${licence}): do not use it in a product or service.`;

const attributesDir = (modelsDir: string) => join(modelsDir, 'attributes');

/** Names of all detectors, sorted. @throws Error with one sentence where the folder holds no cards */
export async function listDetectors(modelsDir: string): Promise<string[]> {
  const names = await namesIn(modelsDir);
  if (names) return names;
  throw new Error(
    `No model cards in ${modelsDir}: point at the folder that holds them (models/ of this project).`,
  );
}

/** Names of all attribute networks, sorted. */
const listAttributeNetworks = async (modelsDir: string): Promise<string[]> =>
  (await namesIn(attributesDir(modelsDir))) ?? [];

async function namesIn(folder: string): Promise<string[] | null> {
  const files = await readdir(folder).catch(() => null);
  const cards = files?.filter((file) => file.endsWith('.json') && !file.endsWith('.ranges.json'));
  return cards?.map((file) => file.slice(0, -'.json'.length)).sort() ?? null;
}

/** @throws Error with one sentence: there is no such card (lists the names), or it is faulty (names the field) */
export async function readDetectorCard(modelsDir: string, name: string): Promise<DetectorCard> {
  const known = await listDetectors(modelsDir);
  if (!known.includes(name)) throw new Error(`There is no model "${name}"; known are ${known.join(', ')}.`);
  return readCardFile(modelsDir, name, DetectorCardSchema);
}

/** @throws Error with one sentence, as `readDetectorCard` */
export async function readAttributeCard(modelsDir: string, name: string): Promise<AttributeCard> {
  const known = await listAttributeNetworks(modelsDir);
  if (known.includes(name)) return readCardFile(attributesDir(modelsDir), name, AttributeCardSchema);
  throw new Error(`There is no attribute model "${name}"; known are ${[EMBEDDED, ...known].join(', ')}.`);
}

/** The card of a detector or attribute network. @throws Error with one sentence when there is none */
export async function readCard(modelsDir: string, name: string): Promise<ModelCard> {
  const isAttributeNetwork = (await listAttributeNetworks(modelsDir)).includes(name);
  return isAttributeNetwork ? readAttributeCard(modelsDir, name) : readDetectorCard(modelsDir, name);
}

/** The cards of all detectors, then those of all attribute networks. */
export async function readAllCards(modelsDir: string): Promise<ModelCard[]> {
  const names = [...(await listDetectors(modelsDir)), ...(await listAttributeNetworks(modelsDir))];
  return Promise.all(names.map((name) => readCard(modelsDir, name)));
}

async function readCardFile<T extends { readonly name: string }>(
  folder: string,
  name: string,
  schema: z.ZodType<T>,
): Promise<T> {
  const file = join(folder, `${name}.json`);
  const text = await readFile(file, 'utf8');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error(`The model card ${file} is not JSON: correct it.`);
  }
  const parsed = schema.safeParse(json);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    throw new Error(`The model card ${file} is faulty at "${path.join('.')}": ${message}.`);
  }
  if (parsed.data.name !== name)
    throw new Error(`The model card ${file} names itself "${parsed.data.name}".`);
  return parsed.data;
}
