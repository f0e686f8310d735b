import { Candidates } from '../nms.ts';
import { takeFrom } from '../outputs.ts';
import { makeScoreScale, type ScoreCurves } from '../score-curves.ts';
import { makeAnchors } from './anchors.ts';
import { detrDecoder } from './detr.ts';
import { type NanodetOptions, nanodetDecoder } from './nanodet.ts';
import { yoloxDecoder } from './yolox.ts';

/** What a decoder needs of a model's card. Sizes in pixels; class ids of COCO. */
export interface DecodedModel {
  readonly input: { readonly width: number; readonly height: number };
  readonly decoder:
    | NanodetOptions
    | { readonly kind: 'yolox'; readonly strides: readonly number[] }
    | { readonly kind: 'detr' };
  readonly classes: { readonly keep: readonly number[] };
}

/** A model's outputs; every frame overwrites the arrays. */
interface Outputs {
  /** The anchor of each row, strongest first. */
  readonly rows: Int32Array;
  /** By the names of `outputShapes`. */
  readonly data: Readonly<Record<string, Float32Array>>;
}

/**
 * The decoder of a card over its output arrays.
 * @param curves turn raw scores into probabilities
 * @returns a function of the least score; its result is valid until the next call and may hold lower scores
 */
export function makeDecoder(
  card: DecodedModel,
  { rows, data }: Outputs,
  curves: ScoreCurves,
): (minScore: number) => Candidates {
  const { decoder, input } = card;
  const classIds = card.classes.keep;
  const candidates = new Candidates(rows.length);
  const scale = makeScoreScale(curves);
  const take = takeFrom(data);
  const makeDecode = () => {
    if (decoder.kind === 'detr')
      return detrDecoder({ rows, classIds, scores: take('scores'), boxes: take('boxes') }, input);
    const anchors = makeAnchors(input.width, input.height, decoder.strides);
    const shared = { rows, anchors, classIds };
    return decoder.kind === 'nanodet'
      ? nanodetDecoder({ ...shared, scores: take('scores'), distances: take('distances') }, decoder)
      : yoloxDecoder({ ...shared, predictions: take('predictions') });
  };
  const decode = makeDecode();
  return (minScore) => {
    decode(scale.lowestRaw(minScore), candidates);
    scale.apply(candidates);
    return candidates;
  };
}
