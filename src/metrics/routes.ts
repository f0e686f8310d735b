import { z } from 'zod';
import { orNotFound } from '../http/errors.ts';
import { idParams } from '../http/fields.ts';
import { mapPage } from '../http/paging.ts';
import { route } from '../http/route.ts';
import type { Db } from '../platform/database/db.ts';
import { presentBriefSnapshot, presentRolling, presentSnapshot } from './present.ts';
import {
  latestRolling,
  latestRollingQuery,
  latestSnapshotsQuery,
  rollingQuery,
  rollingRecord,
  sceneLatest,
  sceneLatestQuery,
  snapshot,
  snapshotsQuery,
} from './schema.ts';
import {
  findLatestRolling,
  findLatestSnapshots,
  findOwnScene,
  listRolling,
  listSnapshots,
  type MeasuredScene,
} from './snapshot.store.ts';

/** @throws ApiError NOT_FOUND */
async function requireScene(db: Db, userId: string, sceneId: string) {
  const scene = orNotFound(await findOwnScene(db, userId, sceneId), 'Scene');
  return scene;
}

async function readLatestRolling(db: Db, scene: MeasuredScene): Promise<z.input<typeof latestRolling>> {
  const latest = async (windowType: string) => {
    const row = await findLatestRolling(db, scene, windowType);
    return row && presentRolling(row);
  };
  const [five, fifteen, thirty, sixty, total] = await Promise.all([
    latest('5min'),
    latest('15min'),
    latest('30min'),
    latest('60min'),
    latest('total'),
  ]);
  return { '5min': five, '15min': fifteen, '30min': thirty, '60min': sixty, total };
}

export const analyticsRoutes = [
  route({
    name: 'listSnapshots',
    method: 'get',
    path: '/analytics/snapshots',
    scope: 'analytics:read',
    summary: 'List metric snapshots of a scene, newest first',
    query: snapshotsQuery,
    paging: 'A',
    response: snapshot,
    errors: ['NOT_FOUND', 'INVALID_DATE_RANGE'],
  }).answers(async ({ context, caller, query }) => {
    await requireScene(context.db, caller.userId, query.sceneId);
    return mapPage(await listSnapshots(context.db, query), presentSnapshot);
  }),

  route({
    name: 'listLatestSnapshots',
    method: 'get',
    path: '/analytics/snapshots/latest',
    scope: 'analytics:read',
    summary: 'List the newest metric snapshots of a scene',
    query: latestSnapshotsQuery,
    response: z.array(snapshot),
    errors: ['NOT_FOUND'],
  }).answers(async ({ context, caller, query }) => {
    const scene = await requireScene(context.db, caller.userId, query.sceneId);
    return (await findLatestSnapshots(context.db, scene, query.limit)).map(presentSnapshot);
  }),

  route({
    name: 'listRollingRecords',
    method: 'get',
    path: '/analytics/rolling',
    scope: 'analytics:read',
    summary: 'List rolling statistics of a scene, newest first',
    query: rollingQuery,
    paging: 'A',
    response: rollingRecord,
    errors: ['NOT_FOUND', 'INVALID_DATE_RANGE'],
  }).answers(async ({ context, caller, query }) => {
    await requireScene(context.db, caller.userId, query.sceneId);
    return mapPage(await listRolling(context.db, query), presentRolling);
  }),

  route({
    name: 'getLatestRollingRecord',
    method: 'get',
    path: '/analytics/rolling/latest',
    scope: 'analytics:read',
    summary: 'Read the newest rolling statistics of a scene, by window',
    query: latestRollingQuery,
    response: latestRolling,
    errors: ['NOT_FOUND'],
  }).answers(async ({ context, caller, query }) => {
    const scene = await requireScene(context.db, caller.userId, query.sceneId);
    return readLatestRolling(context.db, scene);
  }),

  route({
    name: 'getLatestMetrics',
    method: 'get',
    path: '/analytics/scenes/{id}/latest',
    scope: 'analytics:read',
    summary: 'Read the newest metrics of a scene in one call',
    params: idParams,
    query: sceneLatestQuery,
    response: sceneLatest,
  }).answers(async ({ context, caller, params, query }) => {
    const { db } = context;
    const scene = await requireScene(db, caller.userId, params.id);
    const [snapshots, rolling] = await Promise.all([
      query.includeSnapshots ? findLatestSnapshots(db, scene, query.snapshotLimit) : undefined,
      query.includeRolling ? readLatestRolling(db, scene) : undefined,
    ]);
    return {
      sceneId: scene.id,
      ...(snapshots && { snapshots: snapshots.map(presentBriefSnapshot) }),
      ...(rolling && { rolling }),
      lastUpdatedAt: scene.metricsUpdatedAt?.toISOString() ?? null,
    };
  }),
];
