import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The model cards of this project. */
export const MODELS_DIR = join(root, 'models');
/** Where prepared and pulled models are kept unless MODEL_CACHE_DIR says otherwise. */
export const CACHE_DIR = join(root, '.data', 'models');
