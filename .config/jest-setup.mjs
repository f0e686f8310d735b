// Once before all tests: our code as JavaScript, which test files import and start (jest-loader.mjs), and the models.
import { prepareEmbedded } from '../models/first-start.mjs';
import { buildTree } from '../scripts/build/build-tree.mjs';

export default async function setup() {
  if (!process.env.TEST_RUN)
    throw new Error('Run the tests with `npm test`, or `npm test -- PATH` for some of them.');
  process.env.TEST_TREE = await buildTree();
  if (!prepareEmbedded()) throw new Error('The models could not be prepared: see above.');
}
