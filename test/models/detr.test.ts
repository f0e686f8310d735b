import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { prepareModel } from '../../models/prepare.ts';
import { readDetectorCard } from '../../src/models/cards.ts';
import { loadDetector } from '../../src/models/load-detector.ts';
import { sha256 } from '../../src/models/model-sources.ts';
import { encodeOnnx, FLOAT, OnnxGraph, tensorInfo } from '../../src/models/onnx/onnx-graph.ts';
import { MODELS_DIR } from '../../src/platform/config.ts';

const SIDE = 32;
const QUERIES = 4;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'detr-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Writes a network with these logits of classes and boxes (centre, size), whatever the picture shows. */
async function writeNetwork(
  like: string,
  {
    slots,
    scores,
    boxes,
  }: { slots: number; scores: readonly [query: number, slot: number, logit: number][]; boxes: number[][] },
): Promise<string> {
  const card = await readDetectorCard(MODELS_DIR, like);
  if (card.heads.kind !== 'queries') throw new Error('it is another model now');
  const logits = new Float32Array(QUERIES * slots).fill(-9);
  for (const [query, slot, logit] of scores) logits[query * slots + slot] = logit;
  const graph = new OnnxGraph();
  graph.inputs = [tensorInfo('input', FLOAT, [1, 3, SIDE, SIDE])];
  const mean = graph.node('ReduceMean', ['input'], { axes: [1, 2, 3], keepdims: 0 });
  const nothing = graph.node('Mul', [mean, graph.float('zero', [0], [1])]);
  graph.node('Add', [graph.float('l', logits, [1, QUERIES, slots]), nothing], { as: card.heads.logits });
  graph.node('Add', [graph.float('b', boxes.flat(), [1, QUERIES, 4]), nothing], { as: card.heads.boxes });
  graph.outputs = [
    tensorInfo(card.heads.boxes, FLOAT, [1, QUERIES, 4]),
    tensorInfo(card.heads.logits, FLOAT, [1, QUERIES, slots]),
  ];
  const bytes = encodeOnnx(graph);
  const name = `small-${like}-${slots}`;
  await writeFile(join(folder, `${name}.onnx`), bytes);
  const source = {
    kind: 'file',
    format: 'onnx',
    path: `${name}.onnx`,
    sha256: sha256(bytes),
    bytes: bytes.length,
  };
  const small = { ...card, name, source, input: { ...card.input, width: SIDE, height: SIDE } };
  await writeFile(
    join(folder, `${name}.json`),
    JSON.stringify({ ...small, decoder: { kind: 'detr', queries: QUERIES } }),
  );
  return name;
}

const BOXES = [
  [0.25, 0.5, 0.25, 0.5],
  [0.5, 0.5, 0.5, 1],
  [0.3, 0.5, 0.25, 0.5],
  [0.5, 0.5, 1, 1],
];

test.each([
  ['d-fine-n', 80, { person: 0, car: 2, handbag: 26, cat: 15 }],
  ['rf-detr-nano', 91, { person: 1, car: 3, handbag: 31, cat: 17 }],
])(
  '%s: queries become boxes without suppression, the strongest first, classes that are not kept left out',
  async (like, slots, of) => {
    const model = await writeNetwork(like, {
      slots,
      // Two people behind each other, and a bag. The last query is a cat.
      scores: [
        [0, of.person, 1],
        [1, of.handbag, 3],
        [2, of.person, 2],
        [2, of.car, 0],
        [3, of.cat, 5],
      ],
      boxes: BOXES,
    });
    await prepareModel(await readDetectorCard(folder, model), { modelsDir: folder, cacheDir: folder });
    const detector = await loadDetector({ model, modelsDir: folder, cacheDir: folder });
    const letterbox = { inputWidth: SIDE, inputHeight: SIDE, contentWidth: SIDE, contentHeight: SIDE / 2 };
    const found = await detector.detect(new Uint8Array(SIDE * SIDE * 3), letterbox, 0.3);
    await detector.dispose();
    const chance = (logit: number) => expect.closeTo(1 / (1 + Math.exp(-logit)), 5);
    expect(found.map(({ classId, score }) => [classId, score])).toEqual([
      [26, chance(3)],
      [0, chance(2)],
      [0, chance(1)],
    ]);
    // Shares of the frame, which is the upper half of the input.
    const { left, top, right, bottom } = found[2]!.box;
    expect([left, top, right, bottom].map((share) => Math.round(share * 1000))).toEqual([
      125, 500, 375, 1500,
    ]);
  },
);

test('a file with other outputs is refused with a sentence', async () => {
  const model = await writeNetwork('d-fine-n', { slots: 81, scores: [], boxes: BOXES });
  await expect(
    prepareModel(await readDetectorCard(folder, model), { modelsDir: folder, cacheDir: folder }),
  ).rejects.toThrow(
    /should have the output logits \[1, 4, 80\], but has pred_boxes \[1, 4, 4\], logits \[1, 4, 81\]/,
  );
});
