import { sceneConfigSchema } from '../../src/vision/scene-config.ts';
import type { SceneConfig } from '../../src/vision/types.ts';
import { readJson } from '../support/read-json.ts';

const EXAMPLE =
  '{ "zones": { "queueZone": { "type": "polygon", "points": [[0.1,0.5],[0.5,0.5],[0.5,1]] } } }';

/**
 * Reads `{ "zones": …, "parameters": … }` as in the API.
 * @throws Error with one sentence that says what to do
 */
export const readScene = (path: string): Promise<SceneConfig> =>
  readJson(path, sceneConfigSchema, { name: 'scene file', advice: `give a JSON file like ${EXAMPLE}` });
