import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareModel } from '../../../models/prepare.ts';
import { readDetectorCard } from '../../../src/models/cards.ts';
import { sha256 } from '../../../src/models/model-sources.ts';
import { encodeOnnx, FLOAT, INT64, OnnxGraph, tensorInfo } from '../../../src/models/onnx/onnx-graph.ts';
import { MODELS_DIR } from '../../../src/platform/config.ts';

const SIDE = 32;
/** Brighter pixels than this make a run fail. Those of the grey picture that measures a lane are 114. */
const BRIGHT = 116;

/**
 * Writes the card, the file and the ready file of a YOLOX of one anchor, which finds a person over its whole input.
 * @param failsOnBright whether a run fails when the picture has a pixel above BRIGHT, as it does when a graphics card is lost
 */
export async function writeSmallDetector(folder: string, name: string, failsOnBright = false): Promise<void> {
  const graph = new OnnxGraph();
  graph.inputs = [tensorInfo('images', FLOAT, [1, 3, SIDE, SIDE])];
  // Real work for a graphics card: a convolution over the picture.
  const kernel = Array.from({ length: 4 * 3 * 9 }, (_, at) => ((at % 7) - 3) / 1e4);
  const maps = graph.node('Conv', ['images', graph.float('kernel', kernel, [4, 3, 3, 3])], {
    kernel_shape: [3, 3],
  });
  const mean = graph.node('ReduceMean', [maps], { axes: [1, 2, 3], keepdims: 1 });
  const ofFrame = graph.node('Reshape', [mean, graph.int64('frame', [1, 1, 1])]);
  const row = [0.5, 0.5, 0, 0, 0.8, 1, ...new Array(79).fill(0)];
  graph.node('Add', [graph.float('row', row, [1, 1, 85]), ofFrame], {
    as: failsOnBright ? 'safe' : 'output',
  });
  if (failsOnBright) {
    const most = graph.node('ReduceMax', ['images'], { axes: [1, 2, 3], keepdims: 0 });
    const bright = graph.node('Cast', [graph.node('Greater', [most, graph.float('limit', [BRIGHT], [1])])], {
      to: INT64,
    });
    // The list has one element: another than the first cannot be taken.
    const list = graph.node('SequenceConstruct', ['safe']);
    const at = graph.node('Squeeze', [bright, graph.int64('axes', [0])]);
    graph.node('SequenceAt', [list, at], { as: 'output' });
  }
  graph.outputs = [tensorInfo('output', FLOAT, [1, 1, 85])];
  const bytes = encodeOnnx(graph);
  const card = {
    ...(await readDetectorCard(MODELS_DIR, 'yolox-nano')),
    name,
    input: { width: SIDE, height: SIDE, layout: 'nchw', colour: 'bgr', mean: [0, 0, 0], std: [1, 1, 1] },
    decoder: { kind: 'yolox', strides: [SIDE] },
    source: {
      kind: 'file',
      format: 'onnx',
      path: `${name}.onnx`,
      sha256: sha256(bytes),
      bytes: bytes.length,
    },
  };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.onnx`), bytes);
  await writeFile(join(folder, `${name}.json`), JSON.stringify(card));
  await prepareModel(await readDetectorCard(folder, name), { modelsDir: folder, cacheDir: folder });
}
