import type { ModelCard } from '../card.ts';
import { Candidates } from '../nms.ts';
import { makeAnchors } from './anchors.ts';
import { decodeNanodet } from './nanodet.ts';
import { decodeYolox } from './yolox.ts';

/** A model's outputs; the arrays are filled anew for every frame. */
interface Outputs {
  /** Which anchor each row is, strongest first. */
  readonly rows: Int32Array;
  /** By the names of `outputShapes`. */
  readonly data: Readonly<Record<string, Float32Array>>;
}

/**
 * The decoder of a card over its output arrays.
 * @returns a function of the lowest score wanted; what it returns is valid until its next call
 */
export function makeDecoder(
  card: Pick<ModelCard, 'input' | 'decoder' | 'classes'>,
  { rows, data }: Outputs,
): (minScore: number) => Candidates {
  const { decoder, input } = card;
  const anchors = makeAnchors(input.width, input.height, decoder.strides);
  const candidates = new Candidates(rows.length);
  const classIds = card.classes.keep;
  const take = (name: string): Float32Array => {
    const output = data[name];
    if (!output) throw new Error(`The model gives no "${name}".`);
    return output;
  };
  if (decoder.kind === 'nanodet') {
    const from = { rows, scores: take('scores'), distances: take('distances') };
    return (minScore) => {
      decodeNanodet(from, { anchors, classIds, options: decoder, minScore }, candidates);
      return candidates;
    };
  }
  const from = { rows, predictions: take('predictions') };
  return (minScore) => {
    decodeYolox(from, { anchors, classIds, minScore }, candidates);
    return candidates;
  };
}
