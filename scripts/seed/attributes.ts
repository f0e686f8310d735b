import { SUMMED_KEYS } from '../../src/attributes/capture.ts';
import { ALL_ATTRIBUTE_KEYS, type AttributeKey } from '../../src/vision/attributes/keys.ts';
import { ID_SALT, literal } from './functions.ts';
import { type SeedPlan, SPAN_DAYS } from './plan.ts';

const DRAW = { scene: 50, people: 51, female: 52, young: 53, old: 54, key: 60 };

/** Made-up people have a known value for every key. */
const keysOf = (keys: readonly AttributeKey[]) =>
  `ARRAY[${keys.map((key) => `'${key}'`).join(', ')}]::text[]`;
const ALL_KEYS = keysOf(ALL_ATTRIBUTE_KEYS);

/** How many of a record's `people` have a key. */
function countOf(key: AttributeKey, at: number): string {
  if (key === 'female') return 'female';
  if (key === 'male') return 'people - female';
  if (key === 'ageLess18') return 'young';
  if (key === 'ageOver60') return 'old';
  if (key === 'age18To60') return 'people - young - old';
  return `pg_temp.below(i, ${DRAW.key + at}, people + 1)`;
}

/** Fills attribute records of the numbers `$1` to `$2`, of LEVEL_02 devices. */
export const fillAttributes = (plan: SeedPlan): string => `
  INSERT INTO "AttributeRecord" (id, "userId", "deviceId", "sceneId", "computeNodeId", "capturedAt", "totalPersons",
    attributes, known, "coveredKeys", persons, "createdAt", "updatedAt")
  SELECT pg_temp.id(at, i, ${ID_SALT.attribute}), s.user_id, s.device_id, s.scene_id, s.node_id, at, people,
    jsonb_build_object(${ALL_ATTRIBUTE_KEYS.map((key, k) => `'${key}', ${countOf(key, k)}`).join(', ')}),
    jsonb_build_object(${ALL_ATTRIBUTE_KEYS.map((key) => `'${key}', people`).join(', ')}), ${ALL_KEYS},
    jsonb_build_array(jsonb_build_object('trackId', i % 100000, 'confidence', 0.8, 'attributes', jsonb_build_array(
      CASE WHEN female > 0 THEN 'female' ELSE 'male' END), 'known', to_jsonb(${ALL_KEYS}),
      'box', jsonb_build_object('left', 0.4, 'top', 0.2, 'right', 0.5, 'bottom', 0.8))), at, at
  FROM generate_series($1::bigint, $2::bigint) i
  CROSS JOIN LATERAL (SELECT date_trunc('milliseconds', ${literal(plan.until.toISOString())}::timestamptz
    - (${plan.attributes ?? 0} - i + 1) * ${(SPAN_DAYS * 86_400_000) / Math.max(1, plan.attributes ?? 0)} * interval '1 ms') AS at) t
  CROSS JOIN LATERAL (SELECT 1 + pg_temp.below(i, ${DRAW.people}, 8) AS people) p
  CROSS JOIN LATERAL (SELECT pg_temp.below(i, ${DRAW.female}, people + 1) AS female,
    pg_temp.below(i, ${DRAW.young}, 2) AS young, LEAST(people - 1, pg_temp.below(i, ${DRAW.old}, 2)) AS old) c
  JOIN seed_scene s ON s.n = 1 + 2 * pg_temp.below(i, ${DRAW.scene}, ((SELECT count(*) FROM seed_scene) + 1)::int / 2)
  ORDER BY i`;

/** Fills the hourly sums of the records. Every person counts as captured once. */
export const DERIVE_ATTRIBUTES = `
  INSERT INTO "AttributeHour" ("userId", "deviceId", "sceneId", hour, "totalRecords", "totalPersons", female, male,
    "ageLess18", "age18To60", "ageOver60", "knownFemale", "knownMale", "knownAgeLess18", "knownAge18To60",
    "knownAgeOver60", "coveredKeys")
  SELECT "userId", "deviceId", "sceneId", date_trunc('hour', "capturedAt", 'UTC'), count(*), sum("totalPersons"),
    sum((attributes->>'female')::int), sum((attributes->>'male')::int), sum((attributes->>'ageLess18')::int),
    sum((attributes->>'age18To60')::int), sum((attributes->>'ageOver60')::int),
    sum("totalPersons"), sum("totalPersons"), sum("totalPersons"), sum("totalPersons"), sum("totalPersons"),
    ${keysOf(SUMMED_KEYS)}
  FROM "AttributeRecord" GROUP BY 1, 2, 3, 4`;
