import { useState } from 'react';
import { Button } from '../kit/button.tsx';
import { CopyText } from '../kit/copy-text.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { Field } from '../kit/field.tsx';
import { SelectField } from '../kit/form/select-field.tsx';
import { TextField } from '../kit/form/text-field.tsx';
import { Section } from '../kit/page.tsx';
import { parseDate } from '../kit/timezone/wall-clock.ts';
import { useIsWide } from '../kit/use-is-wide.ts';
import { useText } from '../text/text.ts';
import { Downloads } from './downloads.tsx';
import styles from './history.module.css';
import { PERIODS, type Period, ReportPreview } from './report-preview.tsx';
import type { Shown } from './shown.ts';
import { type BucketName, bucketsFor, COMPARISONS, type Comparison, placeOf } from './view.ts';

interface HistoryMenuProps {
  readonly shown: Shown;
  readonly today: string;
  readonly onClose: () => void;
}

/** What is needed seldom: another day, the interval of the curve, the address, files and reports. */
export function HistoryMenu({ shown, today, onClose }: HistoryMenuProps) {
  const t = useText('history');
  const isWide = useIsWide();
  const [report, setReport] = useState<Period | null>(null);
  const { subject, view, range, show } = shown;
  // "Today" is another day for whoever opens the link tomorrow.
  const lasting = placeOf(subject, { ...view, lastDay: view.span ? view.lastDay : range.lastDay });
  if (report !== null) {
    const date = range.lastDay < today ? range.lastDay : undefined;
    return <ReportPreview siteId={subject.id} period={report} date={date} onClose={onClose} hasLead />;
  }
  return (
    <Dialog title={t.menu} onClose={onClose}>
      <div className="stack">
        {!view.span && (
          <TextField
            label={t.lastDay[view.length]}
            type="date"
            required
            max={today}
            min="2001-01-01"
            value={range.lastDay}
            onChange={(value) => {
              const lastDay = parseDate(value);
              if (lastDay) show({ lastDay: lastDay >= today ? undefined : lastDay });
            }}
          />
        )}
        <SelectField
          label={t.interval}
          value={shown.bucket}
          onChange={(next) => show({ bucket: next as BucketName })}
        >
          {bucketsFor(range).map((bucket) => (
            <option key={bucket} value={bucket}>
              {t.bucketNames[bucket]}
            </option>
          ))}
        </SelectField>
        {!isWide && (
          <Field label={t.compare}>{(attributes) => <CompareSelect {...{ shown, attributes }} />}</Field>
        )}
        <Section title={t.files}>
          <div className={`row ${styles.row}`}>
            <Downloads {...shown} />
            <Button
              onClick={() => {
                onClose();
                // The dialog has gone from the page by then.
                setTimeout(() => print());
              }}
            >
              {t.print}
            </Button>
          </div>
        </Section>
        {subject.kind === 'site' && (
          <Section title={t.reports}>
            <div className={`row ${styles.row}`}>
              {PERIODS.map((period) => (
                <Button key={period} icon="history" onClick={() => setReport(period)}>
                  {period === 'day' ? t.dayReport : t.weekReport}
                </Button>
              ))}
            </div>
          </Section>
        )}
        <Section title={t.share}>
          <CopyText text={`${location.origin}${location.pathname}#${lasting}`} label={t.shareAddress} />
        </Section>
      </div>
    </Dialog>
  );
}

interface CompareSelectProps {
  readonly shown: Shown;
  readonly attributes?: { readonly id: string; readonly className: string | undefined };
}

export function CompareSelect({ shown: { view, show }, attributes }: CompareSelectProps) {
  const t = useText('history');
  return (
    <select
      {...(attributes ?? { 'aria-label': t.compare, className: `control-box ${styles.compare}` })}
      value={view.compare}
      onChange={({ target }) => show({ compare: Number(target.value) as Comparison })}
    >
      {COMPARISONS.map((days) => (
        <option key={days} value={days}>
          {(attributes ? t.comparisons : t.compared)[days]}
        </option>
      ))}
    </select>
  );
}
