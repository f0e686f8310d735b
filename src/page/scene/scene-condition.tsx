import type { Resource } from '../api/client.ts';
import { Can } from '../api/session.tsx';
import { useFeet } from '../cameras/use-feet.ts';
import { useAge } from '../kit/age.tsx';
import { LinkButton } from '../kit/button.tsx';
import { Icon } from '../kit/icon.tsx';
import { duration } from '../kit/numbers.ts';
import type { Tone } from '../kit/tile.tsx';
import { troubleOf } from '../kit/words/trouble.ts';
import { localeNow, useText } from '../text/text.ts';
import styles from './scene.module.css';
import type { SceneState } from './scene-state.ts';

type Fault = NonNullable<Resource<'Device'>['fault']>;

interface ConditionProps {
  readonly scene: Pick<Resource<'Scene'>, 'id' | 'warnings'>;
  readonly state: SceneState;
  readonly device: Pick<Resource<'Device'>, 'id' | 'fault' | 'warnings' | 'lastError' | 'onlineChangedAt'>;
  /** Why the last run failed. */
  readonly errorMessage: string | null;
}

/** What is wrong with the scene and its camera, and what to do: the fault, else the state that is not live, then warnings. */
export function SceneCondition({ scene, state, device, errorMessage }: ConditionProps) {
  const sceneId = scene.id;
  const t = useText('scene');
  const { around } = useText('zones');
  const unknown = troubleOf(useText('faults'), 'unknown', null);
  const { fault, warnings, lastError } = device;
  const own = warnings.filter((warning) => (warning.sceneId ?? sceneId) === sceneId);
  const hasUnknownFeet = useFeet(sceneId)?.feet === 'unknown';
  return (
    <div className={styles.notices}>
      {state === 'faulty' && fault ? (
        <CameraNotice tone="bad" {...fault} />
      ) : (
        state !== 'live' &&
        state !== 'faulty' && (
          <Notice tone={state === 'failed' || state === 'offline' ? 'bad' : 'info'} title={t.states[state]}>
            <p>{t.stateTexts[state]}</p>
            <Said text={state === 'failed' ? errorMessage : state === 'offline' ? lastError : null} />
          </Notice>
        )
      )}
      {own.map((warning) => (
        <CameraNotice key={`${warning.reason}:${warning.sceneId ?? ''}`} tone="warn" {...warning}>
          {warning.sceneId !== undefined && <ZonesLink deviceId={device.id} />}
        </CameraNotice>
      ))}
      {scene.warnings.map(({ reason }) => {
        const known = reason === 'queue_around_checkout' ? around : null;
        return (
          <Notice key={reason} tone="warn" title={(known ?? unknown).title}>
            {known && <p>{known.advice}</p>}
            <ZonesLink deviceId={device.id} />
          </Notice>
        );
      })}
      {state === 'live' && hasUnknownFeet && (
        <Notice tone="info" title={t.unknownFeet}>
          <p>{t.unknownFeetText}</p>
          <ZonesLink deviceId={device.id} />
        </Notice>
      )}
    </div>
  );
}

/** A fault or warning in the words of the page. */
function CameraNotice({
  tone,
  reason,
  message,
  since,
  children,
}: Omit<Fault, 'reason'> & { reason: string; tone: Tone; children?: React.ReactNode }) {
  const t = useText('scene');
  const why = troubleOf(useText('faults'), reason, message);
  const age = duration((useAge(since) ?? 0) / 1000, localeNow());
  return (
    <Notice tone={tone} title={`${why.title} (${t.since(age)})`}>
      <p>{why.advice}</p>
      {tone === 'bad' && <Said text={why.details} />}
      {children}
    </Notice>
  );
}

/** What the service says itself, for whoever repairs the camera. */
function Said({ text }: { readonly text: string | null }) {
  const t = useText('scene');
  return (
    text && (
      <details>
        <summary>{t.details}</summary>
        <p>{text}</p>
      </details>
    )
  );
}

/** To the zones of the camera, for whoever may change them. */
function ZonesLink({ deviceId }: { readonly deviceId: string }) {
  const t = useText('scene');
  return (
    <Can scope="scene:write">
      <LinkButton href={`#/cameras/${deviceId}?tab=zones`} icon="edit">
        {t.openZones}
      </LinkButton>
    </Can>
  );
}

interface NoticeProps {
  readonly tone: Tone;
  readonly title: string;
  readonly children?: React.ReactNode;
}

function Notice({ tone, title, children }: NoticeProps) {
  return (
    <div className="notice" data-tone={tone}>
      <Icon name={tone === 'bad' ? 'camerasOff' : tone === 'warn' ? 'warning' : 'info'} />
      <div>
        <strong>{title}</strong>
        {children}
      </div>
    </div>
  );
}
