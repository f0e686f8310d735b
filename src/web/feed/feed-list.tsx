import { useEffect, useRef, useState } from 'react';
import { Page } from '../kit/page.tsx';
import { useText } from '../text/text.ts';
import { NO_FILTER } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { SearchForm, SearchResults } from './search/search.tsx';
import type { SearchRequest } from './search/use-search.ts';
import { Timeline } from './timeline.tsx';

/** The list stays behind an opened alert, so that going back leads to the same place in it. */
export function FeedList({ isShown }: { readonly isShown: boolean }) {
  const t = useText('feed');
  const [filter, setFilter] = useState(NO_FILTER);
  const [search, setSearch] = useState<SearchRequest | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const scrolled = useRef(0);
  useEffect(() => {
    if (!isShown) return;
    const note = () => {
      // A page that becomes short scrolls by itself.
      if (!list.current?.hidden) scrolled.current = scrollY;
    };
    // The frame of the page goes to the top of each new place first, which is nothing to note.
    const back = requestAnimationFrame(() => {
      scrollTo(0, scrolled.current);
      addEventListener('scroll', note, { passive: true });
    });
    return () => {
      cancelAnimationFrame(back);
      removeEventListener('scroll', note);
    };
  }, [isShown]);
  return (
    <div ref={list} hidden={!isShown}>
      <Page title={t.title} lead={t.lead}>
        <SearchForm isSearching={search !== null} onSearch={setSearch} />
        {search ? (
          <SearchResults request={search} onChange={setSearch} />
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
