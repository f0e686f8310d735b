import { withClient } from './database.ts';

const NODE = '00000000-0000-7000-8000-00000000be0c';

/** A node that is alive for the time of the bench and takes nothing: what is started stays queued. */
export const addNode = (databaseUrl: string): Promise<void> =>
  withClient(databaseUrl, async (client) => {
    await client.query(
      `INSERT INTO "ComputeNode" (id, name, host, "maxConcurrentDevices", version, "lastHeartbeatAt", "updatedAt")
       VALUES ($1, 'bench', 'bench', 1000000, '0', clock_timestamp() + interval '1 hour', clock_timestamp())
       ON CONFLICT (id) DO UPDATE SET health = 'healthy', "lastHeartbeatAt" = excluded."lastHeartbeatAt"`,
      [NODE],
    );
  });

/** Puts every scene back to rest, as the seeding left it; nodes of the bench are gone. */
export const resetScenes = (databaseUrl: string): Promise<void> =>
  withClient(databaseUrl, async (client) => {
    await client.query(`DELETE FROM "AnalysisTask" WHERE status IN ('QUEUED', 'PROCESSING')`);
    await client.query(
      `UPDATE "Scene" SET "analysisStatus" = 'idle', "analysisStartedAt" = NULL WHERE "analysisStatus" <> 'idle'`,
    );
    await client.query(`DELETE FROM "ComputeNode" WHERE id = $1`, [NODE]);
    await client.query('VACUUM (ANALYZE) "AnalysisTask", "Scene"');
  });
