import { describe, expect, test } from '@jest/globals';
import type { AttributeKey, Classification } from '../../../src/vision/attributes/keys.ts';
import { Votes } from '../../../src/vision/attributes/votes.ts';

/** What was said, when, and how good the look was. */
type Sample = [classification: Classification, timeMs: number, weight: number];

const resultOf = (...samples: readonly Sample[]) => {
  const votes = new Votes();
  for (const [classification, timeMs, weight] of samples) votes.add(classification, { timeMs, weight });
  return votes.result();
};

describe('votes', () => {
  test.each<[string, Sample[], AttributeKey[], AttributeKey[]]>([
    ['nothing was said', [], [], []],
    ['a flag holds from one half on', [[{ hat: 0.5 }, 0, 1]], ['hat'], ['hat']],
    ['below it is known and does not hold', [[{ hat: 0.4 }, 0, 1]], [], ['hat']],
    [
      'a better look counts more',
      [
        [{ hat: 0 }, 0, 0.2],
        [{ hat: 1 }, 0, 0.9],
      ],
      ['hat'],
      ['hat'],
    ],
    [
      'of keys that exclude each other the strongest',
      [[{ female: 0.45, male: 0.55 }, 0, 1]],
      ['male'],
      ['female', 'male'],
    ],
    [
      'three that are all weak: none',
      [[{ ageLess18: 0.34, age18To60: 0.33, ageOver60: 0.33 }, 0, 1]],
      [],
      ['ageLess18', 'age18To60', 'ageOver60'],
    ],
    [
      'between two ways to be turned nothing is told of it',
      [[{ front: 0.6, side: 0.4, back: 0, hat: 1 }, 0, 1]],
      ['hat'],
      ['hat'],
    ],
    [
      'the next look may make it sure again',
      [
        [{ front: 0.5, side: 0.5, back: 0 }, 0, 1],
        [{ front: 0.9, side: 0.1, back: 0 }, 700, 1],
      ],
      ['front'],
      ['front', 'side', 'back'],
    ],
    ['one alone needs one half', [[{ trousers: 0.45 }, 0, 1]], [], ['trousers']],
    [
      'people turn round: old looks fade',
      [
        [{ front: 1, side: 0, back: 0 }, 0, 1],
        [{ front: 0, side: 0, back: 1 }, 8_000, 0.5],
      ],
      ['back'],
      ['front', 'side', 'back'],
    ],
    [
      'clothes stay',
      [
        [{ hat: 1 }, 0, 1],
        [{ hat: 0 }, 60_000, 0.9],
      ],
      ['hat'],
      ['hat'],
    ],
    [
      'bags are often missed',
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
