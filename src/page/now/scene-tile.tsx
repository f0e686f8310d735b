import { placeName } from '../../catalogue/words/place-name.ts';
import type { LiveScene } from '../api/live-scenes.ts';
import { useSession } from '../api/session.tsx';
import { Age, useNow } from '../kit/age.tsx';
import { Spark } from '../kit/chart/spark.tsx';
import { Chip } from '../kit/chip.tsx';
import { count, duration } from '../kit/numbers.ts';
import { Tile, TileLink } from '../kit/tile.tsx';
import type { Texts } from '../text/en/all.ts';
import { localeNow, useText } from '../text/text.ts';
import { Later } from './later.tsx';
import styles from './now.module.css';
import { isMeasured, LOOKS, reasonOf, warningsOf } from './state.ts';
import { againstTarget } from './target-state.ts';
import { TilePicture } from './tile-picture.tsx';
import { TrendArrow } from './trend-arrow.tsx';
import { waitWords } from './wait-words.ts';

const adviceLine = () => import('./advice-line.tsx');
const lastAlertLine = () => import('./last-alert.tsx');

interface SceneTileProps {
  readonly scene: LiveScene;
  /** Names of the sites of its device. */
  readonly sites: readonly string[];
}

/** One place as it is now. */
export function SceneTile({ scene, sites }: SceneTileProps) {
  const t = useText('now');
  const locale = localeNow();
  const now = useNow();
  const mayPicture = useSession().may('device:read');
  const { current, device, lastAlert, spark, effectiveTarget } = scene;
  const reason = reasonOf(scene, now);
  const { tone } = LOOKS[reason];
  const isNow = isMeasured(reason);
  const [warning] = reason === 'uncertain' ? warningsOf(scene) : [];
  const faults = useText('faults');
  const place = placeName(device.name, scene.name);
  const against = reason === 'over' || reason === 'close' ? againstTarget(current, effectiveTarget) : null;
  const target = effectiveTarget && duration(effectiveTarget.waitSeconds, locale);
  return (
    <Tile tone={tone}>
      <div className={`spread ${styles.head}`}>
        <div className={styles.names}>
          <h2 className="short">
            <TileLink to={`/scenes/${scene.id}`}>{place}</TileLink>
          </h2>
          {sites.length > 0 && <p className="note one-line">{sites.join(' · ')}</p>}
        </div>
        <Chip tone={tone}>{t.reasons[reason]}</Chip>
      </div>
      {warning && <p className="note short">{(faults[warning.reason] ?? faults.unknown!).title}</p>}
      {against && against.by !== 'nobody' && target !== null && (
        <p className="note short">{t.against[against.by](duration(against.seconds, locale), target)}</p>
      )}
      {(scene.advice || scene.unusual) && isNow && <Later load={adviceLine} props={{ scene }} />}
      <dl className={`${styles.numbers} ${isNow ? '' : styles.past}`}>
        <div className={styles.big}>
          <dt>{t.waiting}</dt>
          <dd>
            {count(current?.inQueue, locale)}
            {isNow && <TrendArrow scene={scene} />}
          </dd>
        </div>
        <div>
          <dt>{target === null ? t.estimatedWait : t.waitWithTarget(target)}</dt>
          <dd>{waitWords(current)}</dd>
        </div>
        <div>
          <dt>{t.inService}</dt>
          <dd>{count(current?.inService, locale)}</dd>
        </div>
      </dl>
      {scene.tills.length > 0 && <p className={styles.tills}>{tillsOpen(scene, isNow, t)}</p>}
      <figure className={`stack ${styles.hour}`}>
        <div className={styles.seen}>
          {mayPicture && <TilePicture device={device} isAnalysed={isNow} />}
          <Spark
            values={spark.avgInQueue}
            label={t.sparkOf(spark.avgInQueue.map((value) => count(value, locale)))}
          />
        </div>
        <figcaption className="note spread">
          <span>{t.lastHour}</span>
          <span>{scene.updatedAt === null ? t.noNumbersYet : <Age since={scene.updatedAt} />}</span>
        </figcaption>
      </figure>
      {lastAlert && (
        <Later
          load={lastAlertLine}
          props={{ scene }}
          fallback={<p className={`row ${styles.alert}`}>&nbsp;</p>}
        />
      )}
    </Tile>
  );
}

/** How many tills are open; no number where nobody knows that of any. */
function tillsOpen({ tills }: LiveScene, isNow: boolean, t: Texts['now']): string {
  const known = isNow ? tills.filter(({ state }) => state !== 'unknown') : [];
  const open = known.filter(({ state }) => state !== 'closed').length;
  return t.tillsOpen(count(known.length === 0 ? null : open, localeNow()), tills.length);
}
