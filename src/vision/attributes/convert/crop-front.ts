import { FLOAT, INT64, type OnnxGraph, shapeOf, tensorInfo, UINT8 } from '../../detect/convert/onnx-graph.ts';
import type { CropInput } from '../card.ts';

/** The output that holds what the network saw: RGB 0-255. Our names begin so, that no network has the same. */
export const CROP = 'front/crop';

/** A small input skips pixels of the picture, unless all of them are averaged; a large one takes points between them. */
const SMALL_INPUT = 20_000;
const EVERY_PIXEL = 0;

/**
 * Makes a graph's one float picture into what a lane has: the planes of a video picture (Y, U, V, uint8, rows of any
 * number), the part of it to look at (`part`: left, top, right, bottom in pixels of Y) and its colour matrix. Cutting,
 * scaling, colours and normalisation happen inside the graph. What lies outside the picture is black.
 * @param isMirrored with an input `columns`, [width]: which column comes where
 * @returns the name of the crop, RGB 0-255, [1, 3, height, width]
 * @throws when the graph's input is not the one of the card
 */
export function prependCrop(graph: OnnxGraph, input: CropInput, isMirrored = false): string {
  const { width, height } = input;
  const fed = graph.fedInputs();
  const shape = fed[0] ? shapeOf(fed[0]).map((size) => size || 1) : [];
  const expected = [1, 3, height, width];
  if (fed.length !== 1 || String(shape) !== String(expected)) {
    const found = fed.map((info) => `${info.name} [${shapeOf(info).join(', ')}]`).join(' and ');
    throw new Error(`its input should be [${expected.join(', ')}], not ${found || 'missing'}`);
  }
  if (fed[0]?.type?.tensorType?.elemType !== FLOAT) throw new Error('its input should be 32-bit floats');
  const name = fed[0].name ?? '';
  const before = graph.nodes.length;
  const sampling = width * height < SMALL_INPUT ? EVERY_PIXEL : 1;
  const batch = graph.int64('front/batch', [0]);
  const half = graph.float('front/half', [0.5], []);
  const part = graph.node('Sub', ['front/part', half]);
  const chromaPart = graph.node('Sub', [graph.node('Mul', ['front/part', half]), half]);
  const plane = (from: string, zero: number, roi: string) => {
    const values = graph.node('Cast', [from], { to: FLOAT });
    const centred = graph.node('Sub', [values, graph.float('front/zero', [zero], [])]);
    const size = { output_width: width, output_height: height, sampling_ratio: sampling };
    return graph.node('RoiAlign', [centred, roi, batch], { ...size, mode: 'avg' });
  };
  const planes = [
    plane('front/y', 16, part),
    plane('front/u', 128, chromaPart),
    plane('front/v', 128, chromaPart),
  ];
  const yuv = graph.node('Concat', planes, { axis: 1 });
  const bounds = [0, 255].map((bound) => graph.float(`front/${bound}`, [bound], []));
  const crop = graph.node('Clip', [graph.node('Conv', [yuv, 'front/matrix']), ...bounds], { as: CROP });
  const seen = isMirrored ? graph.node('Gather', [crop, 'front/columns'], { axis: 3 }) : crop;
  normalise(graph, { crop: seen, name, input });
  graph.nodes.unshift(...graph.nodes.splice(before));
  graph.inputs = [
    ...['y', 'u', 'v'].map((as) => ({
      name: `front/${as}`,
      type: {
        tensorType: {
          elemType: UINT8,
          shape: {
            dim: [{ dimValue: 1 }, { dimValue: 1 }, { dimParam: `${as}Rows` }, { dimParam: `${as}Columns` }],
          },
        },
      },
    })),
    tensorInfo('front/part', FLOAT, [1, 4]),
    tensorInfo('front/matrix', FLOAT, [3, 3, 1, 1]),
    ...(isMirrored ? [tensorInfo('front/columns', INT64, [width])] : []),
  ];
  return crop;
}

function normalise(
  graph: OnnxGraph,
  { crop, name, input }: { crop: string; name: string; input: CropInput },
): void {
  let at = crop;
  if (input.colour === 'bgr')
    at = graph.node('Gather', [at, graph.int64('front/bgr', [2, 1, 0])], { axis: 1 });
  const perChannel = (what: string, values: readonly number[]) =>
    graph.float(`front/${what}`, values, [3, 1, 1]);
  at = graph.node('Sub', [at, perChannel('mean', input.mean)]);
  graph.node('Div', [at, perChannel('std', input.std)], { as: name });
}
