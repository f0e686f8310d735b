import { useState } from 'react';
import { placeName } from '../../catalogue/words/place-name.ts';
import type { Resource } from '../api/client.ts';
import { api } from '../api/client.ts';
import { useAction } from '../api/query.ts';
import { Can } from '../api/session.tsx';
import { Button } from '../kit/button.tsx';
import { ConfirmDialog } from '../kit/form/confirm-dialog.tsx';
import { StartFailure } from '../kit/form/start-failure.tsx';
import { useText } from '../text/text.ts';
import { isActive } from './camera-state.ts';
import styles from './cameras.module.css';

interface SceneRowProps {
  readonly camera: Pick<Resource<'Device'>, 'id' | 'isDisabled' | 'name'>;
  readonly scene: Pick<Resource<'SceneListItem'>, 'analysisStatus' | 'id' | 'name'>;
  /** In a list of cameras, where many stand beside each other. */
  readonly isQuiet?: boolean;
}

/** A scene with a link, and the button that starts or stops its analysis, for who may do that. */
export function SceneRow({ camera, scene, isQuiet = false }: SceneRowProps) {
  const t = useText('cameras');
  const [isAsked, setAsked] = useState(false);
  const options = {
    changes: [['scenes', camera.id], ['cameras'], ['device', camera.id], ['status', camera.id]],
    onDone: () => setAsked(false),
  };
  const path = { id: camera.id };
  const body = { sceneId: scene.id };
  const start = useAction(
    () => api.POST('/devices/{id}/analysis/start', { params: { path }, body }),
    options,
  );
  const stop = useAction(() => api.POST('/devices/{id}/analysis/stop', { params: { path }, body }), options);
  const place = placeName(camera.name, scene.name);
  const isStopping = scene.analysisStatus === 'stopping';
  const about = isQuiet
    ? { 'aria-label': `${isActive(scene.analysisStatus) ? t.stop : t.start}: ${place}` }
    : {};
  return (
    <div className={`stack ${styles.scene}`}>
      <div className={`spread ${styles.sceneHead}`}>
        <a href={`#/scenes/${scene.id}`} aria-label={t.numbersOf(place)}>
          {place === camera.name ? t.numbers : scene.name}
        </a>
        <Can scope="analysis:control">
          {isActive(scene.analysisStatus) ? (
            <Button {...about} icon="pause" isBusy={isStopping} onClick={() => setAsked(true)}>
              {t.stop}
            </Button>
          ) : (
            <Button
              {...about}
              icon="play"
              kind={isQuiet ? 'normal' : 'main'}
              isBusy={start.isPending}
              disabled={camera.isDisabled}
              onClick={() => start.mutate(undefined)}
            >
              {t.start}
            </Button>
          )}
        </Can>
      </div>
      {!isActive(scene.analysisStatus) && <StartFailure error={start.error} />}
      {isAsked && (
        <ConfirmDialog
          title={t.stopTitle(place)}
          confirm={t.stop}
          action={stop}
          onClose={() => setAsked(false)}
        >
          <p>{t.stopText}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
