import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Acceptance, acceptFile } from '../../../scripts/models/accept.ts';
import { giveModel } from '../../../scripts/models/give.ts';
import { digest } from '../../../scripts/support/options.ts';
import { readDetectorCard } from '../../../src/models/cards.ts';
import { loadDetector } from '../../../src/models/load-detector.ts';
import { sha256 } from '../../../src/models/model-sources.ts';
import { MODELS_DIR } from '../../../src/platform/config.ts';
import { nodeArguments } from '../../../src/platform/processes/program-file.ts';
import { tinyYolox } from '../../support/networks/tiny-yolox.ts';

const model = tinyYolox();
const right = sha256(model);
let dir: string;
let from: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'give-'));
  from = join(dir, 'tiny.onnx');
  await writeFile(from, model);
});
afterAll(() => rm(dir, { recursive: true }));

/** A detector whose card has no sha256, in folders of its own. */
async function place() {
  const card = await readDetectorCard(MODELS_DIR, 'yolox-nano');
  const cacheDir = await mkdtemp(join(dir, 'cache-'));
  const modelsDir = await mkdtemp(join(dir, 'cards-'));
  const changed = {
    ...card,
    name: 'tiny',
    input: { ...card.input, width: 32, height: 32 },
    decoder: { kind: 'yolox' as const, strides: [32] },
    source: { kind: 'given' as const, format: 'onnx' as const },
    obtain: 'Make one.',
  };
  await writeFile(join(modelsDir, 'tiny.json'), JSON.stringify(changed));
  return { card: await readDetectorCard(modelsDir, 'tiny'), modelsDir, cacheDir };
}

async function give(acceptance: Partial<Acceptance>, file = from) {
  const said: string[] = [];
  const where = await place();
  const accept = (given: Parameters<typeof acceptFile>[0]) =>
    acceptFile(given, { ask: null, ...acceptance }, (sentence) => said.push(sentence));
  const given = giveModel({ ...where, from: file, accept });
  return { where, said, given };
}

test.each<[string, Partial<Acceptance>]>([
  ['its sha256', { accept: right }],
  ['--yes', { yes: true }],
  ['the answer yes', { ask: async () => ' Yes ' }],
])('a file without a published sha256 is taken with %s, and runs', async (_, acceptance) => {
  const { where, said, given } = await give(acceptance);
  expect(await given).toMatchObject({ bytes: model.length, sha256: right });
  expect(said).toEqual([
    `${from}: ${model.length} bytes, sha256 ${right}. The card of tiny has no sha256 to compare it with.`,
  ]);
  const detector = await loadDetector({ model: 'tiny', ...where });
  expect(detector.inputWidth).toBe(32);
  await detector.dispose();
});

describe('a file that is not taken leaves nothing', () => {
  test.each<[string, Partial<Acceptance>, RegExp]>([
    ['without anybody to ask', {}, new RegExp(`then give --accept ${right}: nothing was kept`)],
    [
      'with the sha256 of another one',
      { accept: '0'.repeat(64) },
      /has another sha256 than --accept \(0{64}\)/,
    ],
    ['with another sha256 and --yes', { accept: '0'.repeat(64), yes: true }, /has another sha256/],
    ['with no answer', { ask: async () => '' }, /^Not accepted/],
    ['with the answer no', { ask: async () => 'n' }, /^Not accepted/],
  ])('%s', async (_, acceptance, sentence) => {
    const { where, given } = await give(acceptance);
    await expect(given).rejects.toThrow(sentence);
    expect(await readdir(where.cacheDir)).toEqual([]);
  });

  test.each<[string, () => Uint8Array, RegExp]>([
    ['empty', () => new Uint8Array(), /is not the network its card describes/],
    [
      'cut short',
      () => model.subarray(0, model.length - 40),
      /is not the network its card describes|does not open/,
    ],
    ['text', () => Buffer.from('<html>404</html>'), /is not the network its card describes/],
    ['of another input', () => tinyYolox(64), /is not the network its card describes/],
  ])('accepted, but %s', async (name, bytes, sentence) => {
    const file = join(dir, `${name.replaceAll(' ', '-')}.onnx`);
    await writeFile(file, bytes());
    const { where, given } = await give({ yes: true }, file);
    await expect(given).rejects.toThrow(sentence);
    expect(await readdir(where.cacheDir)).toEqual([]);
  });

  test('a folder, and no file at all', async () => {
    for (const file of [dir, join(dir, 'nothing')]) {
      await expect((await give({ yes: true }, file)).given).rejects.toThrow(/There is no file /);
    }
  });
});

test('a file that is refused does not replace the one before', async () => {
  const { where, given } = await give({ yes: true });
  await given;
  const accept = async () => undefined;
  const wrong = join(dir, 'wrong.onnx');
  await writeFile(wrong, 'no network');
  await expect(giveModel({ ...where, from: wrong, accept })).rejects.toThrow(/is not the network/);
  expect(await readFile(join(where.cacheDir, 'sources', `given-tiny-${right}.onnx`))).toEqual(
    Buffer.from(model),
  );
});

test('a sha256 of the command line is read in the usual forms', () => {
  expect([right, right.toUpperCase(), ` sha256:${right} `].map(digest)).toEqual([right, right, right]);
  for (const wrong of ['', 'abc', `${right}0`, `md5:${right}`])
    expect(() => digest(wrong)).toThrow(/64 hexadecimal digits/);
});

test('the command without a terminal names the sha256 and keeps nothing', async () => {
  const args = [...nodeArguments('scripts/models.ts'), 'pull', 'person-attributes-0230', '--from', from];
  const env = { ...process.env, NODE_OPTIONS: '', MODEL_CACHE_DIR: join(dir, 'of-command') };
  const ended = await promisify(execFile)(process.execPath, args, { env }).catch((error) => error);
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain(`sha256 ${right}. The card of person-attributes-0230 has no sha256`);
  expect(ended.stderr).toContain(`--accept ${right}`);
  await expect(readdir(env.MODEL_CACHE_DIR)).rejects.toThrow('ENOENT');
});
