import { type RefObject, useEffect, useRef, useState } from 'react';
import { useIsVisible } from '../api/use-visible.ts';
import { Icon } from '../kit/icon.tsx';
import { useText } from '../text/text.ts';
import styles from './now.module.css';
import { createStills } from './stills.ts';

/** The service makes live pictures of this width too. Three pixels for each of the tile's on the best phones. */
const WIDTH = 320;

async function readStill(deviceId: string): Promise<Blob | null> {
  const path = `api/v1/devices/${encodeURIComponent(deviceId)}/frame?orNothing=true&width=${WIDTH}`;
  const response = await fetch(path, { priority: 'low' });
  return response.status === 200 ? response.blob() : null;
}

const stills = createStills({
  read: readStill,
  nowMs: () => performance.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
});

interface TilePictureProps {
  readonly device: { readonly id: string; readonly name: string };
  /** Of a camera that is not analysed, a still would open its stream. */
  readonly isAnalysed: boolean;
  /** As wide as its tile. */
  readonly isLarge?: boolean;
}

/** What the camera of a tile saw last, for who may see pictures. Its place is there before and without a picture, so that nothing moves. */
export function TilePicture({ device, isAnalysed, isLarge = false }: TilePictureProps) {
  const t = useText('now');
  const place = useRef<HTMLDivElement>(null);
  const url = useStill(device.id, isAnalysed, place);
  return (
    <div
      ref={place}
      className={`${styles.picture} ${isLarge ? (isAnalysed ? styles.large : styles.none) : ''}`}
    >
      {url === null ? (
        <Icon name={isAnalysed ? 'cameras' : 'camerasOff'} size={isLarge ? 32 : 20} />
      ) : (
        <img src={url} alt={t.pictureOf(device.name)} />
      )}
    </div>
  );
}

function useStill(
  deviceId: string,
  isWanted: boolean,
  place: RefObject<HTMLDivElement | null>,
): string | null {
  const isVisible = useIsVisible();
  const [isInView, setInView] = useState(false);
  const [picture, setPicture] = useState<Blob | null>(null);
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!isWanted || !place.current) return;
    const observer = new IntersectionObserver((seen) => setInView(!!seen.at(-1)?.isIntersecting));
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isWanted, place]);
  useEffect(() => {
    if (!isWanted) return setPicture(null);
    if (!isVisible || !isInView) return;
    const show = () => setPicture(stills.get(deviceId));
    show();
    return stills.watch(deviceId, show);
  }, [deviceId, isWanted, isVisible, isInView]);
  useEffect(() => {
    if (!picture) return setUrl(null);
    const made = URL.createObjectURL(picture);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [picture]);
  return url;
}
