import { useState } from 'react';
import { useText } from '../text/text.ts';
import { Icon } from './icon.tsx';
import styles from './image-view.module.css';

/**
 * The address of an image below this page. The API signs whole addresses with its PUBLIC_URL, which may be another host
 * than the one that this browser uses: path and query are enough.
 */
export function nearAddress(url: string): string {
  const { pathname, search } = new URL(url, location.href);
  const at = pathname.indexOf('/api/v1/');
  return at < 0 ? url : `${pathname.slice(at + 1)}${search}`;
}

interface ImageViewProps {
  /** As the API gives it. */
  readonly url: string;
  readonly alt: string;
  /** Width divided by height, so that the page does not jump when the image arrives. */
  readonly ratio?: number;
  readonly isLazy?: boolean;
  /** Said instead of a picture that is gone; default: that it could not be loaded. */
  readonly gone?: string;
}

/** A picture of the API. One that is gone, because it was erased or has expired, leaves a note. */
export function ImageView({ url, alt, ratio = 16 / 9, isLazy = true, gone }: ImageViewProps) {
  const common = useText('common');
  const [failed, setFailed] = useState<string | null>(null);
  if (failed === url) {
    return (
      <div
        className="no-picture"
        style={{ aspectRatio: ratio }}
        {...(alt !== '' && { role: 'img', 'aria-label': alt })}
      >
        <Icon name="off" size={28} />
        <span>{gone ?? common.failedTitle}</span>
      </div>
    );
  }
  return (
    <img
      className={styles.image}
      style={{ aspectRatio: ratio }}
      src={nearAddress(url)}
      alt={alt}
      loading={isLazy ? 'lazy' : 'eager'}
      decoding="async"
      onError={() => setFailed(url)}
    />
  );
}
