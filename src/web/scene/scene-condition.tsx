import type { Resource } from '../api/client.ts';
import { useAge } from '../kit/age.tsx';
import { Icon } from '../kit/icon.tsx';
import { duration } from '../kit/numbers.ts';
import type { Tone } from '../kit/tile.tsx';
import { localeNow, useText } from '../text/text.ts';
import styles from './scene.module.css';
import type { SceneState } from './scene-state.ts';

type Fault = NonNullable<Resource<'Device'>['fault']>;

interface ConditionProps {
  readonly state: SceneState;
  readonly device: Pick<Resource<'Device'>, 'fault' | 'warnings' | 'lastError' | 'onlineChangedAt'>;
  /** Why the last run failed. */
  readonly errorMessage: string | null;
}

/** What is wrong with the scene and its camera, and what to do: the fault, else the state that is not live, then warnings. */
export function SceneCondition({ state, device, errorMessage }: ConditionProps) {
  const t = useText('scene');
  const { fault, warnings, lastError } = device;
  return (
    <div className={styles.notices}>
      {state === 'faulty' && fault ? (
        <CameraNotice tone="bad" {...fault} />
      ) : (
        state !== 'live' &&
        state !== 'faulty' && (
          <Notice tone={state === 'failed' || state === 'offline' ? 'bad' : 'info'} title={t.states[state]}>
            <p>{t.stateTexts[state]}</p>
            {state === 'failed' && errorMessage !== null && <p>{t.lastError(errorMessage)}</p>}
            {state === 'offline' && lastError !== null && <p>{t.lastError(lastError)}</p>}
          </Notice>
        )
      )}
      {warnings.map((warning) => (
        <CameraNotice key={warning.reason} tone="warn" {...warning} />
      ))}
    </div>
  );
}

/** A fault or warning in the words of the page; one that it does not know, in those of the API. */
function CameraNotice({
  tone,
  reason,
  message,
  since,
}: Omit<Fault, 'reason'> & { reason: string; tone: Tone }) {
  const t = useText('scene');
  const known = useText('faults')[reason];
  const age = duration((useAge(since) ?? 0) / 1000, localeNow());
  return (
    <Notice tone={tone} title={`${known?.title ?? message} (${t.since(age)})`}>
      {known && <p>{known.advice}</p>}
    </Notice>
  );
}

interface NoticeProps {
  readonly tone: Tone;
  readonly title: string;
  readonly children?: React.ReactNode;
}

function Notice({ tone, title, children }: NoticeProps) {
  return (
    <div className={`${styles.notice} ${styles[tone]}`}>
      <Icon name={tone === 'bad' ? 'stop' : tone === 'warn' ? 'warning' : 'info'} />
      <div>
        <strong>{title}</strong>
        {children}
      </div>
    </div>
  );
}
