import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pullModel } from '../../../scripts/models/pull.ts';
import { readDetectorCard } from '../../../src/models/cards.ts';
import { loadDetector } from '../../../src/models/load-detector.ts';
import { sha256 } from '../../../src/models/model-sources.ts';
import { tinyYolox } from '../../support/networks/tiny-yolox.ts';

const MODELS_DIR = new URL('../../../models', import.meta.url).pathname;

let server: Server;
let url: string;
let dir: string;
const model = tinyYolox();

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pull-'));
  server = createServer((request, response) => {
    if (request.url === '/moved') response.writeHead(302, { location: '/model' }).end();
    else if (request.url === '/model') response.end(model);
    else if (request.url === '/short') response.end(model.subarray(0, 100));
    else if (request.url === '/long') response.end(Buffer.concat([model, model]));
    else if (request.url === '/other') response.end(Buffer.alloc(model.length));
    else if (request.url === '/stall') response.write(model.subarray(0, 10));
    else if (request.url === '/break') response.write(model.subarray(0, 10), () => response.destroy());
    else response.writeHead(404).end('no');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  await rm(dir, { recursive: true, force: true });
});

async function place(path: string) {
  const card = await readDetectorCard(MODELS_DIR, 'yolox-nano');
  const cacheDir = await mkdtemp(join(dir, 'cache-'));
  const changed = {
    ...card,
    name: 'tiny',
    input: { ...card.input, width: 32, height: 32 },
    decoder: { kind: 'yolox' as const, strides: [32] },
    source: {
      kind: 'url' as const,
      format: 'onnx' as const,
      url: url + path,
      sha256: sha256(model),
      bytes: model.length,
    },
  };
  const modelsDir = await mkdtemp(join(dir, 'cards-'));
  await writeFile(join(modelsDir, 'tiny.json'), JSON.stringify(changed));
  return { card: changed, modelsDir, cacheDir };
}

test.each(['/model', '/moved'])(
  '%s is downloaded, verified and prepared, and the model runs',
  async (path) => {
    const where = await place(path);
    expect(await pullModel(where)).toBe(model.length);
    const detector = await loadDetector({ model: 'tiny', ...where });
    const letterbox = { inputWidth: 32, inputHeight: 32, contentWidth: 32, contentHeight: 16 };
    const [found, ...more] = await detector.detect(new Uint8Array(32 * 32 * 3).fill(7), letterbox, 0.1);
    expect(more).toEqual([]);
    expect(found).toEqual({
      box: { left: 0, top: 0, right: 1, bottom: 2 },
      score: expect.closeTo(0.8, 5),
      classId: 0,
      appearance: [7, 7, 7, 7, 7, 7],
    });
    await detector.dispose();
  },
);

test('a file may be given instead of the address', async () => {
  const where = await place('/nowhere');
  const from = join(dir, 'given.onnx');
  await writeFile(from, model);
  await pullModel({ ...where, from });
  expect(await readFile(join(where.cacheDir, 'sources', `${sha256(model)}.onnx`))).toEqual(
    Buffer.from(model),
  );
});

describe('a download that fails gives one sentence and leaves no file', () => {
  test.each([
    ['/nowhere', /answered 404: fetch the file yourself and give it with --from/],
    ['/short', /only 100 of \d+ bytes/],
    ['/long', /is larger than the \d+ bytes its card names/],
    ['/other', /is not the file that the card of tiny names \(sha256 /],
    ['/stall', /sent nothing for 0\.2 s: try again later/],
    ['/break', /The connection broke off: nothing was kept/],
  ])('%s', async (path, sentence) => {
    const where = await place(path);
    await expect(pullModel({ ...where, idleMs: 200 })).rejects.toThrow(sentence);
    expect(await readdir(where.cacheDir, { recursive: true })).toEqual(['sources']);
  });

  test('no network', async () => {
    const where = await place('/model');
    const source = { ...where.card.source, url: 'http://127.0.0.1:1/model' };
    await expect(pullModel({ ...where, card: { ...where.card, source } })).rejects.toThrow(
      /cannot be reached/,
    );
  });

  test('no such file', async () => {
    await expect(pullModel({ ...(await place('/model')), from: '/no/file' })).rejects.toThrow(
      /There is no file \/no\/file/,
    );
  });

  test('a model that needs no pull', async () => {
    const card = await readDetectorCard(MODELS_DIR, 'nanodet-g');
    await expect(pullModel({ card, modelsDir: MODELS_DIR, cacheDir: dir })).rejects.toThrow(/needs no pull/);
  });
});
