import type { ReactNode } from 'react';
import styles from './tile.module.css';
import type { Tone } from './tone.ts';

export type { Tone } from './tone.ts';

interface TileProps {
  readonly children: ReactNode;
  readonly tone?: Tone;
  /** Makes the whole tile a link to a place of the page. For a tile with much content, put a `TileLink` into its heading. */
  readonly to?: string;
}

/** A card on the ground of the page. */
export function Tile({ children, tone, to }: TileProps) {
  const className = `card ${styles.tile}`;
  if (to === undefined) {
    return (
      <div className={className} data-tone={tone}>
        {children}
      </div>
    );
  }
  return (
    <a className={`${className} ${styles.link}`} data-tone={tone} href={`#${to}`}>
      {children}
    </a>
  );
}

/** A link whose target is the whole tile around it; screen readers say only its own words. */
export const TileLink = ({ to, children }: { readonly to: string; readonly children: ReactNode }) => (
  <a className={styles.cover} href={`#${to}`}>
    {children}
  </a>
);

/** Tiles beside each other, as many as fit. */
export const TileGrid = ({ children }: { readonly children: ReactNode }) => (
  <div className="cards">{children}</div>
);
