import { charge } from '../../../src/billing/charge.ts';
import { sealCameras } from '../../../src/cameras/discovery/seal-secrets.ts';
import { CURRENT, ROLLING, TOTAL, WINDOWS } from '../../../src/catalogue/metrics/all.ts';
import { EXAMPLE_TIME } from '../../../src/http/openapi/example-shop.ts';
import { nester } from '../../../src/metrics/measured-by-zones.ts';
import type { Context } from '../../../src/platform/context.ts';
import { addShopDays } from '../../support/rows/shop-days.ts';
import type { Rows } from '../rows.ts';
import { TILLS } from './bodies.ts';

/** When every call is made, and shortly before it what each row is about: as in the examples of events. */
export const NOW = new Date(EXAMPLE_TIME.answered);
export const WHEN = new Date(EXAMPLE_TIME.alert);
const before = (minutes: number) => new Date(WHEN.getTime() - minutes * 60_000);

/** Names of rows by their kind. */
export const NAMES: Readonly<Record<string, string>> = {
  Camera: 'Camera till 1',
  Till: 'Till 1',
  Shop: 'Market Street',
  Rule: 'Long queue',
  'People wait': 'Seven people wait at the till, one of them with a pram.',
  Recording: 'Saturday morning',
};

const examplesOf = (metrics: readonly { readonly name: string; readonly example: number }[]) =>
  nester(metrics)(({ example }) => example);
const NUMBERS = {
  current: examplesOf(CURRENT),
  ...Object.fromEntries(WINDOWS.map(({ name }) => [name, examplesOf(ROLLING)])),
  total: examplesOf(TOTAL),
};

const CAMERA = {
  ...{ address: '192.168.1.20', serviceUrl: 'http://192.168.1.20/onvif/device_service', name: 'Till 1' },
  ...{ manufacturer: 'Example', model: 'IPC-4', firmwareVersion: '1.2.0', serialNumber: 'SN0042' },
  ...{ macAddress: '00:11:22:33:44:55', isAsked: true, credentials: 'accepted', error: null },
  streams: [
    {
      ...{ profile: 'main', url: 'rtsp://192.168.1.20:554/stream1', codec: 'h264' },
      ...{ width: 1920, height: 1080, fps: 25 },
    },
  ],
} as const;

/** What four weeks in the shop leave beside a row of each kind. */
export async function fillShop({ db, sealer }: Context, rows: Rows): Promise<void> {
  const { user: userId, device: deviceId, scene: sceneId, node, discovery } = rows;
  // The database asks its own clock whether a node is alive.
  const lastHeartbeatAt = new Date(Date.now() + 600_000);
  await db.computeNode.update({ where: { id: node }, data: { lastHeartbeatAt } });
  const days = { firstDay: '2026-01-03', days: 29, opens: 8, closes: 12, timezone: 'Europe/Berlin' };
  await addShopDays(db, { ...days, sceneId, until: WHEN });
  const { config } = await db.scene.findUniqueOrThrow({ where: { id: sceneId } });
  const { zones } = config as { zones: object };
  const withTills = { ...zones, tills: TILLS };
  await db.scene.update({
    where: { id: sceneId },
    data: {
      config: { ...(config as object), zones: withTills },
      metricsUpdatedAt: WHEN,
      latestMetrics: JSON.parse(JSON.stringify(NUMBERS)),
    },
  });
  await db.sceneCheck.updateMany({ where: { sceneId }, data: { zones: withTills } });
  const window = { sceneId, deviceId, windowEnd: WHEN, metrics: {}, computeNodeId: node };
  for (const [windowType, minutes] of [
    ['15min', 15],
    ['total', 75],
  ] as const)
    await db.rollingRecord.create({
      data: {
        ...{ ...window, windowType, windowStart: before(minutes) },
        metrics: JSON.parse(JSON.stringify(windowType === 'total' ? NUMBERS.total : examplesOf(ROLLING))),
      },
    });
  await db.tillQuarter.createMany({
    data: TILLS.map(({ id: tillId, name }) => ({
      ...{ sceneId, quarter: before(15), tillId, name },
      ...{ servingSeconds: 600, freeSeconds: 240, closedSeconds: 60, lostSeconds: 30 },
    })),
  });
  await db.staffingAdvice.create({
    data: {
      ...{ sceneId, madeAt: before(60), heldUntil: before(39), startsAt: before(55), endsAt: before(25) },
      ...{ isShadow: false, tills: 2, openTills: 1, lateShare: 0.31, lateShareWithIt: 0.04 },
      ...{ targetWaitSeconds: 180, targetShare: 0.9, outcome: 'helpful', people: 57 },
      ...{ actualLateShare: 0.28, actualOpenTills: 2 },
    },
  });
  const camerasEncrypted = sealCameras(sealer, [CAMERA as never]);
  await db.discoveryRequest.update({
    where: { id: discovery },
    data: { camerasEncrypted, network: '192.168.1.0/24', computeNodeId: node },
  });
  const written = { vlmRequestedAt: WHEN, vlmCompletedAt: NOW };
  await db.insight.update({ where: { id: rows.insight }, data: written });
  await db.$transaction(async (tx) => {
    const charged = { userId, deviceId, sceneId, taskId: rows.endedTask, occurredAt: WHEN };
    await charge(tx, { ...charged, feature: 'analysis', quantity: 60, sourceId: `${rows.endedTask}:60` });
    await charge(tx, { ...charged, feature: 'alert', quantity: 1, sourceId: rows.alert });
  });
}
