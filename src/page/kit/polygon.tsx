import styles from './polygon.module.css';

export type Point = readonly [x: number, y: number];
export type ZoneKind = 'queueZone' | 'checkoutZone' | 'staffZone' | 'till' | 'tillStaff' | 'mask';

interface PolygonProps {
  readonly kind: ZoneKind;
  /** Coordinates 0-1 of the picture. */
  readonly points: readonly Point[];
  readonly label?: string;
}

/** A zone over a picture; a child of `<PolygonLayer>`. */
export function Polygon({ kind, points, label }: PolygonProps) {
  return (
    <polygon
      className={`${styles.zone} ${styles[kind]}`}
      points={points.map(([x, y]) => `${x * 1000},${y * 1000}`).join(' ')}
      vectorEffect="non-scaling-stroke"
    >
      {label !== undefined && <title>{label}</title>}
    </polygon>
  );
}

/** Lies over a picture in the same box; its parent needs `position: relative`. */
export const PolygonLayer = ({ children, label }: { children: React.ReactNode; readonly label: string }) => (
  <svg
    className={styles.layer}
    viewBox="0 0 1000 1000"
    preserveAspectRatio="none"
    role="img"
    aria-label={label}
  >
    {children}
  </svg>
);
