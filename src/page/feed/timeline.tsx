import { useState } from 'react';
import { serverNow } from '../api/connection.ts';
import { Button, LinkButton } from '../kit/button.tsx';
import { count } from '../kit/numbers.ts';
import { Async, Empty, Skeleton } from '../kit/states.tsx';
import { localeNow, useText } from '../text/text.ts';
import { AlertRows } from './alert-rows.tsx';
import { endOfDay, type FeedFilter, isFiltered } from './filter.ts';
import { PageSlot } from './page-slot.tsx';
import { MOST_NEW, PAGE_SIZE, useAlerts } from './use-feed.ts';
import { useFeedUpdates } from './use-feed-updates.ts';
import { useHomeZone } from './use-places.ts';

interface TimelineProps {
  readonly filter: FeedFilter;
  readonly onClear: () => void;
}

/**
 * All alerts, newest first. Pages lie before the moment at which the list was opened, so that alerts that come later do not
 * move them; these stand above. Only pages near the visible part are in the document.
 */
export function Timeline({ filter, onClear }: TimelineProps) {
  const t = useText('feed');
  const locale = localeNow();
  const zone = useHomeZone();
  const [openedAt, setOpenedAt] = useState(() => new Date(serverNow()).toISOString());
  const endDate = filter.until === null ? openedAt : endOfDay(filter.until, zone).toISOString();
  const first = useAlerts({ filter, endDate, page: 1 });
  const fresh = useAlerts({
    filter,
    startDate: openedAt,
    limit: MOST_NEW,
    isWanted: filter.until === null,
  });
  useFeedUpdates();
  const newer = fresh.data ?? { items: [], total: 0 };
  return (
    <Async query={first} skeleton={<Skeleton lines={6} />}>
      {({ total }) => {
        const all = total + newer.total;
        if (all === 0) {
          return isFiltered(filter) ? (
            <Empty
              icon="search"
              title={t.emptyFilter}
              action={<Button onClick={onClear}>{t.clearFilter}</Button>}
            />
          ) : (
            <Empty icon="feed" title={t.empty} action={<LinkButton href="#/rules">{t.toRules}</LinkButton>}>
              {t.emptyHint}
            </Empty>
          );
        }
        const pages = Math.ceil(total / PAGE_SIZE);
        return (
          <div className="stack">
            <p className="note" role="status">
              {t.count(count(all, locale), all === 1)}
            </p>
            {newer.total > newer.items.length && (
              <Button onClick={() => setOpenedAt(new Date(serverNow()).toISOString())}>
                {t.showAllNew(count(newer.total, locale))}
              </Button>
            )}
            <AlertRows items={newer.items} />
            {Array.from({ length: pages }, (_, at) => (
              <PageSlot
                // biome-ignore lint/suspicious/noArrayIndexKey: the pages have no other name
                key={at}
                filter={filter}
                endDate={endDate}
                page={at + 1}
                rows={Math.min(PAGE_SIZE, total - at * PAGE_SIZE)}
                above={at === 0 ? newer.items.at(-1) : undefined}
              />
            ))}
          </div>
        );
      }}
    </Async>
  );
}
