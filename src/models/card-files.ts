import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AttributeCard, AttributeCardSchema } from './attribute-card.ts';

const folderOf = (modelsDir: string) => join(modelsDir, 'attributes');

/** Names of all attribute cards, sorted. */
export async function listNetworks(modelsDir: string): Promise<string[]> {
  const files = await readdir(folderOf(modelsDir)).catch(() => []);
  const names = files.filter((file) => file.endsWith('.json'));
  return names.map((file) => file.slice(0, -'.json'.length)).sort();
}

/** @throws one sentence when there is no such card or it is faulty (it names the field) */
export async function readNetworkCard(modelsDir: string, name: string): Promise<AttributeCard> {
  const file = join(folderOf(modelsDir), `${name}.json`);
  const text = await readFile(file, 'utf8').catch(async () => {
    const known = (await listNetworks(modelsDir)).join(', ');
    throw new Error(`There is no attribute model "${name}"; known are embedded, ${known}.`);
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error(`The model card ${file} is not JSON: correct it.`);
  }
  const parsed = AttributeCardSchema.safeParse(json);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    throw new Error(`The model card ${file} is faulty at "${path.join('.')}": ${message}.`);
  }
  return parsed.data;
}
