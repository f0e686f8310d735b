import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { DEFAULT_MODEL, readAllCards, restrictionOf } from '../../../src/models/cards.ts';
import { requireUsableModels } from '../../../src/models/usable-models.ts';
import { MODELS_DIR } from '../../../src/platform/config.ts';
import { runCommand } from '../../support/command.ts';

const cacheDir = mkdtempSync(join(tmpdir(), 'research-'));
afterAll(() => rmSync(cacheDir, { recursive: true, force: true }));

const models = (environment: Record<string, string>, ...words: string[]) =>
  runCommand('models', words, { PATH: process.env.PATH, MODEL_CACHE_DIR: cacheDir, ...environment });
const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'http://localhost',
  ENCRYPTION_KEYS: `a:${Buffer.alloc(32).toString('base64')}`,
  URL_SIGNING_KEY: 'a key for tests that is long enough',
};

test('cards mark models for research, and no default model is one', async () => {
  const cards = await readAllCards(MODELS_DIR);
  const restricted = cards.filter((card) => restrictionOf(card) !== null);
  expect(restricted.map(({ name }) => name)).toEqual(['pa100k-26']);
  for (const { licence, usage } of cards)
    expect([licence, usage]).toEqual([licence, /research/.test(licence) ? 'research' : 'any']);
});

test('production refuses models for research, unless the operator allows them', async () => {
  const places = { model: DEFAULT_MODEL, modelsDir: MODELS_DIR };
  const named = { ...places, attributeModels: ['embedded', 'pa100k-26'] };
  const use = (nodeEnv: string, allowResearchModels = false) => ({ nodeEnv, allowResearchModels });
  await expect(requireUsableModels(named, use('production'))).rejects.toThrow(
    /pa100k-26 is for research only .*ALLOW_RESEARCH_MODELS=true/,
  );
  await requireUsableModels(named, use('production', true));
  await requireUsableModels(named, use('development'));
  await requireUsableModels({ ...places, attributeModels: ['embedded'] }, use('production'));
});

test('list and pull warn about models for research on standard error', async () => {
  const list = await models({}, 'list', '--json');
  expect(JSON.parse(list.stdout).models).toContainEqual(
    expect.objectContaining({ name: 'pa100k-26', usage: 'research' }),
  );
  expect(list.stderr).toMatch(/^Warning: The model pa100k-26 is for research only/m);
  const pull = await models({}, 'pull', 'pa100k-26', '--from', '/nowhere.onnx');
  expect([pull.code, pull.stderr]).toEqual([
    1,
    expect.stringMatching(/Warning: .*research only[\s\S]*no file \/nowhere/),
  ]);
  const refused = await models(PRODUCTION, 'pull', 'pa100k-26', '--from', '/nowhere.onnx');
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('ALLOW_RESEARCH_MODELS=true')]);
  expect(refused.stderr).not.toContain('/nowhere');
});
