import { EXAMPLE_ID as ID, EXAMPLE_TIME as TIME } from '../../http/openapi/example-shop.ts';
import type { Examples } from '../../http/openapi/examples.ts';
import { ALL_ATTRIBUTE_KEYS, type AttributeKey } from '../../vision/attributes/keys.ts';

/** Two people: a woman in black from the front, and a person seen from behind. */
const HOLDS: Partial<Record<AttributeKey, number>> = {
  female: 1,
  age18To60: 1,
  front: 1,
  back: 1,
  handBag: 1,
  longSleeve: 2,
  trousers: 2,
  upperBlack: 1,
  upperGray: 1,
};
/** Attributes that no embedded model determines. */
const UNTOLD: readonly AttributeKey[] = [
  'hat',
  'glasses',
  'shoulderBag',
  'holdObjectsInFront',
  'longCoat',
  'boots',
];
/** Gender and age need a visible face; only one of the two people shows it. */
const BY_FACE: readonly AttributeKey[] = ['female', 'male', 'ageLess18', 'age18To60', 'ageOver60'];

const perKey = (value: (key: AttributeKey) => number) =>
  Object.fromEntries(ALL_ATTRIBUTE_KEYS.map((key) => [key, value(key)]));
const COUNTS = perKey((key) => HOLDS[key] ?? 0);
const KNOWN = perKey((key) => (UNTOLD.includes(key) ? 0 : BY_FACE.includes(key) ? 1 : 2));
const COVERED = ALL_ATTRIBUTE_KEYS.filter((key) => !UNTOLD.includes(key));
const GENDER = { female: 1, male: 0 };
const AGE = { ageLess18: 0, age18To60: 1, ageOver60: 0 };

/** Examples of attribute records and their statistics. */
export const ATTRIBUTE_EXAMPLES: Examples = {
  AttributeCounts: COUNTS,
  capturedAt: TIME.alert,
  totalPersons: 2,
  'InsightAttributes.id': ID.attributes,
  'AttributeRecord.id': ID.attributes,
  'AttributeDetail.id': ID.attributes,
  'AttributeDetail.createdAt': TIME.stored,
  'AttributeDetail.updatedAt': TIME.stored,
  known: KNOWN,
  coveredKeys: COVERED,
  'AttributeDetail.persons': [
    {
      trackId: 41,
      box: { left: 0.31, top: 0.22, right: 0.38, bottom: 0.71 },
      confidence: 0.91,
      attributes: ['female', 'age18To60', 'front', 'handBag', 'longSleeve', 'trousers', 'upperBlack'],
      known: COVERED,
    },
    {
      trackId: 43,
      box: { left: 0.4, top: 0.25, right: 0.47, bottom: 0.75 },
      confidence: 0.84,
      attributes: ['back', 'longSleeve', 'trousers', 'upperGray'],
      known: COVERED.filter((key) => !BY_FACE.includes(key)),
    },
  ],
  'AttributeStats.totalRecords': 1,
  'AttributeStats.switchedOff': [],
  'AttributeStats.genderDistribution': GENDER,
  'AttributeStats.ageDistribution': AGE,
  'AttributeStats.known': { female: 1, male: 1, ageLess18: 1, age18To60: 1, ageOver60: 1 },
  'AttributeStats.timeline': [
    {
      timestamp: '2026-01-31T08:00:00.000Z',
      personCount: 2,
      attributes: GENDER,
      known: { female: 1, male: 1 },
    },
  ],
};
