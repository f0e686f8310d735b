import { WINDOWS } from '../../src/catalogue/metrics/all.ts';
import { ID_SALT, literal } from './functions.ts';
import { type SeedPlan, scenesOf } from './plan.ts';

const SNAPSHOT_SECONDS = 10;
const ROLLING_SECONDS = 60;
/** One snapshot in so many belongs to the largest user's first scene. */
const LARGEST_SCENE_HAS_ONE_IN = 20;

/** How many steps back from the end the snapshots of a scene go. The first scene goes far back; the others begin together. */
export interface SnapshotSteps {
  readonly first: number;
  readonly others: number;
}

/** A step is 10 s. In each step every running scene writes one snapshot. */
export function snapshotSteps(plan: SeedPlan): SnapshotSteps {
  const scenes = scenesOf(plan);
  if (scenes === 1) return { first: plan.snapshots, others: 0 };
  const others = Math.floor((plan.snapshots * (1 - 1 / LARGEST_SCENE_HAS_ONE_IN)) / (scenes - 1));
  return { first: plan.snapshots - others * (scenes - 1), others };
}

const before = (plan: SeedPlan, seconds: number) =>
  `${literal(plan.until.toISOString())}::timestamptz - step * interval '${seconds} s'`;

/** Fills snapshots from the step `$2` down to `$1`, counted back from the end: in the order of time, as runs write. */
export function fillSnapshots(plan: SeedPlan): string {
  const { first, others } = snapshotSteps(plan);
  return `
    INSERT INTO "MetricSnapshot" (id, "sceneId", "deviceId", "windowStart", "windowEnd", "durationSeconds",
      numbers, "computeNodeId", "createdAt")
    SELECT pg_temp.id(at, s.n * 10000000 + step, ${ID_SALT.snapshot}), s.scene_id, s.device_id,
      at - interval '${SNAPSHOT_SECONDS} s', at, ${SNAPSHOT_SECONDS}, m."current", s.node_id, at
    FROM generate_series($1::bigint, $2::bigint) step
    CROSS JOIN LATERAL (SELECT ${before(plan, SNAPSHOT_SECONDS)} AS at) t
    JOIN seed_scene s ON step < CASE s.n WHEN 1 THEN ${first} ELSE ${others} END
    JOIN seed_sample m ON m.n = 1 + (s.n * 7 + step) % 1000
    ORDER BY step DESC, s.n`;
}

/** Fills rolling records, five windows for each scene, from the step `$2` down to `$1`. */
export const fillRolling = (plan: SeedPlan): string => `
  INSERT INTO "RollingRecord" (id, "sceneId", "deviceId", "windowType", "windowStart", "windowEnd", numbers,
    "computeNodeId", "createdAt")
  SELECT pg_temp.id(at, (s.n * 1000000 + step) * 5 + w.n, ${ID_SALT.rolling}), s.scene_id, s.device_id, w.type,
    at - w.ms * interval '1 ms', at, decode(m.all_windows ->> w.name, 'hex'), s.node_id, at
  FROM generate_series($1::bigint, $2::bigint) step
  CROSS JOIN LATERAL (SELECT ${before(plan, ROLLING_SECONDS)} AS at) t
  CROSS JOIN seed_scene s
  CROSS JOIN (VALUES ${windows()}) w(n, name, type, ms)
  JOIN seed_sample m ON m.n = 1 + (s.n * 7 + step) % 1000
  ORDER BY step DESC, s.n, w.n`;

function windows(): string {
  const all = [...WINDOWS, { name: 'total', windowType: 'total', lengthMs: 31 * 86_400_000 }];
  return all
    .map(({ name, windowType, lengthMs }, at) => `(${at}, '${name}', '${windowType}', ${lengthMs})`)
    .join(', ');
}
