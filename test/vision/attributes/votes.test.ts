import { describe, expect, test } from '@jest/globals';
import type { AttributeKey, Classification } from '../../../src/vision/attributes/keys.ts';
import { Votes } from '../../../src/vision/attributes/votes.ts';

/** A classification with its time and the quality of the crop. */
type Sample = [classification: Classification, timeMs: number, weight: number];

const resultOf = (...samples: readonly Sample[]) => {
  const votes = new Votes();
  for (const [classification, timeMs, weight] of samples) votes.add(classification, { timeMs, weight });
  return votes.result();
};

describe('votes', () => {
  test.each<[string, Sample[], AttributeKey[], AttributeKey[]]>([
    ['nothing is known without a classification', [], [], []],
    ['a key holds from one half on', [[{ hat: 0.5 }, 0, 1]], ['hat'], ['hat']],
    ['below one half a key is known and does not hold', [[{ hat: 0.4 }, 0, 1]], [], ['hat']],
    [
      'a better crop counts more',
      [
        [{ hat: 0 }, 0, 0.2],
        [{ hat: 1 }, 0, 0.9],
      ],
      ['hat'],
      ['hat'],
    ],
    [
      'of keys that exclude each other the strongest holds',
      [[{ female: 0.45, male: 0.55 }, 0, 1]],
      ['male'],
      ['female', 'male'],
    ],
    [
      'of three weak keys that exclude each other none holds',
      [[{ ageLess18: 0.34, age18To60: 0.33, ageOver60: 0.33 }, 0, 1]],
      [],
      ['ageLess18', 'age18To60', 'ageOver60'],
    ],
    [
      'between two orientations none is known',
      [[{ front: 0.6, side: 0.4, back: 0, hat: 1 }, 0, 1]],
      ['hat'],
      ['hat'],
    ],
    [
      'the next crop may make the orientation sure again',
      [
        [{ front: 0.5, side: 0.5, back: 0 }, 0, 1],
        [{ front: 0.9, side: 0.1, back: 0 }, 700, 1],
      ],
      ['front'],
      ['front', 'side', 'back'],
    ],
    ['a key without its alternatives holds from one half on', [[{ trousers: 0.45 }, 0, 1]], [], ['trousers']],
    [
      'people turn: old crops lose their weight for the orientation',
      [
        [{ front: 1, side: 0, back: 0 }, 0, 1],
        [{ front: 0, side: 0, back: 1 }, 8_000, 0.5],
      ],
      ['back'],
      ['front', 'side', 'back'],
    ],
    [
      'old crops keep their weight for clothes',
      [
        [{ hat: 1 }, 0, 1],
        [{ hat: 0 }, 60_000, 0.9],
      ],
      ['hat'],
      ['hat'],
    ],
    [
      'a bag holds although most frames missed it',
      [
        [{ backpack: 1 }, 0, 1],
        [{ backpack: 0 }, 0, 1],
        [{ backpack: 0 }, 0, 1],
      ],
      ['backpack'],
      ['backpack'],
    ],
  ])('%s', (_, samples, attributes, known) => {
    const result = resultOf(...samples);
    expect(result.attributes).toEqual(attributes);
    expect(result.known).toEqual(known);
    expect(result.confidence > 0).toBe(attributes.length > 0);
  });
});
