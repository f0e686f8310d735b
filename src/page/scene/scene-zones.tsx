import { Fragment } from 'react';
import type { Resource } from '../api/client.ts';
import { type Point, Polygon, PolygonLayer } from '../kit/polygon.tsx';
import { useText } from '../text/text.ts';
import { TillLabel, widthOf } from './scene-tills.tsx';
import styles from './scene-zones.module.css';
import { type LiveTill, sharedStart } from './tills-shown.ts';
import type { Part } from './use-scene-now.ts';
import { labelPlace, ZONE_NAMES } from './zone-places.ts';

export type Zones = Resource<'Scene'>['config']['zones'];

/** The zones of a scene with their names, over a picture, and the part of it that is analysed. */
export function SceneZones({
  zones,
  part,
  tills: now = [],
}: {
  readonly zones: Zones;
  readonly part?: Part | null | undefined;
  /** The tills as they are now; those of a recording have names only. */
  readonly tills?: readonly LiveTill[];
}) {
  const t = useText('scene');
  const drawn = ZONE_NAMES.flatMap((name) => {
    const points = zones[name]?.points as readonly Point[] | undefined;
    return points ? [{ name, points }] : [];
  });
  const tills = (zones.tills ?? []).map(({ id, name, points, staffPoints }) => ({
    ...{ till: now.find((each) => each.id === id) ?? { id, name } },
    ...{ points: points as readonly number[][] as unknown as readonly Point[], staffPoints },
  }));
  const start = sharedStart(tills.map(({ till }) => till.name));
  const narrowest = Math.min(...tills.map(({ points }) => widthOf(points)));
  return (
    <>
      {part && <div className={styles.part} role="img" aria-label={t.analysedPart} style={placeOf(part)} />}
      <PolygonLayer
        label={[...drawn.map(({ name }) => t.zones[name]), ...tills.map(({ till }) => till.name)].join(', ')}
      >
        {drawn.map(({ name, points }) => (
          <Polygon key={name} kind={name} points={points} />
        ))}
        {tills.map(({ till, points, staffPoints }) => (
          <Fragment key={till.id}>
            <Polygon kind="till" points={points} />
            {staffPoints && <Polygon kind="tillStaff" points={staffPoints as unknown as readonly Point[]} />}
          </Fragment>
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
      {tills.map(({ till, points }) => (
        <TillLabel key={till.id} {...{ till, points, narrowest, start }} />
      ))}
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
