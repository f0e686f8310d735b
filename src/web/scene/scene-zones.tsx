import type { Resource } from '../api/client.ts';
import { type Point, Polygon, PolygonLayer } from '../kit/polygon.tsx';
import { useText } from '../text/text.ts';
import styles from './scene-zones.module.css';
import { labelPlace, ZONE_NAMES } from './zone-places.ts';

export type Zones = Resource<'Scene'>['config']['zones'];

/** The zones of a scene with their names, over a picture. */
export function SceneZones({ zones }: { readonly zones: Zones }) {
  const t = useText('scene');
  const drawn = ZONE_NAMES.flatMap((name) => {
    const points = zones[name]?.points as readonly Point[] | undefined;
    return points ? [{ name, points }] : [];
  });
  return (
    <>
      <PolygonLayer label={drawn.map(({ name }) => t.zones[name]).join(', ')}>
        {drawn.map(({ name, points }) => (
          <Polygon key={name} kind={name} points={points} />
        ))}
      </PolygonLayer>
      {drawn.map(({ name, points }) => {
        const [x, y] = labelPlace(points);
        return (
          <span
            key={name}
            aria-hidden="true"
            className={`${styles.label} ${styles[name]}`}
            style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
          >
            {t.zones[name]}
          </span>
        );
      })}
    </>
  );
}
