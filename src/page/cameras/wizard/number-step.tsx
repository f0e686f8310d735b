import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { useCall } from '../../api/query.ts';
import { Button, LinkButton } from '../../kit/button.tsx';
import { count } from '../../kit/numbers.ts';
import { Async, FormFailure } from '../../kit/states.tsx';
import { LiveView } from '../../scene/live-view.tsx';
import { localeNow, useText } from '../../text/text.ts';
import { isActive } from '../camera-state.ts';
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
          <div className={styles.counting}>
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
            <div className={styles.number}>
              <div aria-live="polite">
                {typeof number === 'number' ? (
                  <>
                    <p className={styles.huge}>{count(number, locale)}</p>
                    <p>{queueZone ? wizard.peopleWaiting(number) : wizard.peopleInService(number)}</p>
                    {queueZone && typeof current?.inService === 'number' && (
                      <p className={styles.second}>{wizard.peopleInService(current.inService)}</p>
                    )}
                  </>
                ) : isActive(analysisStatus) ? (
                  <>
                    <p className={styles.wait}>{wizard.opening}</p>
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
              <div className={styles.forward}>
                <LinkButton href="#/cameras/new">{wizard.another}</LinkButton>
                <LinkButton href="#/" kind={isActive(analysisStatus) ? 'main' : 'normal'}>
                  {wizard.done}
                </LinkButton>
              </div>
            </div>
          </div>
        );
      }}
    </Async>
  );
}
