import { Prisma } from '../../platform/prisma-client/client.ts';

/** Older metrics do not say what is in front of the camera now. */
const FRESH_SECONDS = 60;

/** Of "Scene" s and its "Device" d: a run measures the scene now. What an ended run measured last stays, and does not count. */
export const MEASURED_NOW = Prisma.sql`(
  s."latestMetrics" IS NOT NULL AND d.fault IS NULL AND s."analysisStatus" IN ('running', 'stopping')
  AND s."metricsUpdatedAt" > now() - make_interval(secs => ${FRESH_SECONDS}::int))`;
