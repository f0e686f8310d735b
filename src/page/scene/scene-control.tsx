import { useState } from 'react';
import { api } from '../api/client.ts';
import { useAction } from '../api/query.ts';
import { useSession } from '../api/session.tsx';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { StartFailure } from '../kit/form/start-failure.tsx';
import { FormFailure } from '../kit/states.tsx';
import { useText } from '../text/text.ts';
import { isActive, type SceneState } from './scene-state.ts';

interface SceneControlProps {
  readonly sceneId: string;
  readonly deviceId: string;
  readonly state: SceneState;
}

/** Buttons that start, stop and restart the analysis of a scene, for who may do that. */
export function SceneControl({ sceneId, deviceId, state }: SceneControlProps) {
  const t = useText('scene');
  const common = useText('common');
  const session = useSession();
  const [asked, setAsked] = useState<'stop' | 'restart' | null>(null);
  const options = {
    changes: [['scene', sceneId], ['device', deviceId], ['analysis', deviceId], ['overview']],
    onDone: () => setAsked(null),
  };
  const path = { id: deviceId };
  const start = useAction(
    () => api.POST('/devices/{id}/analysis/start', { params: { path }, body: { sceneId } }),
    options,
  );
  const stop = useAction(
    () => api.POST('/devices/{id}/analysis/stop', { params: { path }, body: { sceneId } }),
    options,
  );
  const restart = useAction(
    () =>
      api.PATCH('/scenes/{id}', { params: { path: { id: sceneId }, query: { restart: true } }, body: {} }),
    options,
  );
  if (!session.may('analysis:control')) return null;
  const isRunning = isActive(state);
  const mayRestart = session.may('scene:write') && isRunning;
  const action = asked === 'restart' ? restart : stop;
  return (
    <>
      <div className="buttons">
        {isRunning ? (
          <>
            {mayRestart && (
              <Button icon="restart" onClick={() => setAsked('restart')}>
                {t.restart}
              </Button>
            )}
            <Button icon="halt" onClick={() => setAsked('stop')}>
              {t.stop}
            </Button>
          </>
        ) : (
          <Button
            kind="main"
            icon="play"
            isBusy={start.isPending}
            disabled={state === 'stopping' || state === 'disabled'}
            onClick={() => start.mutate(undefined)}
          >
            {t.start}
          </Button>
        )}
      </div>
      {!isRunning && <StartFailure error={start.error} />}
      {asked !== null && (
        <Dialog
          title={asked === 'stop' ? t.stopTitle : t.restartTitle}
          onClose={() => setAsked(null)}
          actions={
            <>
              <Button onClick={() => setAsked(null)}>{common.cancel}</Button>
              <Button
                kind={asked === 'stop' ? 'danger' : 'main'}
                isBusy={action.isPending}
                onClick={() => action.mutate(undefined)}
              >
                {asked === 'stop' ? t.stop : t.restart}
              </Button>
            </>
          }
        >
          <p>{asked === 'stop' ? t.stopText : t.restartText}</p>
          <FormFailure error={action.error} />
        </Dialog>
      )}
    </>
  );
}
