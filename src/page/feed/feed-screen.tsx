import { useRef } from 'react';
import { useLocation } from 'wouter';
import { usePlaceQuery } from '../shell/place.ts';
import { AlertDetail } from './alert/alert-detail.tsx';
import { FeedList } from './feed-list.tsx';
import { feedPlace, parseFeed } from './filter.ts';

/** `#/feed` is the list, `#/feed/ID` one alert. */
export default function FeedScreen() {
  const [place] = useLocation();
  const query = usePlaceQuery();
  const id = place.split('/')[2] ?? null;
  // A link of a message opens one alert: the list behind it is not read before somebody goes there.
  const listed = useRef<string>(null);
  if (id === null) listed.current = query;
  const { filter, search } = parseFeed(listed.current ?? '');
  return (
    <>
      {listed.current !== null && <FeedList isShown={id === null} filter={filter} search={search} />}
      {id !== null && <AlertDetail key={id} id={id} backTo={feedPlace(filter, search)} />}
    </>
  );
}
