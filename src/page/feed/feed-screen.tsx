import { useRef } from 'react';
import { useLocation } from 'wouter';
import { AlertDetail } from './alert/alert-detail.tsx';
import { FeedList } from './feed-list.tsx';

/** `#/feed` is the list, `#/feed/ID` one alert. */
export default function FeedScreen() {
  const [place] = useLocation();
  const id = place.split('/')[2] ?? null;
  // A link of a message opens one alert: the list behind it is not read before somebody goes there.
  const wasListed = useRef(false);
  if (id === null) wasListed.current = true;
  return (
    <>
      {wasListed.current && <FeedList isShown={id === null} />}
      {id !== null && <AlertDetail key={id} id={id} />}
    </>
  );
}
