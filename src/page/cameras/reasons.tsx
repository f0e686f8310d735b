import { Age } from '../kit/age.tsx';
import { Chip } from '../kit/chip.tsx';
import { Icon } from '../kit/icon.tsx';
import { useText } from '../text/text.ts';
import { type CameraFacts, type CameraState, cameraState, TONES } from './camera-state.ts';
import styles from './cameras.module.css';
import { faultWords, warningLines } from './reason-lines.ts';

export function StateChip({ state }: { readonly state: CameraState }) {
  const t = useText('cameras');
  return <Chip tone={TONES[state]}>{t.state[state]}</Chip>;
}

interface ReasonsProps {
  readonly of: CameraFacts;
  /** Also shows what the service itself says, for whoever repairs the camera. */
  readonly hasDetails?: boolean;
}

/** Why a camera does not work, or may count wrongly, in plain words. Nothing where all is well. */
export function Reasons({ of, hasDetails = false }: ReasonsProps) {
  const t = useText('cameras');
  const known = useText('faults');
  const { fault, lastError, scenes } = of;
  const state = cameraState(of);
  const failed = scenes.flatMap(({ run }) =>
    run?.status === 'error' && run.errorMessage ? [run.errorMessage] : [],
  );
  const lines = [
    ...(fault ? [{ ...fault, text: faultWords(known, fault) }] : []),
    ...(state === 'failed'
      ? failed
          .slice(0, 1)
          .map((message) => ({ text: faultWords(known, { reason: 'failed' }), message, since: null }))
      : []),
    ...(state === 'offline' && !fault
      ? [{ text: faultWords(known, { reason: 'offline' }), message: lastError ?? '', since: null }]
      : []),
    ...warningLines(of, known),
  ];
  if (lines.length === 0) return null;
  return (
    <ul className={styles.reasons}>
      {lines.map(({ text, message, since, ...line }) => (
        <li key={'key' in line ? line.key : text}>
          <Icon name="warning" size={20} />
          <div>
            <p>{text}</p>
            {since && (
              <small className="note">
                <Age since={since} />
              </small>
            )}
            {hasDetails && message !== '' && message !== text && (
              <details>
                <summary>{t.details}</summary>
                <p>{message}</p>
              </details>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
