import { query, withClient } from '../../support/sql.ts';

const NODE = '00000000-0000-7000-8000-00000000be0c';

/** Adds a node that counts as alive during the bench and never claims a run: started runs stay queued. */
export const addNode = (databaseUrl: string): Promise<unknown> =>
  query(
    databaseUrl,
    `INSERT INTO "ComputeNode" (id, name, host, "maxConcurrentDevices", version, "lastHeartbeatAt", "updatedAt")
     VALUES ($1, 'bench', 'bench', 1000000, '0', clock_timestamp() + interval '1 hour', clock_timestamp())
     ON CONFLICT (id) DO UPDATE SET health = 'healthy', "lastHeartbeatAt" = excluded."lastHeartbeatAt"`,
    [NODE],
  );

/** Makes every scene idle, as the seeding left it, and removes the bench's node. */
export const resetScenes = (databaseUrl: string): Promise<void> =>
  withClient(databaseUrl, async (client) => {
    await client.query(`DELETE FROM "AnalysisTask" WHERE status IN ('QUEUED', 'PROCESSING')`);
    await client.query(
      `UPDATE "Scene" SET "analysisStatus" = 'idle', "analysisStartedAt" = NULL WHERE "analysisStatus" <> 'idle'`,
    );
    await client.query(`DELETE FROM "ComputeNode" WHERE id = $1`, [NODE]);
    await client.query('VACUUM (ANALYZE) "AnalysisTask", "Scene"');
  });
