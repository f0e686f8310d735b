import type { Content } from '../../../delivery/notifications/delivery/content.ts';
import { csvFormatOf, csvHead, csvLine } from '../../../http/answer/csv-format.ts';
import type { CsvRow } from '../../../http/route.ts';
import type { Context } from '../../../platform/context.ts';
import { localMoment } from '../../../platform/jobs/local-clock.ts';
import { publicAddress } from '../../../platform/public-address.ts';
import type { ComparedPeriods } from '../period.ts';
import { reportRows } from '../present.ts';
import { type Report, readReport } from '../read-report.ts';
import { formatsFor } from '../render/formats.ts';
import { headlineOf } from '../render/headline.ts';
import { type ReportLinks, reportPage } from '../render/page.ts';
import { reportText } from '../render/plain-text.ts';
import { oneLine } from '../render/safe-html.ts';
import { findReportedSite } from '../report.store.ts';
import { reportRow } from '../schema.ts';
import { type Receiver, unsubscribeUrl } from './unsubscribe-link.ts';

const COLUMNS = Object.keys(reportRow.shape) as (keyof CsvRow)[];

/** Writes the message for a channel of a subscription. */
export type WriteFor = (receiver: Receiver) => Content;

/** Reads the report of a period. @returns null when the site was removed */
export async function prepareReport(
  context: Pick<Context, 'clock' | 'config' | 'db' | 'urlSigningKey'>,
  { userId, siteId }: { readonly userId: string; readonly siteId: string },
  periods: ComparedPeriods,
): Promise<WriteFor | null> {
  const site = await findReportedSite(context.db, userId, siteId);
  if (!site) return null;
  const report = await readReport(context, site, periods);
  const numbers = `${publicAddress(context.config)}/#/reports/${siteId}?${viewOf(report)}`;
  return (receiver) => contentOf(report, { numbers, unsubscribe: unsubscribeUrl(context, receiver) });
}

/** The history of the same days, whenever the message is opened. */
function viewOf({ kind, period, timezone }: Report): string {
  const lastDay = localMoment(period.toMs - 1, timezone).toISODate();
  return kind === 'week' ? `days=7&to=${lastDay}` : `to=${lastDay}`;
}

function contentOf(report: Report, links: Required<ReportLinks>): Content {
  const formats = formatsFor(report.locale, report.timezone);
  const { words } = formats;
  const { kind, period, site } = report;
  const subject = words.subject({
    title: words.title[kind],
    site: oneLine(site.name),
    date: formats.shortPeriod(kind, period),
  });
  return {
    mail: {
      subject,
      text: reportText(report, formats, links),
      html: reportPage(report, formats, links),
      attachments: [
        {
          filename: `report-${kind}-${period.date}.csv`,
          contentType: 'text/csv; charset=utf-8; header=present',
          content: Buffer.from(csvOf(report, formats.locale)).toString('base64'),
        },
      ],
      headers: {
        // Answers of holidays are not wanted.
        'Auto-Submitted': 'auto-generated',
        'List-Unsubscribe': `<${links.unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    },
    push: { title: subject, body: headlineOf(report, formats), url: links.numbers },
  };
}

/** As the spreadsheet of the reader expects it. */
function csvOf(report: Report, locale: string): string {
  const format = csvFormatOf(locale);
  const rows = [...reportRows(report)].map((row) => csvLine(row, COLUMNS, format));
  return csvHead(COLUMNS, format) + rows.join('');
}
