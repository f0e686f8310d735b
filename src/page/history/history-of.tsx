import { useMemo } from 'react';
import { serverNow } from '../api/connection.ts';
import { spanLabel, zoneLabel } from '../kit/chart/time-labels.ts';
import { Tabs } from '../kit/tabs.tsx';
import { browserZone, sameClock } from '../kit/time.ts';
import { localDate } from '../kit/timezone/wall-clock.ts';
import { useIsWide } from '../kit/use-is-wide.ts';
import { goTo } from '../shell/place.ts';
import { localeNow, useText } from '../text/text.ts';
import { Curves } from './curves.tsx';
import styles from './history.module.css';
import { HowLong } from './how-long.tsx';
import { Places } from './places.tsx';
import { RangeBar } from './range-bar.tsx';
import type { Shown } from './shown.ts';
import type { Choice } from './subjects.ts';
import { Tills } from './tills/tills.tsx';
import { bucketFor, phoneBucket, placeOf, rangeOf, TABS, type View } from './view.ts';
import { Visits } from './visits.tsx';
import { WeekMap } from './week/week-map.tsx';

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
  const isWide = useIsWide();
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
    bucket: bucketFor(range, view.bucket ?? (isWide ? undefined : phoneBucket(view))),
    target: choice.target ?? null,
    show: (change) => goTo(placeOf({ kind, id }, { ...view, ...change })),
  };
  const isElsewhere =
    !sameClock(range.fromMs, timezone, browserZone()) || !sameClock(range.toMs, timezone, browserZone());
  // One area has no areas to compare.
  const tab = kind === 'scene' && view.tab === 'places' ? 'curves' : view.tab;
  const has = {
    curves: true,
    week: true,
    times: true,
    visits: true,
    tills: choice.hasTills,
    places: kind === 'site',
  };
  return (
    <div className={`stack ${styles.history}`}>
      <RangeBar choices={choices} shown={shown} today={today} />
      <p className="row">
        <strong className="only-on-paper">{choice.name}</strong>
        <strong>{spanLabel(range, { timezone, locale })}</strong>
        {isElsewhere && <span className="note">{t.zone(zoneLabel({ timezone, locale }, range.fromMs))}</span>}
      </p>
      <Tabs
        label={t.view}
        tabs={TABS.filter((one) => one === tab || has[one]).map((one) => ({ id: one, label: t.tabs[one] }))}
        selected={tab}
        onSelect={(chosen) => shown.show({ tab: chosen })}
      >
        {tab === 'curves' && <Curves {...shown} />}
        {tab === 'week' && <WeekMap {...shown} />}
        {tab === 'times' && <HowLong {...shown} />}
        {tab === 'tills' && <Tills {...shown} />}
        {tab === 'visits' && <Visits {...shown} choices={choices} />}
        {tab === 'places' && <Places {...shown} />}
      </Tabs>
    </div>
  );
}
