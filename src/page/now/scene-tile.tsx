import { lazy, Suspense } from 'react';
import type { LiveScene } from '../api/live-scenes.ts';
import { useSession } from '../api/session.tsx';
import { Age, Time, useNow } from '../kit/age.tsx';
import { Spark } from '../kit/chart/spark.tsx';
import { Chip } from '../kit/chip.tsx';
import { count, duration } from '../kit/numbers.ts';
import { Tile, TileLink } from '../kit/tile.tsx';
import type { Texts } from '../text/en/all.ts';
import { localeNow, useText } from '../text/text.ts';
import styles from './now.module.css';
import { isMeasured, LOOKS, reasonOf, warningsOf } from './state.ts';
import { TilePicture } from './tile-picture.tsx';

const AdviceLine = lazy(() => import('./advice-line.tsx'));

interface SceneTileProps {
  readonly scene: LiveScene;
  /** Names of the sites of its device. */
  readonly sites: readonly string[];
}

/** One scene as it is now. */
export function SceneTile({ scene, sites }: SceneTileProps) {
  const t = useText('now');
  const locale = localeNow();
  const now = useNow();
  const mayPicture = useSession().may('device:read');
  const { current, device, lastAlert, spark } = scene;
  const reason = reasonOf(scene, now);
  const { tone } = LOOKS[reason];
  const isNow = isMeasured(reason);
  const explained = explanation(scene, reason, useText('faults'));
  return (
    <Tile tone={tone}>
      <div className={styles.head}>
        <div className={styles.names}>
          <h2>
            <TileLink to={`/scenes/${scene.id}`}>{scene.name}</TileLink>
          </h2>
          <p>{[device.name, ...sites].filter((name) => name !== scene.name).join(' · ')}</p>
        </div>
        <Chip tone={tone}>{t.reasons[reason]}</Chip>
      </div>
      {explained && <p className={styles.why}>{explained}</p>}
      {scene.advice && isNow && (
        <Suspense>
          <AdviceLine scene={scene} />
        </Suspense>
      )}
      <dl className={`${styles.numbers} ${isNow ? '' : styles.past}`}>
        <div className={styles.big}>
          <dt>{t.waiting}</dt>
          <dd>{count(current?.inQueue, locale)}</dd>
        </div>
        <div>
          <dt>{t.estimatedWait}</dt>
          <dd>{duration(current?.estimatedWaitSeconds, locale)}</dd>
        </div>
        <div>
          <dt>{t.inService}</dt>
          <dd>{count(current?.inService, locale)}</dd>
        </div>
      </dl>
      {scene.tills.length > 0 && <p className={styles.tills}>{tillsOpen(scene, isNow, t)}</p>}
      <figure className={styles.hour}>
        <div className={styles.seen}>
          {mayPicture && <TilePicture device={device} isAnalysed={isNow} />}
          <Spark
            values={spark.avgInQueue}
            label={t.sparkOf(spark.avgInQueue.map((value) => count(value, locale)))}
          />
        </div>
        <figcaption>
          <span>{t.lastHour}</span>
          <span>{scene.updatedAt === null ? t.noNumbersYet : <Age since={scene.updatedAt} />}</span>
        </figcaption>
      </figure>
      {lastAlert && (
        <p className={styles.alert}>
          <Chip tone={lastAlert.severity === 'critical' ? 'bad' : 'warn'}>
            <Time
              at={lastAlert.triggeredAt}
              style={isToday(lastAlert.triggeredAt, now) ? 'time' : 'dayTime'}
              timezone={device.timezone ?? undefined}
            />
          </Chip>
          <span>{lastAlert.message}</span>
        </p>
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

const DAY_MS = 86_400_000;
const isToday = (at: string, nowMs: number): boolean => nowMs - Date.parse(at) < DAY_MS / 2;

/** Why a scene is not measured, or may be wrong; what the page has no words for, in those of the API. */
function explanation(
  scene: LiveScene,
  reason: ReturnType<typeof reasonOf>,
  known: Texts['faults'],
): string | null {
  const { fault, run, device } = scene;
  if (reason === 'fault') return fault?.message ?? null;
  if (reason === 'offline') return device.lastError;
  if (reason === 'failed') return run?.errorMessage ?? device.lastError;
  if (reason !== 'uncertain') return null;
  const [warning] = warningsOf(scene);
  return warning ? (known[warning.reason]?.title ?? warning.message) : null;
}
