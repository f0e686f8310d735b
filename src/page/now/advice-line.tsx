import { adviceSentence } from '../../catalogue/advice/advice-words.ts';
import type { LiveScene } from '../api/live-scenes.ts';
import { browserZone } from '../kit/time.ts';
import { languageNow } from '../text/text.ts';
import styles from './now.module.css';

/** What to do with the tills, in the local time of the camera. Only scenes with advice need it. */
export default function AdviceLine({ scene }: { readonly scene: LiveScene }) {
  const { advice, device } = scene;
  return (
    advice && (
      <p className={styles.why}>{adviceSentence(advice, languageNow(), device.timezone ?? browserZone())}</p>
    )
  );
}
