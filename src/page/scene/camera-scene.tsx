import { api, type Resource } from '../api/client.ts';
import { useCall } from '../api/query.ts';
import { type RunStats, skippedPercent } from '../api/run-stats.ts';
import { useNow } from '../kit/age.tsx';
import { count, number } from '../kit/numbers.ts';
import { Section } from '../kit/page.tsx';
import { localeNow, useText } from '../text/text.ts';
import { LastCheck } from './check/last-check.tsx';
import { LastHour } from './last-hour.tsx';
import { LatestAlert } from './latest-alert.tsx';
import { LiveView } from './live-view.tsx';
import { SceneCondition } from './scene-condition.tsx';
import { SceneNumbers } from './scene-numbers.tsx';
import { TillList } from './scene-tills.tsx';
import type { Numbers } from './tills-shown.ts';
import { tillsShown } from './tills-shown.ts';
import type { Place } from './use-scene-now.ts';

interface CameraSceneProps {
  readonly scene: Resource<'Scene'>;
  readonly place: Extract<Place, { kind: 'camera' }>;
  readonly numbers: Numbers;
  readonly timezone: string;
  readonly aspect: number | null;
}

/** A scene of a camera as it is now. */
export function CameraScene({ scene, place, numbers, timezone, aspect }: CameraSceneProps) {
  const t = useText('scene');
  const { device, state, error, part, stats } = place;
  const tills = tillsShown(numbers, state === 'live', useNow());
  return (
    <>
      <SceneCondition scene={scene} state={state} device={device} errorMessage={error} />
      {/* In the order of a phone: the picture, the numbers, how it came to this, the last alert. */}
      <div className="columns">
        <div className="stack">
          <LiveView
            deviceId={device.id}
            deviceName={device.name}
            sceneId={scene.id}
            state={state}
            zones={scene.config.zones}
            tills={tills}
            part={part}
            aspect={aspect}
          />
          {tills.length > 0 && <TillList tills={tills} />}
        </div>
        <Section title={t.numbers}>
          <SceneNumbers {...numbers} isCurrent={state === 'live'} target={scene.effectiveTarget} />
          {scene.config.zones.queueZone && <WaitsRight sceneId={scene.id} />}
          {state === 'live' && stats && <Rate stats={stats} wantedFps={device.analysisFps} />}
          <LastCheck sceneId={scene.id} timezone={timezone} />
        </Section>
        <LastHour sceneId={scene.id} timezone={timezone} />
        <LatestAlert sceneId={scene.id} />
      </div>
    </>
  );
}

/** How many pictures are analysed, and how many of them needed no search. */
function Rate({ stats, wantedFps }: { readonly stats: RunStats; readonly wantedFps: number }) {
  const t = useText('scene');
  const locale = localeNow();
  const skipped = skippedPercent(stats);
  return (
    <p className="note">
      {t.rate(number(stats.fps, locale), number(wantedFps, locale))}
      {skipped !== null && skipped > 0 && ` ${t.skipped(String(skipped))}`}
    </p>
  );
}

/** Below so many predictions a share says nothing. */
const LEAST_PREDICTIONS = 30;

/** How many of the last estimated waits were right. */
function WaitsRight({ sceneId }: { readonly sceneId: string }) {
  const t = useText('scene');
  const locale = localeNow();
  const { data } = useCall(['wait-accuracy', sceneId], () =>
    api.GET('/analytics/scenes/{id}/wait-accuracy', { params: { path: { id: sceneId } } }),
  );
  if (!data || data.latest.served < LEAST_PREDICTIONS) return null;
  const { served, insideBand } = data.latest;
  return <p className="note">{t.waitsRight(count(served, locale), count(insideBand, locale))}</p>;
}
