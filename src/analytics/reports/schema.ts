import { z } from 'zod';
import { target } from '../../cameras/target.ts';
import { type ComparedName, IN_REPORTS, type ReportName } from '../../catalogue/metrics/all.ts';
import { formatField, id, timestamp } from '../../http/fields.ts';
import { typeOf } from '../../metrics/catalogue.ts';
import { TILL_NUMBERS } from '../history/tills/schema.ts';
import { COMPARED } from './numbers.ts';
import { PERIODS } from './period.ts';

const FIRST_YEAR = 2000;

export const reportParams = z.object({ siteId: id().meta({ description: 'Id of the site' }) });

export const reportQuery = z.object({
  period: z.enum(PERIODS).default('day').meta({
    description:
      'A day, compared with the same weekday of the week before; or a week from Monday to Sunday, compared with the week before',
  }),
  date: z.iso
    .date('must be a date like 2026-11-23')
    .refine(
      (date) => Number(date.slice(0, 4)) >= FIRST_YEAR + 1 && Number(date.slice(0, 4)) < 3000,
      'must lie in the years 2001 to 2999',
    )
    .optional()
    .meta({
      description:
        'The day, or a day of the week, in the time zone of the site; default: the last day or week that has ended',
      examples: ['2026-01-30'],
    }),
  format: formatField(['json', 'csv', 'html']),
});

const numberFields = {
  coveragePercent: z.number().meta({
    description:
      'Percentage of the time with frames, 0-100; of the open hours where the site has them. Of a site, that of the scene with the least; of a time that has not ended, of the part until now',
  }),
  ...(Object.fromEntries(
    IN_REPORTS.map((metric) => [
      metric.report.name,
      (typeOf(metric) === 'integer' ? z.int() : z.number())
        .nullable()
        .meta({ description: metric.description }),
    ]),
  ) as Record<ReportName, z.ZodNullable<z.ZodNumber>>),
};

const numbers = z.strictObject(numberFields).meta({
  id: 'ReportNumbers',
  description: 'Numbers of a time and place; null where nothing was measured',
});

const compared = {
  current: numbers.meta({ description: 'Numbers of the period' }),
  previous: numbers.nullable().meta({
    description:
      'Numbers of the period before, at the same place of the week; null where that week has no such hour',
  }),
};

const change = (what: string) =>
  z
    .strictObject({
      absolute: z
        .number()
        .nullable()
        .meta({ description: 'Difference; null where one of the two was not measured' }),
      percent: z.number().nullable().meta({
        description: 'Difference in percent of the number before; null where that is 0 or was not measured',
      }),
    })
    .meta({ description: `Change of ${what}` });

const period = z.strictObject({
  from: timestamp().meta({ description: 'Start, included' }),
  to: timestamp().meta({ description: 'End, not included' }),
  date: z.iso.date().meta({ description: 'Local date of the first day' }),
});

const span = z.strictObject({
  from: timestamp().meta({ description: 'Start, included' }),
  to: timestamp().meta({ description: 'End, not included' }),
  localTime: z.string().meta({ description: 'Start on the local clock, with its offset from UTC' }),
  openPercent: z.number().nullable().meta({
    description:
      'Percentage of the time that lies in the opening hours, 0-100: only that is counted; 0: closed. Null where the site has none',
  }),
  ...compared,
});

const day = z.strictObject({
  ...span.shape,
  exceptionName: z.string().nullable().meta({
    description: 'Name of a date with other opening hours than usual, like Christmas; null without',
  }),
});
const plan = z
  .strictObject({
    date: z.iso.date().meta({ description: 'Local date of the day' }),
    scenes: z
      .array(
        z.strictObject({
          sceneId: id(),
          sceneName: z.string().meta({ description: 'Name of the scene' }),
          target,
          halfHours: z
            .array(
              z.strictObject({
                from: timestamp().meta({ description: 'Start, included' }),
                to: timestamp().meta({ description: 'End, not included' }),
                localTime: z
                  .string()
                  .meta({ description: 'Start on the local clock, with its offset from UTC' }),
                people: z.number().meta({ description: 'People who usually join in it' }),
                tills: z.int().meta({
                  description: 'The fewest open tills that keep the target; all where none is enough',
                }),
                lateShare: z
                  .number()
                  .meta({ description: 'Expected share of people who wait too long with them, 0-1' }),
              }),
            )
            .nullable()
            .meta({
              description:
                'The half hours in which people usually come; null while less than 7 days with customers, or 30 services, are known',
            }),
        }),
      )
      .meta({ description: 'The scenes with at least two tills' }),
  })
  .nullable()
  .meta({
    description:
      'How many tills the day after the period needs, by the half hour, from the last 28 days; null where no scene has two tills, or that day is over',
  });

export const report = z
  .strictObject({
    siteId: id().meta({ description: 'Id of the site' }),
    siteName: z.string().meta({ description: 'Name of the site' }),
    period: z.enum(PERIODS).meta({ description: 'Length of the period' }),
    timezone: z.string().meta({ description: 'Time zone of the site, in which days and hours are cut' }),
    current: period.meta({ description: 'The period of the report' }),
    previous: period.meta({ description: 'The period that it is compared with' }),
    isUnfinished: z
      .boolean()
      .meta({ description: 'Whether the period has not ended: its numbers still change' }),
    summary: z
      .strictObject({ current: numbers, previous: numbers })
      .meta({ description: 'The whole site; percentiles are those of all visits' }),
    change: z
      .strictObject(
        Object.fromEntries(COMPARED.map(({ name, change: what }) => [name, change(what)])) as Record<
          ComparedName,
          ReturnType<typeof change>
        >,
      )
      .nullable()
      .meta({ description: 'How the numbers of the site changed; null while the period has not ended' }),
    scenes: z
      .array(
        z.strictObject({
          sceneId: id(),
          sceneName: z.string(),
          deviceId: id(),
          deviceName: z.string(),
          ...compared,
        }),
      )
      .meta({ description: 'Each scene of the site, in the order of their names' }),
    tills: z
      .array(
        z.strictObject({
          sceneId: id(),
          sceneName: z.string().meta({ description: 'Name of the scene' }),
          tillId: z.string().meta({ description: 'Id of the till in the zones of the scene' }),
          name: z.string().meta({ description: 'As it was called last in the period' }),
          ...TILL_NUMBERS,
        }),
      )
      .meta({
        description: 'Each till of scenes that have tills, in the order of scenes and tills; in the period',
      }),
    days: z.array(day).meta({ description: 'The days of the period' }),
    hours: z
      .array(span)
      .meta({ description: 'The hours of the period; an hour that the clock repeats stands here twice' }),
    busiestHours: z
      .array(span)
      .max(3)
      .meta({ description: 'The hours with most arrivals, the busiest first' }),
    plan,
  })
  .meta({
    id: 'Report',
    description:
      'A day or a week of a site, compared with the week before. Where the site has opening hours, only what happened in them is counted',
  });

/** A name of the period before: `previousArrivals`. */
export const previousName = (name: string): string =>
  `previous${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** A row of the CSV: a scene, a day, an hour or a till, or the whole site. */
export const reportRow = z.strictObject({
  level: z.enum(['site', 'scene', 'day', 'hour', 'till']),
  from: timestamp(),
  to: timestamp(),
  localTime: z.string(),
  siteName: z.string(),
  sceneId: id().nullable(),
  sceneName: z.string().nullable(),
  deviceName: z.string().nullable(),
  ...numberFields,
  ...(Object.fromEntries(
    Object.entries(numberFields).map(([name, schema]) => [previousName(name), schema.nullable()]),
  ) as Record<string, z.ZodNullable<z.ZodNumber>>),
  // Of a till alone.
  tillId: z.string().nullable(),
  tillName: z.string().nullable(),
  ...(Object.fromEntries(
    Object.entries(TILL_NUMBERS).map(([name, schema]) => [name, schema.nullable()]),
  ) as Record<string, z.ZodNullable<z.ZodNumber>>),
});
