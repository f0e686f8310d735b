import { describe, expect, test } from '@jest/globals';
import { coveredKeys } from '../../src/models/covered-keys.ts';
import { MODELS_DIR } from '../../src/platform/config.ts';
import { ALL_ATTRIBUTE_KEYS } from '../../src/vision/attributes/keys.ts';

const missing = async (...names: string[]) => {
  const covered = await coveredKeys(names, MODELS_DIR);
  return ALL_ATTRIBUTE_KEYS.filter((key) => !covered.includes(key));
};

describe('the keys that models can tell', () => {
  test('of the embedded default are all but six', async () => {
    const never = ['hat', 'glasses', 'shoulderBag', 'holdObjectsInFront', 'longCoat', 'boots'];
    expect(await missing('embedded')).toEqual(never);
  });

  test('of a network are those its card names', async () => {
    expect(await coveredKeys(['person-attributes-0230'], MODELS_DIR)).toEqual([
      'female',
      'male',
      'hat',
      'backpack',
      'shortSleeve',
      'longSleeve',
      'trousers',
    ]);
  });

  test('of several are those of any, in the order of the specification', async () => {
    const names = ['person-attributes-0230', 'embedded'];
    const covered = await coveredKeys(names, MODELS_DIR);
    expect(covered).toContain('hat');
    expect(covered).toEqual(ALL_ATTRIBUTE_KEYS.filter((key) => covered.includes(key)));
    expect(await missing('embedded', 'pa100k-26')).toEqual([]);
  });

  test('of none are none, and an unknown model is refused', async () => {
    expect(await coveredKeys([], MODELS_DIR)).toEqual([]);
    await expect(coveredKeys(['nobody'], MODELS_DIR)).rejects.toThrow(/no attribute model "nobody"/);
  });
});
