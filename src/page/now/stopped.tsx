import { placeName } from '../../catalogue/words/place-name.ts';
import type { LiveScene } from '../api/live-scenes.ts';
import { useText } from '../text/text.ts';
import { LastNumbers } from './last-numbers.tsx';
import styles from './now.module.css';

/** The places at which nobody counts, in one line that opens. */
export function Stopped({ scenes }: { readonly scenes: readonly LiveScene[] }) {
  const t = useText('now');
  if (scenes.length === 0) return null;
  return (
    <details className={styles.stopped}>
      <summary>{t.stoppedPlaces(scenes.length)}</summary>
      <ul role="list">
        {scenes.map((scene) => (
          <li key={scene.id} className="row">
            <a href={`#/scenes/${scene.id}`}>{placeName(scene.device.name, scene.name)}</a>
            <LastNumbers scene={scene} />
          </li>
        ))}
      </ul>
    </details>
  );
}
