import { placeName } from '../../catalogue/words/place-name.ts';
import { api } from '../api/client.ts';
import type { LiveScene } from '../api/live-scenes.ts';
import { useAction } from '../api/query.ts';
import { useSession } from '../api/session.tsx';
import { Age } from '../kit/age.tsx';
import { Button } from '../kit/button.tsx';
import { StartFailure } from '../kit/form/start-failure.tsx';
import { Icon } from '../kit/icon.tsx';
import { TileLink } from '../kit/tile.tsx';
import { troubleOf } from '../kit/words/trouble.ts';
import { useText } from '../text/text.ts';
import { LastNumbers } from './last-numbers.tsx';
import styles from './now.module.css';
import type { Reason } from './state.ts';

interface BrokenTileProps {
  readonly scene: LiveScene;
  readonly reason: Reason;
}

/** A place that should be measured and is not: loud, with why, and a way to start again. */
export function BrokenTile({ scene, reason }: BrokenTileProps) {
  const t = useText('now');
  const { fault, run, device } = scene;
  const said = reason === 'fault' ? fault?.message : (run?.errorMessage ?? device.lastError);
  const why = troubleOf(
    useText('faults'),
    reason === 'fault' && fault ? fault.reason : reason,
    reason === 'old' ? null : said,
  );
  // Of the others the last numbers tell the age.
  const since = reason === 'fault' ? (fault?.since ?? null) : null;
  return (
    <article className={`card ${styles.broken}`}>
      <div className={styles.brokenHead}>
        <Icon name="camerasOff" size={28} label={t.reasons[reason]} />
        <h2>
          <TileLink to={`/scenes/${scene.id}`}>{placeName(device.name, scene.name)}</TileLink>
        </h2>
      </div>
      <p>
        <strong>{why.title}</strong>
        {since !== null && (
          <small className="note">
            {' '}
            <Age since={since} />
          </small>
        )}
      </p>
      <LastNumbers scene={scene} />
      <div className={styles.brokenActions}>
        <details>
          <summary>{t.why}</summary>
          <p>{why.advice}</p>
          {why.details !== null && <p className={`note ${styles.said}`}>{t.said(why.details)}</p>}
        </details>
        <Restart scene={scene} />
      </div>
    </article>
  );
}

/** Starts the analysis anew, for who may do that. */
function Restart({ scene }: { readonly scene: LiveScene }) {
  const t = useText('now');
  const session = useSession();
  const path = { id: scene.device.id };
  const changes = [['overview'], ['scene', scene.id], ['device', scene.device.id]];
  const start = useAction(
    () => api.POST('/devices/{id}/analysis/start', { params: { path }, body: { sceneId: scene.id } }),
    { changes },
  );
  const restart = useAction(
    () =>
      api.PATCH('/scenes/{id}', { params: { path: { id: scene.id }, query: { restart: true } }, body: {} }),
    { changes },
  );
  const isEnded = scene.analysisStatus === 'error';
  const again = isEnded ? start : restart;
  const mayAct = session.may('analysis:control') && (isEnded || session.may('scene:write'));
  if (scene.device.isDisabled || !mayAct) return null;
  return (
    <>
      <Button icon="restart" isBusy={again.isPending} onClick={() => again.mutate(undefined)}>
        {t.restart}
      </Button>
      <StartFailure error={again.error} />
    </>
  );
}
