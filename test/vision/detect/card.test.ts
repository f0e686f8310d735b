import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { DEFAULT_MODEL, listModels, readCard } from '../../../src/vision/detect/card.ts';

const MODELS_DIR = new URL('../../../models', import.meta.url).pathname;

test('every card of the project is right, and the default is among them', async () => {
  const names = await listModels(MODELS_DIR);
  expect(names).toContain(DEFAULT_MODEL);
  for (const name of names) expect((await readCard(MODELS_DIR, name)).name).toBe(name);
});

describe('a card that cannot be used', () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'cards-'));
    const card = JSON.parse(await readFile(join(MODELS_DIR, 'yolox-nano.json'), 'utf8'));
    const write = (name: string, change: object) =>
      writeFile(join(dir, `${name}.json`), JSON.stringify({ ...card, name, ...change }));
    await write('field', { nmsIou: 7 });
    await write('other', { name: 'somebody' });
    await writeFile(join(dir, 'text.json'), 'hello');
  });

  test.each([
    ['unknown', /no model "unknown"; known are field, other, text/],
    ['field', /field\.json is faulty at "nmsIou"/],
    ['other', /names itself "somebody"/],
    ['text', /is not JSON/],
    ['../secret', /no model/],
  ])('%s', async (name, sentence) => {
    await expect(readCard(dir, name)).rejects.toThrow(sentence);
  });

  test('a folder without cards', async () => {
    await expect(listModels(join(dir, 'nowhere'))).rejects.toThrow(/No model cards in .*nowhere/);
  });
});
