import { useEffect, useRef, useState } from 'react';
import { Page } from '../kit/page.tsx';
import { goTo } from '../shell/place.ts';
import { useText } from '../text/text.ts';
import { type FeedFilter, feedPlace, NO_FILTER } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { SearchForm, SearchResults } from './search/search.tsx';
import type { SearchRequest } from './search/use-search.ts';
import { Timeline } from './timeline.tsx';

/** A place in the list. */
interface Spot {
  /** Address of the first row in view. */
  readonly href: string;
  /** Pixels between the top of the window and that row. */
  readonly top: number;
  /** Pixels by which the page was scrolled. */
  readonly scrolled: number;
}

function spotOf(list: HTMLElement): Spot | null {
  for (const row of list.querySelectorAll('li a')) {
    const { top, bottom } = row.getBoundingClientRect();
    // In a hidden list every edge is 0.
    if (bottom > 0) return { href: row.getAttribute('href')!, top, scrolled: scrollY };
  }
  return null;
}

/** Scrolls to the row of the place. Pixels alone lead to another row when rows above it came while the list was hidden. */
function goToSpot(list: HTMLElement, { href, top, scrolled }: Spot): void {
  const row = list.querySelector(`li a[href=${CSS.escape(href)}]`);
  if (row) scrollBy(0, row.getBoundingClientRect().top - top);
  else scrollTo(0, scrolled);
}

interface FeedListProps {
  readonly isShown: boolean;
  readonly filter: FeedFilter;
  /** Words that are searched for; empty for all alerts. */
  readonly search: string;
}

/** The list stays behind an opened alert, so that going back leads to the same place in it. */
export function FeedList({ isShown, filter, search }: FeedListProps) {
  const t = useText('feed');
  // Conditions that were left of a search; they belong to its words.
  const [rest, setRest] = useState<{ search: string; request: SearchRequest } | null>(null);
  const request = rest?.search === search ? rest.request : search === '' ? null : { query: search };
  const setFilter = (chosen: FeedFilter) => goTo(feedPlace(chosen, search), { replace: true });
  const setSearch = (words: string) => goTo(feedPlace(filter, words));
  const list = useRef<HTMLDivElement>(null);
  const spot = useRef<Spot>(null);
  useEffect(() => {
    const element = list.current;
    if (!isShown || !element) return;
    const note = () => {
      spot.current = spotOf(element) ?? spot.current;
    };
    // The frame of the page goes to the top of each new place first, which is nothing to note.
    const back = requestAnimationFrame(() => {
      if (spot.current) goToSpot(element, spot.current);
      addEventListener('scroll', note, { passive: true });
      // The browser tells of a scroll one frame later: a click that opens an alert may come before.
      addEventListener('click', note, { capture: true });
    });
    return () => {
      cancelAnimationFrame(back);
      removeEventListener('scroll', note);
      removeEventListener('click', note, { capture: true });
    };
  }, [isShown]);
  return (
    <div ref={list} hidden={!isShown}>
      <Page title={t.title} lead={t.lead}>
        <SearchForm key={search} words={search} onSearch={setSearch} />
        {request ? (
          <SearchResults
            request={request}
            onChange={(left) => (left ? setRest({ search, request: left }) : setSearch(''))}
          />
        ) : (
          <>
            <FilterBar filter={filter} onChange={setFilter} />
            <Timeline key={JSON.stringify(filter)} filter={filter} onClear={() => setFilter(NO_FILTER)} />
          </>
        )}
      </Page>
    </div>
  );
}
