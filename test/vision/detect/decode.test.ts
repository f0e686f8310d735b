import { describe, expect, test } from '@jest/globals';
import { makeAnchors } from '../../../src/vision/detect/decode/anchors.ts';
import { nanodetDecoder } from '../../../src/vision/detect/decode/nanodet.ts';
import { yoloxDecoder } from '../../../src/vision/detect/decode/yolox.ts';
import { Candidates } from '../../../src/vision/detect/nms.ts';

const WIDTH = 64;
const HEIGHT = 32;
const anchors = makeAnchors(WIDTH, HEIGHT, [8, 16]);
/** Second row, third column of the grid of stride 8. */
const CELL = 1 * 8 + 2;
const classIds = [0, 2];

/** The anchors of the rows: the first row is that cell. */
const rows = Int32Array.of(CELL, 0, 1, 33);

function boxes(candidates: Candidates): number[][] {
  const { left, top, right, bottom, score, classId } = candidates;
  return Array.from({ length: candidates.count }, (_, i) =>
    [left[i], top[i], right[i], bottom[i], score[i], classId[i]].map((value) => Number(value!.toFixed(3))),
  );
}

test('anchors run through the grids row by row, strides in order', () => {
  expect(anchors).toHaveLength(8 * 4 + 4 * 2);
  expect(anchors[CELL]).toEqual({ x: 16, y: 8, stride: 8 });
  expect(anchors[33]).toEqual({ x: 16, y: 0, stride: 16 });
});

describe('nanodet', () => {
  const background = () => ({
    rows,
    scores: new Float32Array(rows.length * classIds.length).fill(-6),
    distances: new Float32Array(rows.length * 4).fill(1.5),
  });
  const decode = (outputs: ReturnType<typeof background>, minScore: number, extra = {}) => {
    const candidates = new Candidates(anchors.length);
    const options = {
      kind: 'nanodet' as const,
      strides: [8, 16],
      bins: 4,
      scores: 'logits' as const,
      pointOffset: 0,
      ...extra,
    };
    nanodetDecoder({ ...outputs, anchors, classIds }, options)(minScore, candidates);
    return boxes(candidates);
  };

  test('finds nothing in background', () => {
    expect(decode(background(), 0.1)).toEqual([]);
  });

  test('the distances of the sides are strides from the centre of the cell', () => {
    const outputs = background();
    outputs.scores[0] = 0;
    outputs.distances.set([1, 1.5, 3, 1]);
    expect(decode(outputs, 0.1)).toEqual([[20 - 8, 12 - 12, 20 + 24, 12 + 8, 0.5, 0]]);
    expect(decode(outputs, 0.1, { pointOffset: -0.5 })[0]![0]).toBe(11.5);
  });

  test.each([
    ['below', 0.51, 0],
    ['at', 0.5, 1],
    ['above', 0.49, 1],
  ])('a logit of 0 with the threshold %s', (_, minScore, count) => {
    const outputs = background();
    outputs.scores[1] = 0;
    expect(decode(outputs, minScore)).toHaveLength(count);
  });

  test('the class with the highest score wins, by its COCO id; probabilities get no sigmoid', () => {
    const outputs = background();
    outputs.scores.fill(0);
    outputs.scores.set([0.3, 0.4]);
    const found = decode(outputs, 0.2, { scores: 'probabilities' });
    expect(found.map((row) => row.slice(4))).toEqual([[0.4, 2]]);
  });

  test('the anchor of a row gives its position', () => {
    const outputs = { ...background(), rows: Int32Array.of(33, CELL, 0, 1) };
    outputs.scores.set([1, -6, -6, 0]);
    const shown = decode(outputs, 0.1).map(([left, top, , , , classId]) => [left, top, classId]);
    // one and a half strides to the left of the cell's middle
    expect(shown).toEqual([
      [24 - 24, 8 - 24, 0],
      [20 - 12, 12 - 12, 2],
    ]);
  });

  test('a large logit gives a score of 1', () => {
    const outputs = background();
    outputs.scores[0] = 80;
    expect(decode(outputs, 0.1)).toEqual([[8, 0, 32, 24, 1, 0]]);
  });
});

describe('yolox', () => {
  const columns = 5 + classIds.length;
  const decode = (row: number[], minScore: number) => {
    const predictions = new Float32Array(rows.length * columns);
    predictions.set(row);
    const candidates = new Candidates(anchors.length);
    yoloxDecoder({ rows, predictions, anchors, classIds })(minScore, candidates);
    return boxes(candidates);
  };

  test.each<[string, number[], number, number[][]]>([
    ['nothing', [0, 0, 0, 0, 0, 0, 0], 0.1, []],
    ['a box of one stride', [0.5, 0.5, 0, 0, 0.8, 1, 0], 0.1, [[16, 8, 24, 16, 0.8, 0]]],
    ['a box of two strides by one', [1, 0, Math.log(2), 0, 0.5, 0.2, 1], 0.1, [[16, 4, 32, 12, 0.5, 2]]],
    ['objectness alone is too low', [0, 0, 0, 0, 0.09, 1, 1], 0.1, []],
    ['the product is too low', [0, 0, 0, 0, 0.4, 0.2, 0.1], 0.1, []],
    ['the product is just enough', [0.5, 0.5, 0, 0, 0.5, 0.25, 0.1], 0.125, [[16, 8, 24, 16, 0.125, 0]]],
  ])('%s', (_, row, minScore, expected) => {
    expect(decode(row, minScore)).toEqual(expected);
  });
});
