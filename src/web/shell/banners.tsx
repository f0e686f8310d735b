import { connection } from '../api/connection.ts';
import { useStore } from '../api/store.ts';
import { Icon } from '../kit/icon.tsx';
import { useText } from '../text/text.ts';
import styles from './banners.module.css';

/** What concerns the whole page: no connection. */
export function Banners() {
  const t = useText('shell');
  const { isOnline } = useStore(connection);
  return (
    <div className={styles.banners} aria-live="polite">
      {!isOnline && (
        <p className={`${styles.banner} ${styles.offline}`}>
          <Icon name="offline" />
          <span>{t.offline}</span>
        </p>
      )}
    </div>
  );
}
