import type { z } from 'zod';
import { round } from '../../catalogue/metrics/arithmetic.ts';
import type { Distribution } from './read-distribution.ts';
import type { Heatmap } from './read-heatmap.ts';
import { columnsOf, type Series } from './read-series.ts';
import type { distribution, heatmap, series, visit } from './schema.ts';
import type { Usual } from './usual/read-usual.ts';
import type { DecidedVisit } from './visit.store.ts';

const iso = (ms: number): string => new Date(ms).toISOString();
const isoOrNull = (time: Date | null): string | null => time?.toISOString() ?? null;
const roundedOrNull = (value: number | null): number | null => (value === null ? null : round(value));

export function presentSeries(
  { bucket, timezone, fromMs, toMs, points }: Series,
  usual: Usual | undefined,
): z.input<typeof series> {
  const unfinished = points.findIndex(({ isUnfinished }) => isUnfinished);
  return {
    from: iso(fromMs),
    to: iso(toMs),
    bucket,
    timezone,
    unfinishedIndex: unfinished < 0 ? null : unfinished,
    ...columnsOf(points),
    ...(usual && { usual }),
  };
}

export const presentHeatmap = ({ fromMs, toMs, metrics, ...rest }: Heatmap): z.input<typeof heatmap> => ({
  from: iso(fromMs),
  to: iso(toMs),
  timezone: rest.timezone,
  hours: rest.hours,
  coveragePercent: rest.coveragePercent,
  ...metrics,
  openPercent: rest.openPercent,
});

export const presentDistribution = ({
  fromMs,
  toMs,
  coveragePercent,
  errors,
  durations,
  serviceLevel,
  queue,
}: Distribution): z.input<typeof distribution> => ({
  from: iso(fromMs),
  to: iso(toMs),
  coveragePercent,
  ...errors,
  ...durations,
  serviceLevel,
  queue: queue && { minutesMeasured: queue.minutesMeasured, levels: [...queue.levels] },
});

export const presentVisit = (row: DecidedVisit): z.input<typeof visit> => ({
  id: row.id,
  sceneId: row.sceneId,
  sceneName: row.sceneName,
  deviceId: row.deviceId,
  analysisId: row.taskId,
  outcome: row.outcome,
  arrivedAt: row.arrivalDecidedAt.toISOString(),
  decidedAt: row.outcomeDecidedAt.toISOString(),
  queueEnteredAt: isoOrNull(row.queueEnteredAt),
  queueLeftAt: isoOrNull(row.queueLeftAt),
  serviceStartedAt: isoOrNull(row.serviceStartedAt),
  serviceEndedAt: isoOrNull(row.serviceEndedAt),
  waitSeconds: roundedOrNull(row.wait),
  serviceSeconds: roundedOrNull(row.service),
  tillId: row.tillId,
  tills: servicesAt(row),
});

function servicesAt({
  tillId,
  services,
  serviceStartedAt,
  serviceEndedAt,
}: DecidedVisit): z.input<typeof visit>['tills'] {
  const whole =
    tillId !== null && serviceStartedAt && serviceEndedAt
      ? [{ tillId, startedAt: serviceStartedAt.toISOString(), endedAt: serviceEndedAt.toISOString() }]
      : [];
  return (services ?? whole).flatMap(({ tillId, startedAt, endedAt }) =>
    endedAt === null
      ? []
      : [
          {
            tillId,
            startedAt,
            endedAt,
            seconds: round((Date.parse(endedAt) - Date.parse(startedAt)) / 1000),
          },
        ],
  );
}
