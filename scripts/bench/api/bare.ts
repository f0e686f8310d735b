import express from 'express';
import pg from 'pg';
import { onStopRequest } from '../../../src/platform/processes/processes.ts';

// The program that a scene's detail is compared with: express and pg as they come, one query, no key, no checks, no log.
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
// The API sends no etag either. Express would compute a hash of each answer.
const app = express().disable('etag');
app.get('/api/v1/scenes/:id', async (request, response) => {
  const { rows } = await pool.query(
    `SELECT id, "deviceId", name, description, "analysisType", status, "analysisStatus", "analysisStartedAt",
       "processingComputeNodeId", config, "latestMetrics", "metricsUpdatedAt", "userId", "createdAt", "updatedAt"
     FROM "Scene" WHERE id = $1 AND "deletedAt" IS NULL`,
    [request.params.id],
  );
  if (rows[0]) response.json({ success: true, statusCode: 200, data: rows[0] });
  else response.status(404).json({ success: false, statusCode: 404 });
});
app.listen(Number(process.env.PORT), '127.0.0.1');
onStopRequest(() => process.exit(0));
