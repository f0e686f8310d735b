import { type PointerEvent, useId, useMemo, useState } from 'react';
import type { Resource } from '../../api/client.ts';
import { duration, number } from '../../kit/numbers.ts';
import { localeNow, useText } from '../../text/text.ts';
import styles from './floor.module.css';
import { cellAt, floorShapes, LEVELS } from './floor-shapes.ts';

interface FloorMapProps {
  readonly map: Resource<'FloorMap'>;
  readonly label: string;
  readonly pictureUrl: string | null;
  readonly aspect: number;
}

/** The cells of a floor map over a picture. Pointing at a place says how long people were there. */
export function FloorMap({ map, label, pictureUrl, aspect }: FloorMapProps) {
  const t = useText('scene').floor;
  const hatch = useId();
  const locale = localeNow();
  const [hasDirection, setHasDirection] = useState(true);
  const [failedUrl, setFailedUrl] = useState<string | null>(null);
  const [place, setPlace] = useState<{ readonly x: number; readonly y: number } | null>(null);
  const shapes = useMemo(() => floorShapes(map, aspect), [map, aspect]);
  const most = duration(shapes.mostSeconds, locale);
  const point = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    setPlace({ x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height });
  };
  const cell = place && cellAt(map, place.x, place.y);
  const said =
    cell === null
      ? t.hint
      : cell.seconds === null
        ? t.hereBlank
        : t.here(duration(cell.seconds, locale), number(cell.seconds / map.coveredSeconds, locale, 2));
  const hasPicture = pictureUrl !== null && failedUrl !== pictureUrl;
  return (
    <figure className={`stack ${styles.figure}`}>
      {/* The text below says what is at the place; readers of screens have the label. */}
      <div
        className={styles.picture}
        style={{ aspectRatio: aspect }}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setPlace(null)}
      >
        {hasPicture && <img src={pictureUrl} alt="" onError={() => setFailedUrl(pictureUrl)} />}
        <svg
          viewBox={`0 0 ${map.columns} ${map.rows}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${label}. ${shapes.mostSeconds ? t.labelMost(most) : t.nobody}`}
        >
          <defs>
            <pattern
              id={hatch}
              width="0.5"
              height="0.5"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <line x1="0" x2="0" y1="0" y2="0.5" className={styles.hatch} />
            </pattern>
          </defs>
          {shapes.blank !== '' && <path d={shapes.blank} fill={`url(#${hatch})`} />}
          {shapes.levels.map((path, level) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the levels are always the same
            <path key={level} d={path} className={styles.level} fillOpacity={opacityOf(level + 1)} />
          ))}
          {hasDirection && (
            <path d={shapes.strokes} className={styles.strokes} vectorEffect="non-scaling-stroke" />
          )}
        </svg>
      </div>
      <figcaption className="row">
        <p className={styles.said}>{shapes.mostSeconds === 0 ? t.nobody : said}</p>
        <button
          type="button"
          className="pill"
          aria-pressed={hasDirection}
          onClick={() => setHasDirection(!hasDirection)}
        >
          {t.direction}
        </button>
        <div className={`note ${styles.scale}`} role="img" aria-label={`${t.scale}: ${t.most(most)}`}>
          <span>{t.none}</span>
          {Array.from({ length: LEVELS }, (_, level) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the levels are always the same
            <i key={level} style={{ opacity: opacityOf(level + 1) }} />
          ))}
          <span>{t.most(most)}</span>
        </div>
        {!hasPicture && <p className="note">{t.noPicture}</p>}
      </figcaption>
    </figure>
  );
}

/** @param level 1 to LEVELS */
const opacityOf = (level: number): number => 0.08 + (0.82 * (level - 1)) / (LEVELS - 1);
