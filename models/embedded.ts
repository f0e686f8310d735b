// Makes the models that come with npm packages ready: a part of `npm run build`, and of the first start (first-start.mjs).
import { MODELS_DIR } from '../src/platform/config.ts';
import { BUILT_MODELS_DIR } from '../src/platform/project.ts';
import { embeddedCards, prepareModels, toStandardError } from './prepare.ts';

const folders = { modelsDir: MODELS_DIR, cacheDir: BUILT_MODELS_DIR };
await prepareModels(await embeddedCards(MODELS_DIR), folders, toStandardError);
