import { useEffect, useRef, useState } from 'react';
import { noteEnded } from '../api/connection.ts';
import { followPictures, type PicturesState } from '../api/follow-pictures.ts';
import type { LivePicture } from '../api/live-picture.ts';
import { useIsVisible } from '../api/use-visible.ts';

interface Wanted {
  readonly deviceId: string;
  /** False while there are none, for example because nothing is analysed. */
  readonly isWanted: boolean;
  readonly show: (picture: LivePicture) => void;
}

const PICTURES_PER_SECOND = 10;

/** Shows live pictures of a device while the page is looked at. @returns what the connection does; null while there is none */
export function useLivePictures({ deviceId, isWanted, show }: Wanted): PicturesState | null {
  const [state, setState] = useState<PicturesState | null>(null);
  const isVisible = useIsVisible();
  const newest = useRef(show);
  newest.current = show;
  useEffect(() => {
    if (!isWanted || !isVisible) return;
    const ending = new AbortController();
    const tell = (next: PicturesState) => {
      if (ending.signal.aborted) return;
      setState(next);
      if (next.kind === 'refused' && next.failure.status === 401) noteEnded(true);
    };
    const width = wantedWidth(Math.min(innerWidth, 1120) * devicePixelRatio);
    const url = `api/v1/devices/${encodeURIComponent(deviceId)}/live?fps=${PICTURES_PER_SECOND}&width=${width}`;
    void followPictures({ url, show: (picture) => newest.current(picture), tell }, ending.signal);
    return () => {
      ending.abort();
      setState(null);
    };
  }, [deviceId, isWanted, isVisible]);
  return state;
}

/** A phone with a dense screen need not have the largest pictures: they cost it battery. */
const wantedWidth = (pixels: number): number => (pixels <= 800 ? 640 : 960);
