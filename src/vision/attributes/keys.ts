/** What is counted about people, by category: 27 keys in all. */
export const ATTRIBUTE_CATEGORIES = {
  gender: ['female', 'male'],
  age: ['ageLess18', 'age18To60', 'ageOver60'],
  orientation: ['front', 'side', 'back'],
  accessories: ['hat', 'glasses', 'handBag', 'shoulderBag', 'backpack', 'holdObjectsInFront'],
  clothing: ['shortSleeve', 'longSleeve', 'longCoat', 'trousers', 'shorts', 'skirtDress', 'boots'],
  upperColour: ['upperBlack', 'upperWhite', 'upperRed', 'upperPurple', 'upperYellow', 'upperGray'],
} as const;

export type AttributeKey = (typeof ATTRIBUTE_CATEGORIES)[keyof typeof ATTRIBUTE_CATEGORIES][number];

/** All keys, in the order of the specification. */
export const ALL_ATTRIBUTE_KEYS: readonly AttributeKey[] = Object.values(ATTRIBUTE_CATEGORIES).flat();

/** Keys of which at most one holds for a person. */
export const EXCLUSIVE: readonly (readonly AttributeKey[])[] = [
  ATTRIBUTE_CATEGORIES.gender,
  ATTRIBUTE_CATEGORIES.age,
  ATTRIBUTE_CATEGORIES.orientation,
  ['shortSleeve', 'longSleeve'],
  ['trousers', 'shorts', 'skirtDress'],
  ATTRIBUTE_CATEGORIES.upperColour,
];

/** How sure one look at a person is of each key, 0-1; a key about which it says nothing is left out. */
export type Classification = Partial<Record<AttributeKey, number>>;
