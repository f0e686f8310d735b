import type { Resource } from '../api/client.ts';
import { type Point, Polygon, PolygonLayer } from '../kit/polygon.tsx';
import { useText } from '../text/text.ts';
import styles from './scene-zones.module.css';
import type { Part } from './use-scene-now.ts';
import { labelPlace, ZONE_NAMES } from './zone-places.ts';

export type Zones = Resource<'Scene'>['config']['zones'];

/** The zones of a scene with their names, over a picture, and the part of it that is analysed. */
export function SceneZones({
  zones,
  part,
}: {
  readonly zones: Zones;
  readonly part?: Part | null | undefined;
}) {
  const t = useText('scene');
  const drawn = ZONE_NAMES.flatMap((name) => {
    const points = zones[name]?.points as readonly Point[] | undefined;
    return points ? [{ name, points }] : [];
  });
  return (
    <>
      {part && <div className={styles.part} role="img" aria-label={t.analysedPart} style={placeOf(part)} />}
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

const percent = (share: number): string => `${share * 100}%`;
const placeOf = ({ left, top, width, height }: Part) => ({
  left: percent(left),
  top: percent(top),
  width: percent(width),
  height: percent(height),
});
