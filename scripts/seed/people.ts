import type pg from 'pg';
import { makeApiKey } from '../../src/access/api-key.ts';
import { SCOPES } from '../../src/http/permission.ts';
import { createRandom } from '../../src/simulator/random.ts';
import { SHOP_ZONES } from '../../src/simulator/shop-zones.ts';
import { parametersSchema } from '../../src/vision/scene-config.ts';
import { ID_SALT } from './functions.ts';
import { sampleBytes, sampleMetrics } from './numbers.ts';
import { devicesOf, emailOf, type SeedPlan, SPAN_DAYS } from './plan.ts';

/** An entry of the file of API keys. */
export interface SeededKey {
  readonly email: string;
  readonly userId: string;
  readonly key: string;
}

const NODES = 4;
const SAMPLES = 1000;

/**
 * Fills users with keys, nodes, devices, scenes and rules. For later statements it leaves the temporary tables `seed_user`,
 * `seed_scene` (a scene with its device, owner and two rules) and `seed_sample` (metrics of scenes).
 * @param sealUrl encrypts a stream address as the API does
 */
export async function addPeople(
  client: pg.Client,
  plan: SeedPlan,
  sealUrl: (url: string) => string,
): Promise<SeededKey[]> {
  const created = new Date(plan.until.getTime() - (SPAN_DAYS + 1) * 86_400_000).toISOString();
  await client.query(
    `CREATE TEMP TABLE seed_user AS
     SELECT n, pg_temp.id($1::timestamptz + n * interval '1 ms', n, ${ID_SALT.user}) AS id, email
     FROM unnest($2::text[]) WITH ORDINALITY AS t(email, n)`,
    [created, Array.from({ length: plan.users }, (_, at) => emailOf(at + 1))],
  );
  await client.query(
    `INSERT INTO "User" (id, email, name, "createdAt", "updatedAt")
     SELECT id, email, 'Shop ' || n, $1, $1 FROM seed_user ORDER BY n`,
    [created],
  );
  const keys = await addKeys(client);
  await client.query(
    `INSERT INTO "ComputeNode" (id, name, host, health, "maxConcurrentDevices", version, "lastHeartbeatAt", "updatedAt")
     SELECT pg_temp.id($1, n, ${ID_SALT.node}), 'seed-node-' || n, 'seed', 'offline', 200, '0', $1, $1
     FROM generate_series(1, ${NODES}) n`,
    [created],
  );
  await addScenes(client, plan, { created, sealUrl });
  await client.query(
    `CREATE TEMP TABLE seed_sample AS
     SELECT n, decode(value ->> 'current', 'hex') AS "current", value AS all_windows
     FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS t(value, n)`,
    [JSON.stringify(Array.from({ length: SAMPLES }, (_, at) => sampleBytes(createRandom(plan.seed, at))))],
  );
  await client.query('ALTER TABLE seed_sample ADD PRIMARY KEY (n); ANALYZE seed_sample; ANALYZE seed_scene');
  return keys;
}

/** Keys are random: everybody could derive a key that follows from a seed. */
async function addKeys(client: pg.Client): Promise<SeededKey[]> {
  const { rows } = await client.query<{ id: string; email: string }>(
    'SELECT id, email FROM seed_user ORDER BY n',
  );
  const scopes = Object.keys(SCOPES).filter((scope) => scope !== 'admin');
  const made = rows.map(({ id, email }) => ({ email, userId: id, ...makeApiKey() }));
  await client.query(
    `INSERT INTO "ApiKey" ("userId", name, "keyId", "secretHash", last4, scopes)
     SELECT user_id, 'seed', key_id, decode(hash, 'hex'), last4, $5
     FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) AS t(user_id, key_id, hash, last4)`,
    [
      made.map(({ userId }) => userId),
      made.map(({ keyId }) => keyId),
      made.map(({ secretHash }) => Buffer.from(secretHash).toString('hex')),
      made.map(({ last4 }) => last4),
      scopes,
    ],
  );
  return made.map(({ email, userId, key }) => ({ email, userId, key }));
}

async function addScenes(
  client: pg.Client,
  plan: SeedPlan,
  { created, sealUrl }: { created: string; sealUrl: (url: string) => string },
): Promise<void> {
  const places = Array.from({ length: plan.users }, (_, at) => at + 1).flatMap((user) =>
    Array.from({ length: devicesOf(plan, user) }, (_, at) => ({ user, at })),
  );
  const rows = places.map(({ user, at }, index) => ({
    n: index + 1,
    user_n: user,
    place: at,
    url: sealUrl(`sim:shop?seed=${index + 1}`),
    metrics: sampleMetrics(createRandom(plan.seed, 1_000_000 + index)),
  }));
  await client.query(
    `CREATE TEMP TABLE seed_scene AS
     SELECT t.n, t.user_n, t.place, t.url, t.metrics, u.id AS user_id,
       pg_temp.id($1, t.n, ${ID_SALT.device}) AS device_id, pg_temp.id($1, t.n, ${ID_SALT.scene}) AS scene_id,
       pg_temp.id($1, t.n * 2, ${ID_SALT.rule}) AS warning_id, pg_temp.id($1, t.n * 2 + 1, ${ID_SALT.rule}) AS critical_id,
       pg_temp.id($1, 1 + t.n % ${NODES}, ${ID_SALT.node}) AS node_id
     FROM jsonb_to_recordset($2) AS t(n bigint, user_n bigint, place int, url text, metrics jsonb)
     JOIN seed_user u ON u.n = t.user_n`,
    [created, JSON.stringify(rows)],
  );
  const config = { zones: SHOP_ZONES, parameters: parametersSchema.parse({}) };
  await client.query(
    `INSERT INTO "Device" (id, "userId", name, "streamUrlEncrypted", plan, "onlineStatus", "createdAt", "updatedAt")
     SELECT device_id, user_id, 'Camera ' || place + 1, url,
       (CASE WHEN n % 2 = 1 THEN 'LEVEL_02' ELSE 'LEVEL_01' END)::"DevicePlan", 'online',
       $1::timestamptz + n * interval '1 ms', $1
     FROM seed_scene ORDER BY n`,
    [created],
  );
  await client.query(
    `INSERT INTO "Scene" (id, "userId", "deviceId", name, config, "latestMetrics", "metricsUpdatedAt", "createdAt", "updatedAt")
     SELECT scene_id, user_id, device_id, 'Till ' || place + 1, $2, metrics, $3, $1::timestamptz + n * interval '1 ms', $1
     FROM seed_scene ORDER BY n`,
    [created, JSON.stringify(config), plan.until],
  );
  const rule = (severity: 'warning' | 'critical', threshold: number) => `
    SELECT ${severity}_id, user_id, scene_id, device_id, 'Queue over ${threshold}', '${severity}'::"Severity",
      '[{"metricPath":"current.inQueue","operator":"GT","threshold":${threshold}}]'::jsonb, $1::timestamptz, $1::timestamptz
    FROM seed_scene`;
  await client.query(
    `INSERT INTO "AlertRule" (id, "userId", "sceneId", "deviceId", name, severity, conditions, "createdAt", "updatedAt")
     ${rule('warning', 5)} UNION ALL ${rule('critical', 10)}`,
    [created],
  );
}
