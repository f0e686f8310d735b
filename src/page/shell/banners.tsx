import { useEffect, useState } from 'react';
import { api, type Resource } from '../api/client.ts';
import { connection } from '../api/connection.ts';
import { onStoredEvent } from '../api/live-store.ts';
import { queryClient, useCall } from '../api/query.ts';
import { useStore } from '../api/store.ts';
import { Button } from '../kit/button.tsx';
import { Icon } from '../kit/icon.tsx';
import { useText } from '../text/text.ts';
import styles from './banners.module.css';
import { newVersion } from './new-version.ts';

/** What concerns the whole page: no connection, a new version, announcements. */
export function Banners() {
  const t = useText('shell');
  const { isOnline } = useStore(connection);
  const isNew = useStore(newVersion);
  return (
    <>
      <div className={styles.banners} role="status">
        {!isOnline && (
          <p className={`row ${styles.banner} ${styles.offline}`}>
            <Icon name="offline" />
            <span>{t.offline}</span>
          </p>
        )}
        {isNew && (
          <div className={`row ${styles.banner} ${styles.note}`}>
            <Icon name="info" />
            <span>{t.newVersion}</span>
            <Button onClick={() => location.reload()}>{t.reload}</Button>
          </div>
        )}
      </div>
      <Announcements />
    </>
  );
}

const KEPT = 'announcements';
const MOST_KEPT = 100;
const ANNOUNCEMENTS = ['announcements'];

function dismissedIds(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT) ?? '[]');
    return Array.isArray(kept) ? kept.map(String) : [];
  } catch {
    return [];
  }
}

function Announcements() {
  const t = useText('shell');
  const list = useCall(ANNOUNCEMENTS, () => api.GET('/announcements'), { staleTime: 5 * 60_000 });
  const [dismissed, setDismissed] = useState(dismissedIds);
  useEffect(
    () =>
      onStoredEvent(({ topic }) => {
        if (topic === 'system') void queryClient.invalidateQueries({ queryKey: ANNOUNCEMENTS });
      }),
    [],
  );
  const dismiss = ({ id }: Resource<'ShownAnnouncement'>) => {
    const kept = [id, ...dismissed].slice(0, MOST_KEPT);
    localStorage.setItem(KEPT, JSON.stringify(kept));
    setDismissed(kept);
  };
  return (list.data ?? [])
    .filter(({ id }) => !dismissed.includes(id))
    .map((each) => (
      <section key={each.id} className={`row ${styles.banner} ${styles.note}`} aria-label={t.announcement}>
        <Icon name="info" />
        <span>
          <strong>{each.title}</strong> {each.message}
        </span>
        <Button kind="quiet" icon="cross" aria-label={t.dismiss} onClick={() => dismiss(each)} />
      </section>
    ));
}
