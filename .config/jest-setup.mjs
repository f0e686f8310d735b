// Once before all tests: our code as JavaScript, which test files import and start (jest-loader.mjs), and the models.
import { buildTree } from '../scripts/build/build-tree.mjs';

/** Converts the models that lanes use by default, where that was not done on this machine: else each worker would. */
async function convertModels(/** @type {string} */ tree) {
  const { loadConfig } = await import(`${tree}/src/platform/config.js`);
  const { DEFAULT_MODEL, readDetectorCard } = await import(`${tree}/src/models/cards.js`);
  const { cardsOfSizes } = await import(`${tree}/src/models/detector-card.js`);
  const { convertMissing } = await import(`${tree}/src/models/model-store.js`);
  const { cardsOfNetworks } = await import(`${tree}/src/models/load-attribute-models.js`);
  const { modelsDir, modelCacheDir: cacheDir, attributeModels } = loadConfig({});
  const sizes = cardsOfSizes(await readDetectorCard(modelsDir, DEFAULT_MODEL));
  await convertMissing([...sizes, ...(await cardsOfNetworks(attributeModels, modelsDir))], {
    modelsDir,
    cacheDir,
  });
}

export default async function setup({ testPathPatterns }) {
  if (!process.env.TEST_RUN)
    throw new Error('Run the tests with `npm test`, or `npm test -- PATH` for some of them.');
  process.env.TEST_TREE = await buildTree();
  // A single file may need no model.
  if (testPathPatterns.patterns.length === 0) await convertModels(process.env.TEST_TREE);
}
