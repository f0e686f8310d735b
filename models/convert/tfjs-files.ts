import { z } from 'zod';

const Attribute = z.looseObject({
  list: z.looseObject({ i: z.array(z.string()).optional(), s: z.array(z.string()).optional() }).optional(),
  s: z.string().optional(),
  shape: z.looseObject({ dim: z.array(z.looseObject({ size: z.string() })) }).optional(),
  f: z.number().optional(),
  b: z.boolean().optional(),
});
const Topology = z.looseObject({
  modelTopology: z.looseObject({
    node: z.array(
      z.looseObject({
        name: z.string(),
        op: z.string(),
        input: z.array(z.string()).default([]),
        attr: z.record(z.string(), Attribute).default({}),
      }),
    ),
  }),
  weightsManifest: z
    .array(
      z.looseObject({
        weights: z.array(
          z.looseObject({
            name: z.string(),
            shape: z.array(z.int()),
            dtype: z.enum(['int32', 'float32']),
            quantization: z.looseObject({ dtype: z.literal('float16') }).optional(),
          }),
        ),
      }),
    )
    .length(1),
});

export interface TfNode {
  readonly name: string;
  readonly op: string;
  readonly input: readonly string[];
  readonly attr: z.infer<typeof Topology>['modelTopology']['node'][number]['attr'];
}
export interface TfConstant {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/** Reads a TensorFlow.js graph model: `model.json` and its one file of weights (float32, int32 or float16). */
export function readTfjs(topology: Uint8Array, weights: Uint8Array) {
  const parsed = Topology.parse(JSON.parse(Buffer.from(topology).toString('utf8')));
  const constants = new Map<string, TfConstant>();
  const view = new DataView(weights.buffer, weights.byteOffset, weights.byteLength);
  // A table, because a detector has a million halves.
  const halves = Float32Array.from({ length: 2 ** 16 }, (_, bits) => fromHalf(bits));
  let offset = 0;
  for (const { name, shape, dtype, quantization } of parsed.weightsManifest[0]!.weights) {
    const data = new Float32Array(shape.reduce((product, size) => product * size, 1));
    const bytes = quantization ? 2 : 4;
    for (let i = 0; i < data.length; i++, offset += bytes) {
      if (quantization) data[i] = halves[view.getUint16(offset, true)]!;
      else data[i] = dtype === 'int32' ? view.getInt32(offset, true) : view.getFloat32(offset, true);
    }
    constants.set(name, { shape, data });
  }
  return { nodes: parsed.modelTopology.node as readonly TfNode[], constants };
}

/** IEEE 754 half precision. */
function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = (bits & 1023) / 1024;
  if (exponent === 0) return sign * 2 ** -14 * fraction;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * 2 ** (exponent - 15) * (1 + fraction);
}
