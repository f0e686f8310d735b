import { useState } from 'react';
import type { Resource } from '../api/client.ts';
import { LinkButton } from '../kit/button.tsx';
import { count, duration, percent } from '../kit/numbers.ts';
import { Section } from '../kit/page.tsx';
import { Empty } from '../kit/states.tsx';
import { localeNow, useText } from '../text/text.ts';
import type { TimeRange } from './floor/floor-range.ts';
import live from './live-view.module.css';
import { Pair } from './scene-numbers.tsx';
import { SceneZones } from './scene-zones.tsx';

/** From the first to the last frame of a recording. */
export function recordedRange({ recordedAt, durationSeconds }: Resource<'Recording'>): TimeRange {
  const fromMs = Date.parse(recordedAt);
  return { fromMs, toMs: fromMs + durationSeconds * 1000 };
}

interface RecordedSceneProps {
  readonly scene: Resource<'Scene'>;
  /** Null if it was deleted meanwhile. */
  readonly recording: Resource<'Recording'> | null;
  readonly pictureUrl: string | null;
}

/** The hidden scene of a recording: its first picture with the zones, and the numbers of all of it. */
export function RecordedScene({ scene, recording, pictureUrl }: RecordedSceneProps) {
  const t = useText('scene');
  const [hasFailed, setHasFailed] = useState(false);
  const locale = localeNow();
  const total = scene.latestMetrics?.total;
  return (
    <div className="columns">
      {recording && pictureUrl !== null && (
        <div className={live.picture} style={{ aspectRatio: recording.width / recording.height }}>
          {!hasFailed && (
            <img
              className={live.canvas}
              src={pictureUrl}
              alt={t.firstPicture}
              onError={() => setHasFailed(true)}
            />
          )}
          <SceneZones zones={scene.config.zones} />
        </div>
      )}
      <Section title={t.wholeRecording}>
        {total ? (
          <>
            <dl className="facts">
              <Pair name={t.served} value={count(total.completed.count, locale)} />
              <Pair name={t.medianWait} value={duration(total.completed.p50WaitSeconds, locale)} />
              <Pair name={t.longWait} value={duration(total.completed.p90WaitSeconds, locale)} />
              <Pair name={t.serviceTime} value={duration(total.completed.avgServiceSeconds, locale)} />
              <Pair name={t.gaveUp} value={count(total.abandoned.count, locale)} />
              <Pair name={t.gaveUpShare} value={percent(total.abandonmentRate, locale)} />
            </dl>
            <div className="buttons">
              <LinkButton href={`#/history/scenes/${scene.id}`} icon="history">
                {t.visits}
              </LinkButton>
            </div>
          </>
        ) : (
          <Empty
            title={t.noNumbers}
            icon="recordings"
            action={
              recording && <LinkButton href={`#/recordings/${recording.id}`}>{t.toRecording}</LinkButton>
            }
          >
            {t.notAnalysed}
          </Empty>
        )}
      </Section>
    </div>
  );
}
