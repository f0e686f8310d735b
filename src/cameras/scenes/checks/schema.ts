import { z } from 'zod';
import { id, nameText, timestamp } from '../../../http/fields.ts';
import { pageFields } from '../../../http/paging.ts';
import { CheckEnd, CheckKind, CheckStatus } from '../../../platform/prisma-client/enums.ts';
import { sceneConfigSchema } from '../../../vision/scene-config.ts';
import { SHOWS_PEOPLE, timesAnswer, timesResult } from './times/times.schema.ts';

/** People in a picture: more of them nobody counts. */
const MOST_PEOPLE = 200;

const KEEPS_WRONG =
  'Whether the pictures of stills on which the counts differ stay after the check, for at most 30 days from when they were taken. The others are erased when the check is finished';

export const newCheck = z.strictObject({
  stills: z.int().min(20).max(100).default(40).meta({ description: 'Stills that are kept, 20-100' }),
  hours: z
    .number()
    .min(0.1)
    .max(48)
    .default(8)
    .meta({ description: 'For how long stills are kept, 0.1-48 hours: let it span quiet and busy hours' }),
  keepsWrongStills: z.boolean().default(true).meta({ description: KEEPS_WRONG }),
  showsPeople: z.boolean().default(false).meta({ description: SHOWS_PEOPLE }),
});
export type NewCheck = z.output<typeof newCheck>;

export const finishBody = z.strictObject({
  checkedBy: nameText(1, 100).optional().meta({ description: 'Who has counted, for the report' }),
});

export const reportBody = z.strictObject({
  withView: z.boolean().default(false).meta({
    description:
      'Put the view of the camera into it, small, with the zones and without people, where there is one',
  }),
  channelIds: z.array(id()).min(1).max(20).optional().meta({
    description: 'E-mail channels; by default all that are confirmed',
  }),
});
export type ReportWish = z.output<typeof reportBody>;
export const sentReport = z
  .strictObject({
    channelIds: z.array(id()).meta({ description: 'The channels to which it is sent' }),
  })
  .meta({ id: 'CheckReportSent', description: 'Where the report of a check is sent' });

const share = z.number().min(0).max(1);
const counted = z
  .union([z.int().min(0).max(MOST_PEOPLE), z.array(z.tuple([share, share])).max(MOST_PEOPLE)])
  .meta({
    description: `How many people, 0-${MOST_PEOPLE}, or a point of 0-1 of the picture for each of them`,
  });

export const stillAnswer = z
  .union([
    z.strictObject({ waiting: counted, served: counted }),
    z.strictObject({ skipped: z.literal(true).meta({ description: 'It cannot be told from the picture' }) }),
  ])
  .meta({ description: 'What somebody counted on a still: staff are not counted' });
export type StillAnswer = z.output<typeof stillAnswer>;

const storedPoints = z.array(z.tuple([share, share])).nullable();
/** What somebody counted, as a row has it. */
export const storedAnswer = z.strictObject({
  waiting: z.int().meta({ description: 'People in the line' }),
  served: z.int().meta({ description: 'People who were being served' }),
  waitingPoints: storedPoints.meta({ description: 'Where they were; null where only a number was told' }),
  servedPoints: storedPoints.meta({ description: 'Likewise' }),
  isSkipped: z.boolean().meta({ description: 'Nobody could tell; the counts are 0' }),
});
export type StoredAnswer = z.output<typeof storedAnswer>;
/** By checker. */
export const storedAnswers = z.record(z.string(), storedAnswer);

export const storedPeople = z.array(
  z.strictObject({
    zone: z.enum(['queue', 'checkout']).meta({ description: 'Where the person was counted' }),
    left: share,
    top: share,
    right: share,
    bottom: share,
  }),
);

const ranged = (what: string) =>
  z
    .strictObject({
      value: z.number().meta({ description: what }),
      from: z.number().meta({ description: 'Lower end of the 95 % range' }),
      to: z.number().meta({ description: 'Upper end of the 95 % range' }),
    })
    .meta({ description: what });

const figures = z
  .strictObject({
    stills: z.int().meta({ description: 'Stills that somebody has counted' }),
    exactPercent: ranged(
      'Share of the time in which our count is exactly that of the checkers (range: Wilson)',
    ),
    withinOnePercent: ranged(
      'Share of the time in which our count differs by at most one person (range: Wilson)',
    ),
    bias: ranged('People that we count too many on average; negative: too few (range: bootstrap)'),
    lengthErrorPercent: z.number().nullable().meta({
      description: 'Sum of our errors in percent of the people that there were; null where nobody was',
    }),
    lengthError: ranged('`lengthErrorPercent` with its range (bootstrap)')
      .nullable()
      .optional()
      .meta({ description: 'Null where nobody was; missing in results of earlier versions' }),
    meanOurs: z.number().meta({ description: 'People that we count on average' }),
    meanTheirs: z.number().meta({ description: 'People that the checkers count on average' }),
    mostTheirs: z.number().meta({ description: 'The most people that a checker has counted on a still' }),
    goodFrom: z.int().nullable().meta({
      description:
        'Alerts at so many people or more can be relied on: our count is off by at most a quarter of it in 90 % of the time, and surely in 80 %. Null: at no number up to 12',
    }),
  })
  .nullable()
  .meta({ id: 'CheckFigures', description: 'Null where nobody has counted, or the scene has no such zone' });

export const checkResult = z
  .strictObject({
    waiting: figures,
    served: figures,
    skipped: z.int().meta({ description: 'Stills that every checker has skipped' }),
    agreement: z
      .strictObject({
        stills: z.int().meta({ description: 'Stills that several checkers have counted' }),
        exactPercent: z.number().meta({ description: 'Share of them on which all counts are equal' }),
        withinOnePercent: z
          .number()
          .meta({ description: 'Share on which they differ by at most one person' }),
      })
      .nullable()
      .meta({ description: 'How much the checkers agree; null with one checker' }),
    conditions: z
      .strictObject({
        darkPercent: z.number().meta({ description: 'Share of the time in which the picture was dark' }),
        crowdedPercent: z
          .number()
          .meta({ description: 'Share of the time in which somebody counted six people or more' }),
        emptyPercent: z.number().meta({ description: 'Share of the time in which nobody was there' }),
      })
      .meta({ description: 'Under which conditions was checked' }),
  })
  .meta({ id: 'CheckResult' });
export type CheckResult = z.output<typeof checkResult>;

const checkShape = {
  id: id(),
  sceneId: id(),
  kind: z.enum(CheckKind).meta({
    description:
      '`stills`: people count on stills, `result` tells how right our counts are. `times`: people mark on a film when each person joined, began to be served and left, `times` tells how right our visits are',
  }),
  status: z.enum(CheckStatus).meta({
    description:
      '`collecting`: stills are being kept. `open`: people count on them. `finished`: there is a result',
  }),
  endReason: z.enum(CheckEnd).nullable().meta({
    description:
      'Why no further stills are kept; null while it collects. `zones_changed` and `view_changed` end a check with what it has; `expired`: nobody finished it within 14 days',
  }),
  wantedStills: z.int().meta({ description: 'Stills that it wants to keep' }),
  takenStills: z.int().meta({ description: 'Stills that were kept so far' }),
  missedMoments: z
    .int()
    .meta({ description: 'Moments without a picture, for example because the camera was offline' }),
  keepsWrongStills: z.boolean().meta({ description: KEEPS_WRONG }),
  showsPeople: z.boolean().meta({ description: SHOWS_PEOPLE }),
  hasView: z.boolean().meta({
    description:
      'Whether there is a view of the camera without people: `GET /checks/{id}/view`. It is made at the end of a check of at least 9 stills over half an hour, without `showsPeople`',
  }),
  startedAt: timestamp(),
  endsAt: timestamp().meta({ description: 'Until when stills are kept' }),
  collectedAt: timestamp().nullable().meta({ description: 'When the last still was kept' }),
  finishedAt: timestamp().nullable().meta({ description: 'When somebody finished it, or it expired' }),
  checkedBy: z.string().nullable().meta({ description: 'Who has counted; null where nobody told' }),
  outdated: z.enum(['zones_changed', 'view_changed']).nullable().meta({
    description:
      'Why its result no longer tells about the scene: its zones or the view of the camera have changed; null if it does',
  }),
  result: checkResult.nullable().meta({ description: 'Of a check with stills; null until it is finished' }),
  times: timesResult.nullable().meta({ description: 'Of a check of times; null until it is finished' }),
  film: z
    .strictObject({
      seconds: z.number().meta({ description: 'Its length' }),
      recordingId: id().nullable().meta({
        description:
          'The recording that it is a part of: `GET /recordings/{id}/film`. Null: it is kept of a camera until the check is finished: `GET /checks/{id}/film`',
      }),
      from: z.number().meta({ description: 'Where it begins in the recording, seconds' }),
      fps: z.number().meta({ description: 'Pictures a second' }),
      pieceSeconds: z.number().meta({ description: 'Seconds of a piece; the last one may be shorter' }),
    })
    .nullable()
    .meta({ description: 'Of a check of times; null of one with stills' }),
};
export const sceneCheck = z.strictObject(checkShape).meta({ id: 'SceneCheck' });

const still = z
  .strictObject({
    id: id(),
    capturedAt: timestamp(),
    hasPicture: z.boolean().meta({ description: 'False after the picture was erased' }),
    mine: storedAnswer.nullable().meta({ description: 'What this checker has counted' }),
    ours: z
      .strictObject({
        waiting: z.int().meta({ description: 'People in the line, by our count' }),
        served: z.int().meta({ description: 'People who were being served, by our count' }),
        people: storedPeople.meta({ description: 'Boxes of the people that we see, 0-1 of the picture' }),
      })
      .nullable()
      .meta({
        description: 'What we counted; null until the check is finished, so that nobody is influenced by it',
      }),
    answers: z
      .array(storedAnswer)
      .meta({ description: 'What all checkers have counted; empty until it is finished' }),
  })
  .meta({ id: 'CheckStill' });

export const openedCheck = z
  .strictObject({
    ...checkShape,
    zones: sceneConfigSchema.shape.zones.meta({ description: 'Zones at the start of the check' }),
    marked: timesAnswer.shape.visits.nullable().meta({
      description: 'Of a check of times: what this checker has marked; null without it',
    }),
    stills: z.array(still).meta({
      description: 'Oldest first; empty while it collects, because the latest ones may still be replaced',
    }),
  })
  .meta({ id: 'OpenedCheck' });

export const listChecksQuery = z.object({ ...pageFields() });
export type ListChecks = z.output<typeof listChecksQuery>;
