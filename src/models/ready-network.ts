import type { AttributeCard } from './attribute-card.ts';
import type { DetectorCard } from './detector-card.ts';

// What the tools of `models/` promise of a ready file, and the service reads: names and shapes of inputs and outputs.

/** The output of a detector with the anchor of each row of the other outputs, [frames, rows], int32. */
export const ROWS = 'anchors';
/** The output of a crop network with its input, RGB 0-255. The prefix makes sure that no network has the same name. */
export const CROP = 'front/crop';
/** The output with the probabilities of an attribute network. */
export const SCORES = 'front/scores';

/** At most this many anchors are decoded, which limits the time of a crowded frame. */
const MOST = 1000;
/** Pixels of the input along one side of a cell of `colours`. */
export const COLOUR_CELL = 4;

type OutputCard = Pick<DetectorCard, 'input' | 'decoder' | 'classes'>;

/** The shapes of joined heads: rows are anchors (all strides, row by row), columns are as the decoder reads them. */
interface OutputShapes {
  readonly anchors: number;
  /** The number of columns of each output by its name. */
  readonly columns: Readonly<Record<string, number>>;
}

/** The outputs of the heads of a card. A ready file outputs only the strongest rows. */
export function outputShapes(card: OutputCard): OutputShapes {
  const kept = card.classes.keep.length;
  if (card.decoder.kind === 'detr')
    return { anchors: card.decoder.queries, columns: { scores: kept, boxes: 4 } };
  const anchors = cellCounts(card).reduce((sum, count) => sum + count, 0);
  const columns =
    card.decoder.kind === 'nanodet'
      ? { scores: kept, distances: 4 * card.decoder.bins }
      : { predictions: 5 + kept };
  return { anchors, columns };
}

/** The number of anchors of each stride. */
export const cellCounts = ({ input, decoder }: Pick<DetectorCard, 'input' | 'decoder'>): number[] =>
  (decoder.kind === 'detr' ? [] : decoder.strides).map(
    (stride) => Math.ceil(input.width / stride) * Math.ceil(input.height / stride),
  );

/** The number of rows in the outputs of a ready file. */
export const rowsOf = (card: OutputCard): number => Math.min(MOST, outputShapes(card).anchors);

/** The number of columns in the outputs of a ready file by their names. */
export function preparedColumns(card: OutputCard): Readonly<Record<string, number>> {
  const { columns } = outputShapes(card);
  return columns.distances === undefined ? columns : { ...columns, distances: 4 };
}

/** Cells of the output `colours` [frames, 3, rows, columns], mean RGB 0-255, along width and height of the input. */
export const colourCells = ({ width, height }: { width: number; height: number }) => ({
  columns: Math.floor(width / COLOUR_CELL),
  rows: Math.floor(height / COLOUR_CELL),
});

/**
 * Whether a network can look at several frames in one run. Batches are for GPUs, which run no 8-bit networks; the queries of a
 * DETR are constants for one frame.
 */
export const takesBatches = ({ quantise, decoder }: Pick<DetectorCard, 'quantise' | 'decoder'>): boolean =>
  !quantise && decoder.kind !== 'detr';

/** Whether a crop network has the input `columns`. */
export const isMirrored = (card: AttributeCard): boolean => card.task === 'attributes' && card.mirrored;
