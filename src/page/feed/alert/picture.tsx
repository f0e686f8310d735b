import { useState } from 'react';
import { Icon } from '../../kit/icon.tsx';
import { ImageView } from '../../kit/image-view.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { useText } from '../../text/text.ts';
import styles from '../feed.module.css';
import type { FeedItem } from '../feed-item.ts';

/** The small picture of a row. */
export function Thumbnail({ item }: { readonly item: FeedItem }) {
  const t = useText('feed');
  if (item.thumbnailUrl !== null) {
    return (
      <span className={styles.thumbnail}>
        <ImageView url={item.thumbnailUrl} alt="" gone={t.pictureGone} />
      </span>
    );
  }
  return (
    <span className={styles.thumbnail}>
      <span className={`no-picture ${styles.noPicture}`}>
        <Icon name={item.awaitsImages ? 'clock' : 'off'} />
        {item.awaitsImages ? t.picturePending : t.noPicture}
      </span>
    </span>
  );
}

interface AlertPicturesProps {
  /** The picture as it was, and the same with boxes; other pictures after them. */
  readonly urls: readonly string[];
  readonly awaitsImages: boolean;
  readonly what: string;
}

export function AlertPictures({ urls, awaitsImages, what }: AlertPicturesProps) {
  const t = useText('feed');
  const [selected, setSelected] = useState('1');
  if (urls.length === 0) {
    return (
      <div className="no-picture">
        <Icon name={awaitsImages ? 'clock' : 'off'} size={32} />
        <strong>{awaitsImages ? t.picturePending : t.pictureGone}</strong>
        {!awaitsImages && <span>{t.pictureGoneHint}</span>}
      </div>
    );
  }
  const at = Math.min(Number(selected), urls.length - 1);
  const picture = <ImageView url={urls[at]!} alt={t.picture(what)} isLazy={false} gone={t.pictureGone} />;
  if (urls.length === 1) return picture;
  const tabs = urls.map((_, index) => ({ id: String(index), label: labelOf(index, urls.length, t) }));
  return (
    <Tabs label={t.pictures} tabs={tabs} selected={String(at)} onSelect={setSelected}>
      {picture}
    </Tabs>
  );
}

/** Each picture is stored twice: without and with boxes. */
function labelOf(
  index: number,
  count: number,
  t: { boxes: string; plain: string; pictures: string },
): string {
  if (count !== 2) return `${t.pictures} ${index + 1}`;
  return index === 0 ? t.plain : t.boxes;
}
