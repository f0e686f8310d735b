import type { CropInput } from '../../src/models/attribute-card.ts';
import {
  FLOAT,
  INT64,
  type OnnxGraph,
  shapeOf,
  tensorInfo,
  UINT8,
} from '../../src/models/onnx/onnx-graph.ts';
import { CROP } from '../../src/models/ready-network.ts';

/**
 * Replaces the one float image input of a graph by the data of a lane: the planes of a frame (Y, U, V, uint8, any number of
 * rows), the crop in each plane (`lumaPart`, `chromaPart`: the roi of Resize, tf_crop_and_resize) and the colour matrix.
 * Cropping, scaling, colour conversion and normalisation happen inside the graph. Everything outside the frame is black.
 * @param isMirrored adds an input `columns`, [width]: the order of the columns
 * @returns the name of the crop, RGB 0-255, [1, 3, height, width]
 * @throws Error when the input of the graph is not the one of the card
 */
export function prependCrop(graph: OnnxGraph, input: CropInput, isMirrored = false): string {
  const { width, height, fineness } = input;
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
  const size = graph.int64('front/size', [1, 1, fineness * height, fineness * width]);
  const plane = (from: string, black: number, part: string) => {
    const values = graph.node('Cast', [from], { to: FLOAT });
    const cut = graph.node('Resize', [values, part, '', size], {
      mode: 'linear',
      coordinate_transformation_mode: 'tf_crop_and_resize',
      extrapolation_value: { float: black },
    });
    return graph.node('Sub', [cut, graph.float('front/black', [black], [])]);
  };
  const planes = [
    plane('front/y', 16, 'front/lumaPart'),
    plane('front/u', 128, 'front/chromaPart'),
    plane('front/v', 128, 'front/chromaPart'),
  ];
  const fine = graph.node('Concat', planes, { axis: 1 });
  const square = { kernel_shape: [fineness, fineness], strides: [fineness, fineness] };
  const yuv = fineness === 1 ? fine : graph.node('AveragePool', [fine], square);
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
    tensorInfo('front/lumaPart', FLOAT, [8]),
    tensorInfo('front/chromaPart', FLOAT, [8]),
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
