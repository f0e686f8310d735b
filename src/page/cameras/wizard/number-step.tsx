import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { USUAL_TARGET } from '../../../catalogue/waits/target.ts';
import { api, type Resource } from '../../api/client.ts';
import { useAction, useCall } from '../../api/query.ts';
import { Button } from '../../kit/button.tsx';
import { count } from '../../kit/numbers.ts';
import { Async, FormFailure } from '../../kit/states.tsx';
import { LiveView } from '../../scene/live-view.tsx';
import { goTo } from '../../shell/place.ts';
import { localeNow, useText } from '../../text/text.ts';
import { isActive } from '../camera-state.ts';
import { TargetFields } from '../parts/target-fields.tsx';
import { Reasons } from '../reasons.tsx';
import { start } from './draw-step.tsx';
import styles from './wizard.module.css';

const EVERY_MS = 1000;

/** The third step: the number in the zones that were drawn, live. */
export function NumberStep({ deviceId, sceneId }: { readonly deviceId: string; readonly sceneId: string }) {
  const { wizard, ...t } = useText('cameras');
  const scene = useCall(
    ['scene', sceneId],
    () => api.GET('/scenes/{id}', { params: { path: { id: sceneId } } }),
    { refetchInterval: EVERY_MS },
  );
  const device = useCall(
    ['device', deviceId],
    () => api.GET('/devices/{id}', { params: { path: { id: deviceId } } }),
    { refetchInterval: EVERY_MS },
  );
  const again = useMutation({
    mutationFn: () => start(deviceId, sceneId),
    onSuccess: () => scene.refetch(),
  });
  return (
    <Async query={scene}>
      {({ config, latestMetrics, analysisStatus }) => {
        const isRunning = analysisStatus === 'running';
        const current = isRunning ? latestMetrics?.current : undefined;
        const { queueZone } = config.zones;
        const number = queueZone ? current?.inQueue : current?.inService;
        const locale = localeNow();
        return (
          <div className="columns">
            <LiveView
              deviceId={deviceId}
              deviceName={device.data?.name ?? ''}
              sceneId={sceneId}
              state={
                analysisStatus === 'running' ? 'live' : analysisStatus === 'starting' ? 'starting' : 'stopped'
              }
              zones={config.zones}
              aspect={null}
            />
            <div className={`stack ${styles.number}`}>
              <div aria-live="polite">
                {typeof number === 'number' ? (
                  <>
                    <p className={styles.huge}>{count(number, locale)}</p>
                    <p>{queueZone ? wizard.peopleWaiting(number) : wizard.peopleInService(number)}</p>
                    {queueZone && typeof current?.inService === 'number' && (
                      <p className={`note ${styles.second}`}>{wizard.peopleInService(current.inService)}</p>
                    )}
                  </>
                ) : isActive(analysisStatus) ? (
                  <>
                    <p className="wait">{wizard.opening}</p>
                    <p>{wizard.firstNumber}</p>
                  </>
                ) : (
                  <p>{wizard.notStarted}</p>
                )}
              </div>
              {device.data && (
                <Reasons of={{ ...device.data, scenes: [{ analysisStatus, run: null }] }} hasDetails />
              )}
              {!isActive(analysisStatus) && (
                <Button kind="main" icon="play" isBusy={again.isPending} onClick={() => again.mutate()}>
                  {t.start}
                </Button>
              )}
              <FormFailure error={again.error} />
              <Leave scene={scene.data!} isCounting={isActive(analysisStatus)} />
            </div>
          </div>
        );
      }}
    </Async>
  );
}

interface LeaveProps {
  readonly scene: Resource<'Scene'>;
  readonly isCounting: boolean;
}

/** The end of the wizard: how long people may wait, where a queue was drawn, and the ways on, which save it. */
function Leave({ scene, isCounting }: LeaveProps) {
  const { wizard } = useText('cameras');
  const { target: own, effectiveTarget } = scene;
  const [target, setTarget] = useState(own ?? (effectiveTarget === null ? USUAL_TARGET : null));
  const asks = scene.config.zones.queueZone !== undefined;
  const save = useAction(
    () => api.PATCH('/scenes/{id}', { params: { path: { id: scene.id } }, body: { target } }),
    { changes: [['scene', scene.id]] },
  );
  const leave = (to: string) => {
    const isSame = target?.waitSeconds === own?.waitSeconds && target?.share === own?.share;
    if (asks && !isSame) save.mutate(undefined, { onSuccess: () => goTo(to) });
    else goTo(to);
  };
  return (
    <>
      {asks && (
        <div className={`stack ${styles.target}`}>
          <TargetFields
            value={target}
            inherited={own === null ? effectiveTarget : null}
            onChange={setTarget}
            error={save.error}
          />
        </div>
      )}
      <FormFailure error={save.error} />
      <div className="buttons">
        <Button onClick={() => leave('/cameras/new')}>{wizard.another}</Button>
        <Button kind={isCounting ? 'main' : 'normal'} isBusy={save.isPending} onClick={() => leave('/')}>
          {wizard.done}
        </Button>
      </div>
    </>
  );
}
