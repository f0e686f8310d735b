import { readFile } from 'node:fs/promises';
import { sceneConfigSchema } from '../../src/vision/scene-config.ts';
import type { SceneConfig } from '../../src/vision/types.ts';

const EXAMPLE =
  '{ "zones": { "queueZone": { "type": "polygon", "points": [[0.1,0.5],[0.5,0.5],[0.5,1]] } } }';

/**
 * Reads `{ "zones": …, "parameters": … }` as in the API.
 * @throws Error with one sentence that says what to do
 */
export async function readScene(path: string): Promise<SceneConfig> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code})`;
    throw new Error(`The scene file ${path} ${reason}; give a JSON file like ${EXAMPLE}.`);
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(
      `The scene file ${path} is not JSON (${(error as Error).message}); write it like ${EXAMPLE}.`,
    );
  }
  const result = sceneConfigSchema.safeParse(value);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path: at, message }) =>
    at.length > 0 ? `${at.join('.')}: ${message}` : message,
  );
  throw new Error(`The scene file ${path} cannot be used: ${faults.join('; ')}.`);
}
