import type { LiveScene } from '../api/live-scenes.ts';
import { Time, useNow } from '../kit/age.tsx';
import { Chip } from '../kit/chip.tsx';
import { useAlertSentence } from '../kit/words/alert-words.ts';
import styles from './now.module.css';

const HALF_DAY_MS = 12 * 3_600_000;

/** The newest alert of a place in a line. Loaded after the tiles: its words need the names of all numbers. */
export default function LastAlert({ scene }: { readonly scene: LiveScene }) {
  const say = useAlertSentence();
  const isRecent = useNow() - Date.parse(scene.lastAlert?.triggeredAt ?? '') < HALF_DAY_MS;
  const { lastAlert, device } = scene;
  if (!lastAlert) return null;
  return (
    <p className={`row ${styles.alert}`}>
      <Chip tone={lastAlert.severity === 'critical' ? 'bad' : 'warn'}>
        <Time
          at={lastAlert.triggeredAt}
          style={isRecent ? 'time' : 'dayTime'}
          timezone={device.timezone ?? undefined}
        />
      </Chip>
      <span className="one-line">{say(null, lastAlert)}</span>
    </p>
  );
}
