import { sampleMetrics } from '../../../scripts/seed/numbers.ts';
import { CHANNELS, notify } from '../../../src/platform/database/notify.ts';
import type { Prisma, Severity } from '../../../src/platform/prisma-client/client.ts';
import { createRandom } from '../../../src/simulator/random.ts';
import type { ApiUser, TestApi } from '../api.ts';
import { addAlert, addRule } from '../rows/alert-rows.ts';
import { insertRows } from '../rows/insert-rows.ts';
import { queueScene } from '../rows/runs.ts';

interface Checkout {
  readonly device?: string;
  readonly scene?: string;
  readonly inQueue?: number;
  readonly estimatedWaitSeconds?: number | null;
  readonly inService?: number;
  /** Age of the numbers; not given: they count as those of now, however slow the machine is. */
  readonly ageSeconds?: number;
  /** A rule of this severity fires, with an alert event. */
  readonly firing?: Severity;
  readonly message?: string;
  readonly columns?: Partial<Prisma.DeviceUncheckedUpdateInput>;
  readonly analysisStatus?: 'running' | 'starting' | 'stopped' | 'error';
  readonly timezone?: string;
}

export interface AddedCheckout {
  readonly deviceId: string;
  readonly sceneId: string;
}

/** A camera with a scene that is being analysed, with its numbers and its last hour, as a node leaves them. */
export async function addCheckout(
  { context: { db } }: TestApi,
  user: ApiUser,
  wanted: Checkout = {},
): Promise<AddedCheckout> {
  const { device = 'Till 3', scene = 'Queue at till 3', timezone = 'Europe/Berlin' } = wanted;
  const { id: deviceId } = (
    await user.post('/devices', { name: device, streamUrl: 'sim:shop?seed=1', timezone })
  ).body.data;
  await db.device.update({ where: { id: deviceId }, data: { onlineStatus: 'online', ...wanted.columns } });
  const queued = await queueScene(db, { id: deviceId, userId: user.userId });
  const sceneId = queued.scene.id;
  const analysisStatus = wanted.analysisStatus ?? 'running';
  await db.scene.update({ where: { id: sceneId }, data: { name: scene, analysisStatus } });
  await db.analysisTask.delete({ where: { id: queued.task.id } });
  await writeNumbers({ db }, sceneId, wanted);
  const now = Date.now();
  await insertRows(
    db,
    'OccupancyMinute',
    // Those to come too: the last minutes are known, however slow the machine is.
    Array.from({ length: 90 }, (_, row) => {
      const at = row - 30;
      const people = Math.max(0, Math.round((wanted.inQueue ?? 3) * (0.6 + 0.5 * Math.sin(at / 7))));
      return {
        sceneId,
        minute: new Date(Math.floor(now / 60_000 - at) * 60_000),
        ...{ coveredMs: 60_000, inQueueMs: BigInt(people * 60_000), inServiceMs: 60_000n, busyMs: 60_000 },
        ...{ maxInQueue: people + 1, maxInService: 1 },
      };
    }),
  );
  if (wanted.firing) {
    const place = { userId: user.userId, deviceId, sceneId };
    const rule = await addRule(db, place, { severity: wanted.firing, isFiring: true });
    const triggeredAt = new Date(now - 240_000);
    const message = wanted.message ?? `${scene}: 9 people waiting, more than 5`;
    await addAlert(db, rule, { event: { triggeredAt, severity: wanted.firing, message } });
  }
  return { deviceId, sceneId };
}

/** Ahead of the clock by this and more, each write a second more: none is older than the one before it. */
let aheadSeconds = 3600;

/** New numbers of a scene, as a node writes them, and the notification for the event streams. */
export async function writeNumbers(
  { db }: Pick<TestApi['context'], 'db'>,
  sceneId: string,
  numbers: Pick<Checkout, 'inQueue' | 'inService' | 'estimatedWaitSeconds' | 'ageSeconds'>,
): Promise<void> {
  const { inQueue = 3, inService = 1, estimatedWaitSeconds = inQueue * 40 } = numbers;
  aheadSeconds += 1;
  const { ageSeconds = -aheadSeconds } = numbers;
  const sample = sampleMetrics(createRandom(1));
  const current = {
    ...(sample.current as object),
    ...{ inQueue, inService, totalPresent: inQueue + inService, estimatedWaitSeconds },
  };
  const [{ userId }] = await db.$queryRaw<[{ userId: string }]>`
    UPDATE "Scene" SET "latestMetrics" = ${JSON.stringify({ ...sample, current })}::jsonb,
      "metricsUpdatedAt" = clock_timestamp() - make_interval(secs => ${ageSeconds}) WHERE id = ${sceneId}::uuid
    RETURNING "userId"`;
  await notify(db, CHANNELS.metrics, userId);
}
