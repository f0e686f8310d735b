import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Async, Skeleton } from '../kit/states.tsx';
import { AlertRows } from './alert-rows.tsx';
import type { FeedItem } from './feed-item.ts';
import type { FeedFilter } from './filter.ts';
import { FEED_KEY, type FeedPage, useAlerts } from './use-feed.ts';

/** Height of a row before one was measured. */
const ROW_PIXELS = 112;
/** Pages so near to the visible part are in the document. */
const NEAR = '1200px 0px';

interface PageSlotProps {
  readonly filter: FeedFilter;
  readonly endDate: string;
  readonly page: number;
  /** How many alerts the page has. */
  readonly rows: number;
  /** The entry above the first page, which came later. */
  readonly above?: FeedItem | undefined;
}

/** The place of one page of the list. A page far away is an empty box of its height, so that 10,000 alerts scroll well. */
export function PageSlot(props: PageSlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const height = useRef(props.rows * ROW_PIXELS);
  const [isNear, setNear] = useState(props.page === 1);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const last = entries.at(-1);
        // In a list that is hidden behind an opened alert nothing has a size.
        if (last && last.boundingClientRect.width > 0) setNear(last.isIntersecting);
      },
      { rootMargin: NEAR },
    );
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (!isNear) return;
    const sized = new ResizeObserver(([entry]) => {
      if (entry && entry.contentRect.height > 0) height.current = entry.contentRect.height;
    });
    if (box.current) sized.observe(box.current);
    return () => sized.disconnect();
  }, [isNear]);
  return (
    <div ref={box} style={isNear ? undefined : { height: height.current }}>
      {isNear && <LoadedPage {...props} height={height.current} />}
    </div>
  );
}

/** The rows of a page. Until they have come, the page has `height`, in pixels: a lower page would make further pages load. */
function LoadedPage({ filter, endDate, page, above, height }: PageSlotProps & { readonly height: number }) {
  const query = useAlerts({ filter, endDate, page });
  const before = useQueryClient().getQueryData<FeedPage>([
    FEED_KEY,
    'alerts',
    filter,
    { endDate, page: page - 1 },
  ]);
  return (
    <Async
      query={query}
      skeleton={
        <div style={{ height }}>
          <Skeleton lines={8} />
        </div>
      }
    >
      {({ items }) => <AlertRows items={items} after={above ?? before?.items.at(-1)} />}
    </Async>
  );
}
