import type { LineSigns } from '../../../src/catalogue/metrics/counted.ts';
import type { Db } from '../../../src/platform/database/db.ts';
import {
  addService,
  countService,
  NO_SERVICE,
  type ServiceCounts,
} from '../../../src/waits/service-level.ts';
import { insertRows } from '../../support/rows/insert-rows.ts';

const MINUTE_MS = 60_000;

export interface MinuteRow {
  readonly atMs: number;
  readonly coveredMs?: number;
  /** People on average. */
  readonly inQueue?: number;
  readonly inService?: number;
  readonly busyMs?: number;
  readonly maxInQueue?: number;
  readonly maxInService?: number;
  /** How well the line was seen, people; left out as in rows of earlier versions. */
  readonly signs?: LineSigns;
}

const signSums = ({ followed, unseen, sure, steps }: LineSigns, ms: number) => ({
  ...{ followedMs: followed * ms, unseenMs: unseen * ms, sureMs: sure * ms, stepsMs: steps * ms },
});

/** Stores minutes, covered to the full where nothing else is told. */
export async function addMinutes(db: Db, sceneId: string, minutes: readonly MinuteRow[]): Promise<void> {
  await insertRows(
    db,
    'OccupancyMinute',
    minutes.map(({ atMs, coveredMs = MINUTE_MS, inQueue = 0, inService = 0, ...row }) => ({
      sceneId,
      minute: new Date(atMs),
      coveredMs,
      inQueueMs: Math.round(inQueue * coveredMs),
      inServiceMs: Math.round(inService * coveredMs),
      busyMs: row.busyMs ?? Math.min(1, inService) * coveredMs,
      maxInQueue: row.maxInQueue ?? Math.ceil(inQueue),
      maxInService: row.maxInService ?? Math.ceil(inService),
      ...(row.signs && signSums(row.signs, coveredMs)),
    })),
  );
}

export interface VisitRow {
  readonly outcome: 'completed' | 'abandoned' | 'lost' | 'discarded' | null;
  /** When the visit arrived, and was confirmed. */
  readonly arrivedAtMs: number;
  readonly decidedAtMs?: number;
  readonly waitMs?: number | null;
  readonly serviceMs?: number | null;
  /** How long people may wait, when the visit was decided. */
  readonly targetMs?: number | null;
}

const time = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

/** Whether a visit was within its target; null without one. */
const isInTime = ({ outcome, waitMs = null, targetMs = null }: VisitRow): boolean | null =>
  (outcome === 'completed' || outcome === 'abandoned') && waitMs !== null && targetMs !== null
    ? waitMs <= targetMs
    : null;

/** The service level of visits that were decided, each by its own target, as the definition in words has it. */
export const levelOf = (visits: readonly VisitRow[]): ServiceCounts =>
  visits
    .flatMap(({ outcome, waitMs = null, targetMs = null }) =>
      outcome === null || outcome === 'discarded' || targetMs === null
        ? []
        : [countService([{ outcome, waitSeconds: waitMs === null ? null : waitMs / 1000 }], targetMs / 1000)],
    )
    .reduce(addService, NO_SERVICE);

/** Whether the person joined the queue: all but those who went straight to the checkout. */
export const joinsQueue = ({ waitMs = null, serviceMs = null }: VisitRow): boolean =>
  waitMs !== null || serviceMs === null;

/** Stores visits of a run of their own. With `serviceMs` alone the person went straight to the checkout. */
export async function addVisits(db: Db, sceneId: string, visits: readonly VisitRow[]): Promise<void> {
  const scene = await db.scene.findUniqueOrThrow({ where: { id: sceneId } });
  const task = await db.analysisTask.create({
    data: {
      userId: scene.userId,
      deviceId: scene.deviceId,
      sceneId,
      status: 'COMPLETED',
      runStatus: 'stopped',
    },
  });
  await insertRows(
    db,
    'Visit',
    visits.map((visit, at) => {
      const { outcome, arrivedAtMs, decidedAtMs, waitMs = null, serviceMs = null } = visit;
      const leftMs = waitMs === null ? null : arrivedAtMs + waitMs;
      const startedMs = serviceMs === null ? null : (leftMs ?? arrivedAtMs);
      return {
        ...{ taskId: task.id, sceneId, number: at + 1, trackId: at + 1 },
        state: outcome === null ? 'queued' : outcome === 'discarded' ? 'discarded' : 'closed',
        outcome: outcome === 'discarded' ? null : outcome,
        queueEnteredAt: time(joinsQueue(visit) ? arrivedAtMs : null),
        queueLeftAt: time(leftMs),
        serviceStartedAt: time(startedMs),
        serviceEndedAt: time(startedMs === null ? null : startedMs + serviceMs!),
        arrivalDecidedAt: new Date(arrivedAtMs),
        isInTime: isInTime(visit),
        outcomeDecidedAt: outcome === null ? null : new Date(decidedAtMs ?? arrivedAtMs),
      };
    }),
  );
}
