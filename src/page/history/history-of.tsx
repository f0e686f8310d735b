import { useMemo, useState } from 'react';
import { serverNow } from '../api/connection.ts';
import { Button } from '../kit/button.tsx';
import { spanLabel, zoneLabel } from '../kit/chart/time-labels.ts';
import { Section } from '../kit/page.tsx';
import { Tabs } from '../kit/tabs.tsx';
import { browserZone, sameClock } from '../kit/time.ts';
import { localDate } from '../kit/timezone/wall-clock.ts';
import { goTo } from '../shell/place.ts';
import { localeNow, useText } from '../text/text.ts';
import { Curves } from './curves.tsx';
import { Downloads } from './downloads.tsx';
import styles from './history.module.css';
import { HowLong } from './how-long.tsx';
import { RangeBar } from './range-bar.tsx';
import { PERIODS, type Period, ReportPreview } from './report-preview.tsx';
import type { Shown } from './shown.ts';
import type { Choice } from './subjects.ts';
import { Tills } from './tills/tills.tsx';
import { bucketFor, placeOf, rangeOf, TABS, type View } from './view.ts';
import { Visits } from './visits.tsx';
import { WeekMap } from './week-map.tsx';

interface HistoryOfProps {
  readonly choices: readonly Choice[];
  readonly choice: Choice;
  readonly timezone: string;
  readonly view: View;
}

/** The history of one scene or site. */
export function HistoryOf({ choices, choice, timezone, view }: HistoryOfProps) {
  const t = useText('history');
  const locale = localeNow();
  const [opened, setOpened] = useState<Period | null>(null);
  const nowMs = serverNow();
  const today = localDate(timezone, nowMs);
  const { length, lastDay, span } = view;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new day moves the range of today
  const range = useMemo(
    () => rangeOf({ length, lastDay, span }, timezone, nowMs),
    [length, lastDay, span?.fromMs, span?.toMs, timezone, today],
  );
  const { kind, id } = choice;
  const shown: Shown = {
    subject: { kind, id },
    ...{ view, range, timezone },
    bucket: bucketFor(range, view.bucket),
    show: (change) => goTo(placeOf({ kind, id }, { ...view, ...change })),
  };
  const isElsewhere =
    !sameClock(range.fromMs, timezone, browserZone()) || !sameClock(range.toMs, timezone, browserZone());
  return (
    <div className={styles.history}>
      <RangeBar choices={choices} shown={shown} today={today} />
      <p className={styles.range}>
        <strong>{spanLabel(range, { timezone, locale })}</strong>
        {isElsewhere && <span>{t.zone(zoneLabel({ timezone, locale }, range.fromMs))}</span>}
      </p>
      <Tabs
        label={t.view}
        tabs={TABS.filter((tab) => tab !== 'tills' || choice.hasTills || view.tab === tab).map((tab) => ({
          ...{ id: tab, label: t.tabs[tab] },
        }))}
        selected={view.tab}
        onSelect={(tab) => shown.show({ tab })}
      >
        {view.tab === 'curves' && <Curves {...shown} />}
        {view.tab === 'week' && <WeekMap {...shown} />}
        {view.tab === 'times' && <HowLong {...shown} />}
        {view.tab === 'tills' && <Tills {...shown} />}
        {view.tab === 'visits' && <Visits {...shown} />}
      </Tabs>
      <div className={styles.ends}>
        <Section title={t.download}>
          <Downloads {...shown} />
        </Section>
        {kind === 'site' && (
          <Section title={t.reports}>
            <div className={styles.row}>
              {PERIODS.map((period) => (
                <Button key={period} icon="history" onClick={() => setOpened(period)}>
                  {period === 'day' ? t.dayReport : t.weekReport}
                </Button>
              ))}
            </div>
            {opened !== null && (
              <ReportPreview
                siteId={id}
                period={opened}
                date={range.lastDay < today ? range.lastDay : undefined}
                onClose={() => setOpened(null)}
                hasLead
              />
            )}
          </Section>
        )}
      </div>
    </div>
  );
}
