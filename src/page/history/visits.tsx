import { serverNow } from '../api/connection.ts';
import { useList } from '../api/query.ts';
import { Button } from '../kit/button.tsx';
import { spanLabel } from '../kit/chart/time-labels.ts';
import { Chip } from '../kit/chip.tsx';
import { SelectField } from '../kit/form/select-field.tsx';
import { count, duration } from '../kit/numbers.ts';
import { Empty, Failure, MoreButton, Skeleton } from '../kit/states.tsx';
import { type Column, Table } from '../kit/table.tsx';
import type { Tone } from '../kit/tile.tsx';
import { showTime } from '../kit/time.ts';
import { localDate } from '../kit/timezone/wall-clock.ts';
import { useIsWide } from '../kit/use-is-wide.ts';
import { localeNow, useText } from '../text/text.ts';
import styles from './history.module.css';
import { inTimes, listVisits, type Visit } from './history-calls.ts';
import type { Shown } from './shown.ts';
import type { Choice } from './subjects.ts';
import { OUTCOMES, type Outcome, wholeDays } from './view.ts';

const TONES: Readonly<Record<Outcome, Tone>> = { completed: 'good', abandoned: 'warn', lost: 'off' };

interface VisitsProps extends Shown {
  readonly choices: readonly Choice[];
}

/** The visits whose outcome was decided in the range, newest first. */
export function Visits({ subject, view, range, timezone, show, choices }: VisitsProps) {
  const t = useText('history');
  const locale = localeNow();
  const isWide = useIsWide();
  const { outcome } = view;
  const visits = useList(['visits', subject.kind, subject.id, inTimes(range), outcome], (page) =>
    listVisits(subject, range, outcome, page),
  );
  const time = (at: string | null) => (at === null ? '–' : showTime(at, 'dayTime', { locale, timezone }));
  // A camera that is gone is in no list.
  const placeOf = ({ sceneId, sceneName }: Visit) =>
    choices.find(({ id }) => id === sceneId)?.name ?? sceneName;
  const columns: Column<Visit>[] = [
    { id: 'arrived', title: t.columns.arrived, cell: (visit) => time(visit.arrivedAt), isHeading: true },
    ...(subject.kind === 'site' ? [{ id: 'scene', title: t.columns.scene, cell: placeOf }] : []),
    {
      id: 'outcome',
      title: t.columns.outcome,
      cell: (visit) => <Chip tone={TONES[visit.outcome]}>{t.outcomes[visit.outcome]}</Chip>,
    },
    {
      id: 'wait',
      title: t.columns.wait,
      cell: (visit) => duration(visit.waitSeconds, locale),
      isNumber: true,
    },
    {
      id: 'service',
      title: t.columns.service,
      cell: (visit) => duration(visit.serviceSeconds, locale),
      isNumber: true,
    },
    { id: 'ended', title: t.columns.ended, cell: (visit) => time(visit.decidedAt) },
  ];
  return (
    <div className="stack">
      <div className={`row ${styles.row}`}>
        <SelectField
          label={t.outcome}
          hint={outcome && t.outcomeMeaning[outcome]}
          value={outcome ?? ''}
          onChange={(next) => show({ outcome: OUTCOMES.find((known) => known === next) })}
        >
          <option value="">{t.anyOutcome}</option>
          {OUTCOMES.map((known) => (
            <option key={known} value={known}>
              {t.outcomes[known]}
            </option>
          ))}
        </SelectField>
        {view.span && (
          <Button icon="cross" onClick={() => show(wholeDays(range, localDate(timezone, serverNow())))}>
            {t.wholeDays}
          </Button>
        )}
      </div>
      {visits.error && <Failure error={visits.error} onRetry={() => void visits.refetch()} />}
      {visits.isPending && !visits.error && <Skeleton lines={5} />}
      {visits.total === 0 && <Empty title={t.noVisits} icon="people" />}
      {visits.items.length > 0 && (
        <>
          <p className="note">{t.visitsTotal(count(visits.total, locale), visits.total === 1)}</p>
          {isWide ? (
            <Table
              caption={t.visitsOf(spanLabel(range, { timezone, locale }))}
              columns={columns}
              rows={visits.items}
              keyOf={({ id }) => id}
            />
          ) : (
            <ul
              className={`rows ${styles.people}`}
              aria-label={t.visitsOf(spanLabel(range, { timezone, locale }))}
            >
              {visits.items.map((visit) => (
                <li key={visit.id}>
                  <strong>{time(visit.arrivedAt)}</strong>
                  <Chip tone={TONES[visit.outcome]}>{t.outcomes[visit.outcome]}</Chip>
                  <small className="note">
                    {subject.kind === 'site' && `${placeOf(visit)} · `}
                    {t.visitTimes(
                      duration(visit.waitSeconds, locale),
                      duration(visit.serviceSeconds, locale),
                    )}
                  </small>
                </li>
              ))}
            </ul>
          )}
          <MoreButton list={visits} />
        </>
      )}
    </div>
  );
}
