import { Candidates } from '../nms.ts';
import { makeScoreScale, type ScoreCurves } from '../score-curves.ts';
import { makeAnchors } from './anchors.ts';
import { decodeNanodet, type NanodetOptions } from './nanodet.ts';
import { decodeYolox } from './yolox.ts';

/** What a decoder has to know of a model. Sizes in pixels; class ids of COCO. */
export interface DecodedModel {
  readonly input: { readonly width: number; readonly height: number };
  readonly decoder: NanodetOptions | { readonly kind: 'yolox'; readonly strides: readonly number[] };
  readonly classes: { readonly keep: readonly number[] };
}

/** A model's outputs; the arrays are filled anew for every frame. */
interface Outputs {
  /** Which anchor each row is, strongest first. */
  readonly rows: Int32Array;
  /** By the names of `outputShapes`. */
  readonly data: Readonly<Record<string, Float32Array>>;
}

/**
 * The decoder of a card over its output arrays.
 * @param curves make probabilities of the raw scores
 * @returns a function of the lowest score wanted; what it returns is valid until its next call, and may hold lower scores
 */
export function makeDecoder(
  card: DecodedModel,
  { rows, data }: Outputs,
  curves: ScoreCurves,
): (minScore: number) => Candidates {
  const { decoder, input } = card;
  const anchors = makeAnchors(input.width, input.height, decoder.strides);
  const candidates = new Candidates(rows.length);
  const scale = makeScoreScale(curves);
  const classIds = card.classes.keep;
  const take = (name: string): Float32Array => {
    const output = data[name];
    if (!output) throw new Error(`The model gives no "${name}".`);
    return output;
  };
  if (decoder.kind === 'nanodet') {
    const from = { rows, scores: take('scores'), distances: take('distances') };
    return (minScore) => {
      const lowest = scale.lowestRaw(minScore);
      decodeNanodet(from, { anchors, classIds, options: decoder, minScore: lowest }, candidates);
      scale.apply(candidates);
      return candidates;
    };
  }
  const from = { rows, predictions: take('predictions') };
  return (minScore) => {
    decodeYolox(from, { anchors, classIds, minScore: scale.lowestRaw(minScore) }, candidates);
    scale.apply(candidates);
    return candidates;
  };
}
