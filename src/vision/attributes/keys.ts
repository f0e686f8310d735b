/** What is counted about people, by category: 27 keys in all. */
const ATTRIBUTE_KEYS = {
  gender: ['female', 'male'],
  age: ['ageLess18', 'age18To60', 'ageOver60'],
  orientation: ['front', 'side', 'back'],
  accessories: ['hat', 'glasses', 'handBag', 'shoulderBag', 'backpack', 'holdObjectsInFront'],
  clothing: ['shortSleeve', 'longSleeve', 'longCoat', 'trousers', 'shorts', 'skirtDress', 'boots'],
  upperColour: ['upperBlack', 'upperWhite', 'upperRed', 'upperPurple', 'upperYellow', 'upperGray'],
} as const;

export type AttributeKey = (typeof ATTRIBUTE_KEYS)[keyof typeof ATTRIBUTE_KEYS][number];

/** All keys, in the order of the specification. */
export const ALL_ATTRIBUTE_KEYS: readonly AttributeKey[] = Object.values(ATTRIBUTE_KEYS).flat();
