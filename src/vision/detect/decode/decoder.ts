import type { ModelCard } from '../card.ts';
import { Candidates } from '../nms.ts';
import { makeAnchors } from './anchors.ts';
import { decodeNanodet } from './nanodet.ts';
import { decodeYolox } from './yolox.ts';

/**
 * The decoder of a card over output arrays that are filled anew for every frame.
 * @param outputs by the names of `outputShapes`
 * @returns a function of the lowest score wanted; what it returns is valid until its next call
 */
export function makeDecoder(
  card: Pick<ModelCard, 'input' | 'decoder' | 'classes'>,
  outputs: Readonly<Record<string, Float32Array>>,
): (minScore: number) => Candidates {
  const { decoder, input } = card;
  const anchors = makeAnchors(input.width, input.height, decoder.strides);
  const candidates = new Candidates(anchors.count);
  const classIds = card.classes.keep;
  const take = (name: string): Float32Array => {
    const output = outputs[name];
    if (!output) throw new Error(`The model gives no "${name}".`);
    return output;
  };
  if (decoder.kind === 'nanodet') {
    const from = { scores: take('scores'), distances: take('distances') };
    return (minScore) => {
      decodeNanodet(from, { anchors, classIds, options: decoder, minScore }, candidates);
      return candidates;
    };
  }
  const from = { predictions: take('predictions') };
  return (minScore) => {
    decodeYolox(from, { anchors, classIds, minScore }, candidates);
    return candidates;
  };
}
