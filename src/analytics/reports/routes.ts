import type { z } from 'zod';
import { invalidField, orNotFound } from '../../http/errors.ts';
import { route } from '../../http/route.ts';
import type { Context } from '../../platform/context.ts';
import { comparedPeriods, lastEndedDate } from './period.ts';
import { presentReport, reportRows } from './present.ts';
import { type Report, readReport } from './read-report.ts';
import { formatsFor } from './render/formats.ts';
import { reportPage } from './render/page.ts';
import { findReportedSite } from './report.store.ts';
import { report, reportParams, reportQuery, reportRow } from './schema.ts';

/** @throws ApiError NOT_FOUND, INVALID_DATE_RANGE */
async function reportOf({
  context,
  caller,
  params,
  query: { period, date },
}: {
  readonly context: Context;
  readonly caller: { readonly userId: string };
  readonly params: z.output<typeof reportParams>;
  readonly query: z.output<typeof reportQuery>;
}): Promise<Report> {
  const site = orNotFound(await findReportedSite(context.db, caller.userId, params.siteId), 'Site');
  const { timezone } = site;
  const day = date ?? lastEndedDate(period, context.clock.now().getTime(), timezone);
  const periods = comparedPeriods(period, day, timezone);
  if (!periods)
    throw invalidField('date', `does not exist in ${timezone}, which skipped that day`, 'INVALID_DATE_RANGE');
  return readReport(context, site, periods);
}

export const reportRoutes = [
  route({
    name: 'getReport',
    method: 'get',
    path: '/reports/{siteId}',
    scope: 'analytics:read',
    summary: 'Read the report of a day or a week of a site',
    description:
      'Arrivals, served people, people who gave up, waits and services, of the site and of each of its scenes, compared with the same weekday or the week before. Days and weeks are those of the time zone of the site; a day may have 23 or 25 hours. CSV has a row for the site, each scene, day, hour and till. As HTML it is one document that loads nothing, in the language of the user (English or German).',
    params: reportParams,
    query: reportQuery,
    response: report,
    csvRow: reportRow,
    errors: ['INVALID_DATE_RANGE'],
  }).answers({
    handler: async (input) => presentReport(await reportOf(input)),
    async *csv(input) {
      yield* reportRows(await reportOf(input)) as Generator<z.input<typeof reportRow>>;
    },
    async html(input) {
      const found = await reportOf(input);
      return reportPage(found, formatsFor(found.locale, found.timezone));
    },
  }),
];
