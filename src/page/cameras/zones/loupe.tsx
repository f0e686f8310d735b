import type { ReactNode } from 'react';
import type { Point } from '../../../catalogue/zones/polygon.ts';
import styles from './zone-editor.module.css';

/** Radius of the loupe, its distance from the finger, in CSS pixels, and how much it enlarges. */
const RADIUS = 56;
const AWAY = 92;
const TIMES = 2.5;

interface LoupeProps {
  readonly picture: string | null;
  /** Where the finger drags a point, in CSS pixels of the canvas. */
  readonly at: Point;
  readonly size: { readonly width: number; readonly height: number };
  /** The polygons, as they are drawn over the picture. */
  readonly drawing: ReactNode;
}

/** What the finger covers, enlarged, above it; beside it near the upper edge of the picture. */
export function Loupe({ picture, at: [x, y], size: { width, height }, drawing }: LoupeProps) {
  const hasRoomAbove = y - AWAY - RADIUS > -RADIUS;
  const beside = x > width / 2 ? x - AWAY : x + AWAY;
  const [centreX, centreY] = hasRoomAbove ? [x, y - AWAY] : [beside, y];
  const across = (2 * RADIUS) / TIMES;
  return (
    <g>
      <svg
        x={centreX - RADIUS}
        y={centreY - RADIUS}
        width={2 * RADIUS}
        height={2 * RADIUS}
        viewBox={`${x - across / 2} ${y - across / 2} ${across} ${across}`}
        className={styles.lens}
        aria-hidden="true"
      >
        <rect
          x={x - across}
          y={y - across}
          width={2 * across}
          height={2 * across}
          className={styles.beyond}
        />
        {picture && <image href={picture} width={width} height={height} preserveAspectRatio="none" />}
        {drawing}
        <path d={`M${x - 6},${y}h12M${x},${y - 6}v12`} className={styles.cross} />
      </svg>
      <circle cx={centreX} cy={centreY} r={RADIUS} className={styles.rim} />
    </g>
  );
}
