import { z } from 'zod';
import { firedFields } from '../../alerts/schema.ts';
import { device } from '../../cameras/devices/schema.ts';
import { scene } from '../../cameras/scenes/schema.ts';
import { site } from '../../cameras/sites/schema.ts';
import { target } from '../../cameras/target.ts';
import { adviceFields, unusualFields } from '../../delivery/events/event-data.ts';
import { id, timestamp } from '../../http/fields.ts';
import { pageFields } from '../../http/paging.ts';
import { currentMetrics } from '../../metrics/schema.ts';
import { liveTills } from '../../metrics/tills/live-tills.ts';
import { AnalysisStatus, RunStatus, SceneStatus, Severity } from '../../platform/prisma-client/enums.ts';
import { analysisType, runCondition } from '../../runs/api/schema.ts';

/** The curve of the last hour: so many values, each of so many seconds. */
export const SPARK = { values: 12, bucketSeconds: 300 } as const;

export const overviewQuery = z.object({
  ...pageFields(100),
  siteId: id().optional().meta({ description: 'Only devices of this site' }),
});

const spark = z
  .strictObject({
    start: timestamp().meta({ description: 'Start of the first value, UTC' }),
    bucketSeconds: z.int().meta({ description: 'Seconds of each value' }),
    avgInQueue: z.array(z.number().nullable()).length(SPARK.values).meta({
      description: 'Mean number of people in the queue, oldest first; null without frames or queue zone',
    }),
  })
  .meta({ description: 'The last hour, up to the running five minutes' });

const newestRun = z
  .strictObject({
    analysisId: id(),
    status: z.enum(RunStatus),
    startedAt: timestamp().nullable(),
    errorMessage: z.string().nullable().meta({ description: 'Why it failed; null if it did not' }),
    waitingFor: runCondition.waitingFor,
  })
  .nullable()
  .meta({ description: 'The newest run; null if the scene was never analysed' });

const lastAlert = z
  .strictObject({
    id: id(),
    ruleId: id(),
    severity: z.enum(Severity),
    ...firedFields,
  })
  .nullable()
  .meta({ description: 'The newest alert event; null if there is none' });

const serviceLevel = (of: string) =>
  z
    .number()
    .nullable()
    .meta({
      description: `Share of people whose service began within the target in the last hour before the newest numbers ${of}, 0-1; null without a target, or where nobody counts`,
    });

const overviewScene = z
  .strictObject({
    id: id(),
    name: z.string(),
    sceneType: analysisType,
    status: z.enum(SceneStatus),
    analysisStatus: z.enum(AnalysisStatus),
    run: newestRun,
    effectiveTarget: scene.shape.effectiveTarget,
    advice: z
      .strictObject({ id: id(), ...adviceFields, target })
      .nullable()
      .meta({
        description: 'Advice to open or close tills that holds now; null: leave it as it is, or nobody knows',
      }),
    unusual: z
      .strictObject({ id: id(), ...unusualFields })
      .nullable()
      .meta({
        description:
          'How it differs now from what is usual at this time of the week; null: it does not, or nobody knows',
      }),
    current: currentMetrics.nullable().meta({
      description: 'The newest numbers; `metricsAgeMs` says how old they are; null before the first frame',
    }),
    serviceLevel: serviceLevel('of the scene'),
    tills: liveTills,
    metricsUpdatedAt: timestamp().nullable(),
    metricsAgeMs: z.int().nullable().meta({
      description: 'Age of the numbers by the clock of the database, milliseconds; null without numbers',
    }),
    isFiring: z.boolean().meta({ description: 'Whether an enabled rule of the scene fires now' }),
    firingSeverity: z
      .enum(Severity)
      .nullable()
      .meta({ description: 'The worst severity of the rules that fire; null if none does' }),
    lastAlert,
    spark,
  })
  .meta({ id: 'OverviewScene' });

export const overviewDevice = z
  .strictObject({
    ...device.pick({
      id: true,
      name: true,
      timezone: true,
      onlineStatus: true,
      onlineChangedAt: true,
      lastFrameAt: true,
      lastError: true,
      isDisabled: true,
      fault: true,
      warnings: true,
    }).shape,
    siteIds: z.array(id()).meta({ description: 'Ids of the sites with this device, oldest first' }),
    scenes: z.array(overviewScene).meta({ description: 'Scenes of the device, oldest first' }),
  })
  .meta({ id: 'OverviewDevice', description: 'A device with its scenes as they are now' });

export const sitesOverviewQuery = z.object(pageFields(100));

const number = (description: string) => z.int().meta({ description });

export const siteOverview = z
  .strictObject({
    id: id(),
    name: z.string(),
    timezone: z.string().meta({ description: 'IANA time zone in which the days of the site begin' }),
    target: site.shape.target,
    devices: number('Number of its devices'),
    devicesOnline: number('Devices that are online'),
    scenes: number('Number of scenes on its devices'),
    scenesMeasured: number(
      'Scenes that `current` is made of: they are analysed, their numbers are at most 60 s old, and their device has no fault',
    ),
    current: currentMetrics.nullable().meta({
      description:
        'The scenes together: people and tills are summed, averages weighted by people, `maxWaitSeconds`, `maxServiceSeconds` and `estimatedWaitSeconds` are those of the worst scene; null if no scene is measured',
    }),
    serviceLevel: serviceLevel('of the measured scenes together'),
    isFiring: z.boolean().meta({ description: 'Whether an enabled rule of one of its scenes fires now' }),
    firingSeverity: z
      .enum(Severity)
      .nullable()
      .meta({ description: 'The worst severity of the rules that fire; null if none does' }),
    lastAlert: lastAlert.meta({ description: 'The newest alert event of its scenes; null if there is none' }),
  })
  .meta({ id: 'SiteOverview', description: 'A site as it is now' });
