import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useCall } from '../../api/query.ts';
import { LinkButton } from '../../kit/button.tsx';
import { Page } from '../../kit/page.tsx';
import { Async } from '../../kit/states.tsx';
import { useText } from '../../text/text.ts';
import { isActive } from '../camera-state.ts';
import { DrawStep } from './draw-step.tsx';
import { NumberStep } from './number-step.tsx';
import { Steps } from './steps.tsx';

/**
 * The second and third step for a camera that exists: zones, and the first number. What is done already is read from the API,
 * so a set-up that was left goes on here, on any browser.
 */
export function SetUp({ deviceId }: { readonly deviceId: string }) {
  const { wizard } = useText('cameras');
  const device = useCall(['device', deviceId], () =>
    api.GET('/devices/{id}', { params: { path: { id: deviceId } } }),
  );
  const scenes = useCall(['scenes', deviceId], () =>
    api.GET('/scenes', { params: { query: { deviceId, limit: 1 } } }),
  );
  /** Somebody who comes back to a scene that does not count looks at its zones first. */
  const [isDrawing, setIsDrawing] = useState<boolean | null>(null);
  return (
    <Async query={device}>
      {({ name }) => (
        <Async query={scenes}>
          {([scene]) => {
            const draws = isDrawing ?? (scene === undefined || !isActive(scene.analysisStatus));
            return (
              <Page
                title={draws ? wizard.drawTitle : name}
                lead={draws ? wizard.drawText : undefined}
                backTo={`/cameras/${deviceId}`}
                isWide
                actions={!draws && <LinkButton href={`#/cameras/${deviceId}`}>{wizard.redraw}</LinkButton>}
              >
                <Steps at={draws ? 1 : 2} />
                {draws || !scene ? (
                  <DrawStep
                    deviceId={deviceId}
                    name={name}
                    sceneId={scene?.id ?? null}
                    onDone={() => setIsDrawing(false)}
                  />
                ) : (
                  <NumberStep deviceId={deviceId} sceneId={scene.id} />
                )}
              </Page>
            );
          }}
        </Async>
      )}
    </Async>
  );
}
