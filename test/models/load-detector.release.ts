import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { prepareModel } from '../../models/prepare.ts';
import { readDetectorCard } from '../../src/models/cards.ts';
import { loadDetector } from '../../src/models/load-detector.ts';
import { pulledFile, sha256 } from '../../src/models/model-sources.ts';
import { decodeOnnx, encodeOnnx, FLOAT, OnnxGraph, tensorInfo } from '../../src/models/onnx/onnx-graph.ts';
import { readyModel } from '../../src/models/ready-models.ts';
import { sessionOptions } from '../../src/models/session-options.ts';
import { LOADER, programFile } from '../../src/platform/processes/program-file.ts';
import { probabilityOf, type ScoreCurves } from '../../src/vision/detect/score-curves.ts';
import { iou } from '../../src/vision/geometry.ts';
import { largestPairs } from '../support/rows/weight-pairs.ts';
import { PEOPLE, scene } from './drawn-people.ts';

const MODELS_DIR = new URL('../../models', import.meta.url).pathname;
let cacheDir: string;
beforeAll(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'models-'));
});
afterAll(() => rm(cacheDir, { recursive: true, force: true }));

test('no two products of the default detector exceed 16 bits together, and it is opened the fast way', async () => {
  const card = await readDetectorCard(MODELS_DIR, 'nanodet-g-int8');
  const bytes = await readyModel(card, { modelsDir: MODELS_DIR, cacheDir });
  const pairs = largestPairs(decodeOnnx(bytes));
  expect(pairs.size).toBe(37);
  for (const largest of pairs.values()) expect(largest).toBeLessThanOrEqual(32_767);
  expect(sessionOptions(bytes, 1)).toMatchObject({ extra: { session: { x64quantprecision: '0' } } });
});

test('an empty grey frame holds nobody', async () => {
  const detector = await loadDetector({ model: 'nanodet-g-int8', modelsDir: MODELS_DIR, cacheDir });
  const { inputWidth, inputHeight } = detector;
  const pixels = new Uint8Array(inputWidth * inputHeight * 3).fill(114);
  const letterbox = { inputWidth, inputHeight, contentWidth: inputWidth, contentHeight: inputHeight };
  expect(await detector.detect(pixels, letterbox, 0.3)).toEqual([]);
  await detector.dispose();
});

test('curves from raw scores to probabilities need no new graph, and can be left out', async () => {
  const { pixels, letterbox } = await scene(512, 384);
  const scoresWith = async (scores?: ScoreCurves) => {
    const places = { model: 'nanodet-g-int8', modelsDir: MODELS_DIR, cacheDir };
    const detector = await loadDetector({ ...places, ...(scores && { scores }) });
    const found = await detector.detect(pixels, letterbox, 0.3);
    await detector.dispose();
    return found.slice(0, 2).map(({ box, score }) => ({ score, height: (box.bottom - box.top) * 288 }));
  };
  const { scores } = await readDetectorCard(MODELS_DIR, 'nanodet-g-int8');
  const raw = await scoresWith({});
  const likely = await scoresWith();
  const expected = raw.map(({ score, height }) => probabilityOf(scores!.person!, score, height));
  for (const [i, { score }] of likely.entries()) expect(score).toBeCloseTo(expected[i]!, 4);
});

test('two processes may prepare the same model at once', async () => {
  const dir = join(cacheDir, 'together');
  const file = (name: string) => JSON.stringify(programFile(`${name}.ts`));
  const code = `
    import { readCard } from ${file('src/models/cards')};
    import { prepareModel } from ${file('models/prepare')};
    // A name of its own, because the default one is ready.
    const card = { ...(await readCard('${MODELS_DIR}', 'nanodet-g-int8')), name: 'twice' };
    const bytes = await prepareModel(card, { modelsDir: '${MODELS_DIR}', cacheDir: '${dir}' });
    console.log(bytes.length);`;
  const run = () => promisify(execFile)(process.execPath, [...LOADER, '--input-type=module', '-e', code]);
  const sizes = (await Promise.all([run(), run()])).map(({ stdout }) => stdout.trim());
  expect(new Set(sizes).size).toBe(1);
  expect(await readdir(dir)).toHaveLength(1);
});

describe('one clear sentence for', () => {
  let modelsDir: string;
  const url = 'http://localhost/model.onnx';

  /** A card like nanodet-m's, whose file holds `bytes`. */
  async function pulled(name: string, bytes: Uint8Array, change: object = {}): Promise<void> {
    const card = await readDetectorCard(MODELS_DIR, 'nanodet-m');
    const source = {
      kind: 'url',
      format: 'onnx',
      url,
      sha256: sha256(bytes),
      bytes: bytes.length,
      ...change,
    };
    await writeFile(join(modelsDir, `${name}.json`), JSON.stringify({ ...card, name, source }));
    const file = pulledFile(cacheDir, source.sha256);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, bytes);
  }
  const prepare = async (model: string) =>
    prepareModel(await readDetectorCard(modelsDir, model), { modelsDir, cacheDir });
  const load = (model: string) => loadDetector({ model, modelsDir: MODELS_DIR, cacheDir });

  beforeAll(async () => {
    modelsDir = await mkdtemp(join(tmpdir(), 'cards-'));
  });

  test('a model nobody knows', async () => {
    await expect(load('yolo')).rejects.toThrow(
      /no model "yolo"; known are d-fine-n, nanodet-g, nanodet-g-int8, /,
    );
  });

  test('a model that was not pulled', async () => {
    await expect(load('yolox-s')).rejects.toThrow(
      /^The model yolox-s is not here: run `npm run models -- pull yolox-s`\.$/,
    );
  });

  test('a wrong file', async () => {
    await pulled('wrong', Buffer.from('something else'), { sha256: 'a'.repeat(64), bytes: 5 });
    await expect(prepare('wrong')).rejects.toThrow(
      /not the one its card names .* `npm run models -- pull wrong`/,
    );
  });

  test('a file cut short', async () => {
    await pulled('short', Buffer.from('half'), { sha256: 'b'.repeat(64), bytes: 500 });
    await expect(prepare('short')).rejects.toThrow(
      /cut short \(4 of 500 bytes\): run `npm run models -- pull short`/,
    );
  });

  test('a file that is no network', async () => {
    await pulled('text', Buffer.from('not a network at all'));
    await expect(prepare('text')).rejects.toThrow(/text is not the network its card describes/);
  });

  test('a network with other inputs', async () => {
    const graph = new OnnxGraph();
    graph.inputs = [tensorInfo('x', FLOAT, [1, 10])];
    graph.node('Sigmoid', ['x'], { as: 'y' });
    graph.outputs = [tensorInfo('y', FLOAT, [1, 10])];
    await pulled('inputs', encodeOnnx(graph));
    await expect(prepare('inputs')).rejects.toThrow(
      /its input should be \[1, 3, 416, 416\], not x \[1, 10\]/,
    );
  });

  test('a network with other outputs', async () => {
    const graph = new OnnxGraph();
    graph.inputs = [tensorInfo('x', FLOAT, [1, 3, 416, 416])];
    graph.node('Sigmoid', ['x'], { as: 'y' });
    graph.outputs = [tensorInfo('y', FLOAT, [1, 3, 416, 416])];
    await pulled('outputs', encodeOnnx(graph));
    await expect(prepare('outputs')).rejects.toThrow(
      /should have an output \[1,2704,80\], but has y \[1, 3, 416, 416\]/,
    );
  });
});

test.each([
  ['nanodet-g', /^nanodet-g does not run with cuda, but on the CPU: .+\.$/],
  ['nanodet-g-int8', /networks of 8-bit integers run on the CPU only\.$/],
])(
  '%s with CUDA, which is not there: the reason is said once, and the CPU takes over',
  async (model, reason) => {
    const messages: string[] = [];
    const onProgress = (message: string) => messages.push(message);
    const places = { modelsDir: MODELS_DIR, cacheDir };
    const detector = await loadDetector({ model, ...places, executionProvider: 'cuda', onProgress });
    expect(messages).toEqual([expect.stringMatching(reason)]);
    expect(detector).toMatchObject({ executionProvider: 'cpu', fallback: messages[0] });
    await detector.dispose();
  },
);

describe('smaller networks', () => {
  /** The window of a size with the person on the right in it. */
  const windows = [
    { x: 128, y: 0, width: 384, height: 288 },
    { x: 220, y: 60, width: 256, height: 192 },
  ];

  test.each(windows)('a window of $width×$height shows who is in it, at the same place', async (window) => {
    const detector = await loadDetector({ model: 'nanodet-g-int8', modelsDir: MODELS_DIR, cacheDir });
    try {
      expect(detector.sizes[0]).toEqual(detector.largerInput);
      const pixelsOfSizes = detector.sizes.map(({ width, height }) => width * height);
      expect(pixelsOfSizes).toEqual(pixelsOfSizes.toSorted((a, b) => b - a));
      const { pixels, letterbox } = await scene(512, 384);
      const whole = await detector.detect(pixels, letterbox, 0.4);
      await detector.prepare(window);
      const found = await detector.detect(pixels, letterbox, 0.4, window);
      const [same] = whole.filter(({ box }) => iou(box, PEOPLE[1]!) > 0.7);
      const [one] = found.filter(({ box }) => iou(box, PEOPLE[1]!) > 0.7);
      // The pixels are the very same, so the box is nearly.
      expect(iou(one!.box, same!.box)).toBeGreaterThan(0.9);
      for (const [channel, colour] of one!.appearance!.entries())
        expect(Math.abs(colour - same!.appearance![channel]!)).toBeLessThan(12);
    } finally {
      await detector.dispose();
    }
  });

  test('frames of a smaller size are looked at as a whole', async () => {
    const detector = await loadDetector({ model: 'nanodet-g-int8', modelsDir: MODELS_DIR, cacheDir });
    const { pixels, letterbox } = await scene(384, 288);
    const found = await detector.detect(pixels, letterbox, 0.4);
    for (const box of PEOPLE) expect(Math.max(...found.map((one) => iou(one.box, box)))).toBeGreaterThan(0.7);
    await detector.dispose();
  });

  test('the padding below a wide picture is not looked at, and its people are found at the same places', async () => {
    const detector = await loadDetector({ model: 'nanodet-g-int8', modelsDir: MODELS_DIR, cacheDir });
    const { pixels, letterbox } = await scene(512, 384);
    expect(letterbox).toMatchObject({ contentWidth: 512, contentHeight: 288 });
    const everything = { x: 0, y: 0, width: 512, height: 384 };
    const padded = await detector.detect(pixels, letterbox, 0.4, everything);
    const unpadded = await detector.detect(pixels, letterbox, 0.4);
    expect(unpadded).toHaveLength(padded.length);
    for (const [at, { box, score }] of padded.entries()) {
      expect(iou(unpadded[at]!.box, box)).toBeGreaterThan(0.9);
      expect(Math.abs(unpadded[at]!.score - score)).toBeLessThan(0.1);
    }
    pixels.fill(255, 288 * 512 * 3);
    expect(await detector.detect(pixels, letterbox, 0.4)).toEqual(unpadded);
    await detector.dispose();
  });

  test('shrunk, the whole frame is looked at by a small network', async () => {
    const detector = await loadDetector({ model: 'nanodet-g-int8', modelsDir: MODELS_DIR, cacheDir });
    const { pixels, letterbox } = await scene(512, 384);
    const plain = await detector.detect(pixels, letterbox, 0.4);
    const found = await detector.detect(pixels, letterbox, 0.2, 'shrunk');
    for (const box of PEOPLE) expect(Math.max(...found.map((one) => iou(one.box, box)))).toBeGreaterThan(0.6);
    expect(await detector.detect(pixels, letterbox, 0.4)).toEqual(plain);
    await detector.dispose();
  });

  test('a window changes nothing for the next whole frame', async () => {
    const detector = await loadDetector({ model: 'nanodet-g-int8', modelsDir: MODELS_DIR, cacheDir });
    const { pixels, letterbox } = await scene(512, 384);
    const plain = await detector.detect(pixels, letterbox, 0.05);
    await detector.detect(pixels, letterbox, 0.05, windows[0]);
    expect(await detector.detect(pixels, letterbox, 0.05)).toEqual(plain);
    await detector.dispose();
  });

  test('a larger frame is looked at by a larger network, and a window of it by another one', async () => {
    const detector = await loadDetector({ model: 'nanodet-g-int8', modelsDir: MODELS_DIR, cacheDir });
    expect(detector.largerInput).toEqual({ width: 640, height: 480 });
    const { pixels, letterbox } = await scene(640, 480);
    const found = await detector.detect(pixels, letterbox, 0.2);
    for (const box of PEOPLE) expect(Math.max(...found.map((one) => iou(one.box, box)))).toBeGreaterThan(0.7);
    const window = { x: 220, y: 20, width: 384, height: 288 };
    const part = await detector.detect(pixels, letterbox, 0.4, window);
    expect(Math.max(...part.map(({ box }) => iou(box, PEOPLE[1]!)))).toBeGreaterThan(0.7);
    await detector.dispose();
  });

  test('a size that the card does not offer is refused, and the detector goes on', async () => {
    const detector = await loadDetector({ model: 'nanodet-g-int8', modelsDir: MODELS_DIR, cacheDir });
    const { pixels, letterbox } = await scene(512, 384);
    const wrong = { x: 0, y: 0, width: 320, height: 240 };
    const refusal = /^The model nanodet-g-int8 has no input of 320×240; it has 640×480, .*, 192×192\.$/;
    await expect(detector.detect(pixels, letterbox, 0.4, wrong)).rejects.toThrow(refusal);
    await expect(detector.prepare(wrong)).rejects.toThrow(refusal);
    expect(await detector.detect(pixels, letterbox, 0.4)).toHaveLength(2);
    await detector.dispose();
  });
});
