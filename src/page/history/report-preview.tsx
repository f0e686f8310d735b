import { useState } from 'react';
import { api } from '../api/client.ts';
import { useCall } from '../api/query.ts';
import { Can } from '../api/session.tsx';
import { Button, LinkButton } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { Async } from '../kit/states.tsx';
import { useText } from '../text/text.ts';
import styles from './history.module.css';

export const PERIODS = ['day', 'week'] as const;
export type Period = (typeof PERIODS)[number];

interface ReportPreviewProps {
  readonly siteId: string;
  readonly period: Period;
  /** A local date of the period; undefined for the last period that has ended. */
  readonly date?: string | undefined;
  readonly onClose: () => void;
  /** Leads to where reports are sent regularly. */
  readonly hasLead?: boolean;
}

/** A report as its receivers see it: the document of the API, which loads nothing and runs no script. */
export function ReportPreview({ siteId, period: first, date, onClose, hasLead = false }: ReportPreviewProps) {
  const t = useText('history').preview;
  const [period, setPeriod] = useState(first);
  const query = { period, ...(date !== undefined && { date }) };
  // A frame shows a fault as JSON, so that this asks first.
  const report = useCall(['report', siteId, period, date ?? null], () =>
    api.GET('/reports/{siteId}', { params: { path: { siteId }, query } }),
  );
  const address = `api/v1/reports/${encodeURIComponent(siteId)}?${new URLSearchParams({ ...query, format: 'html' })}`;
  return (
    <Dialog
      title={t.title[period]}
      isWide
      onClose={onClose}
      actions={
        <>
          {hasLead && (
            <Can scope="alert:write">
              <LinkButton href="#/notifications?tab=reports" icon="notify">
                {t.send}
              </LinkButton>
            </Can>
          )}
          <LinkButton href={address} icon="forward" isNewTab>
            {t.newTab}
          </LinkButton>
        </>
      }
    >
      <fieldset className="row">
        <legend className="only-for-readers">{t.period}</legend>
        {PERIODS.map((each) => (
          <Button
            key={each}
            kind={each === period ? 'main' : 'normal'}
            aria-pressed={each === period}
            onClick={() => setPeriod(each)}
          >
            {t.periods[each]}
          </Button>
        ))}
      </fieldset>
      <div className={styles.document}>
        <Async query={report}>{() => <iframe src={address} title={t.title[period]} sandbox="" />}</Async>
      </div>
    </Dialog>
  );
}
