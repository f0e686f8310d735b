/** The attributes of a person by category: 27 keys in all. */
export const ATTRIBUTE_CATEGORIES = {
  gender: ['female', 'male'],
  age: ['ageLess18', 'age18To60', 'ageOver60'],
  orientation: ['front', 'side', 'back'],
  accessories: ['hat', 'glasses', 'handBag', 'shoulderBag', 'backpack', 'holdObjectsInFront'],
  clothing: ['shortSleeve', 'longSleeve', 'longCoat', 'trousers', 'shorts', 'skirtDress', 'boots'],
  upperColour: ['upperBlack', 'upperWhite', 'upperRed', 'upperPurple', 'upperYellow', 'upperGray'],
} as const;

/** The categories that the owner of a camera can switch off, because they are sensitive. */
export const SENSITIVE_GROUPS = ['gender', 'age'] as const satisfies (keyof typeof ATTRIBUTE_CATEGORIES)[];
export type SensitiveGroup = (typeof SENSITIVE_GROUPS)[number];

export type AttributeKey = (typeof ATTRIBUTE_CATEGORIES)[keyof typeof ATTRIBUTE_CATEGORIES][number];

/** All keys, in the order of the specification. */
export const ALL_ATTRIBUTE_KEYS: readonly AttributeKey[] = Object.values(ATTRIBUTE_CATEGORIES).flat();

/** The groups that are switched off. @param on those that are determined */
export const switchedOffGroups = (on: readonly SensitiveGroup[]): SensitiveGroup[] =>
  SENSITIVE_GROUPS.filter((group) => !on.includes(group));

/** Without the keys of groups that are switched off. @param on the sensitive groups that are determined */
export function keysWithin<Key extends string>(keys: readonly Key[], on: readonly SensitiveGroup[]): Key[] {
  const off: readonly string[] = switchedOffGroups(on).flatMap((group) => [...ATTRIBUTE_CATEGORIES[group]]);
  return keys.filter((key) => !off.includes(key));
}

/** Groups of keys of which at most one holds for a person. */
export const EXCLUSIVE: readonly (readonly AttributeKey[])[] = [
  ATTRIBUTE_CATEGORIES.gender,
  ATTRIBUTE_CATEGORIES.age,
  ATTRIBUTE_CATEGORIES.orientation,
  ['shortSleeve', 'longSleeve'],
  ['trousers', 'shorts', 'skirtDress'],
  ATTRIBUTE_CATEGORIES.upperColour,
];

/** How likely each key holds for the person of one crop, 0-1; unknown keys are left out. */
export type Classification = Partial<Record<AttributeKey, number>>;
