import { useState } from 'react';
import { api } from '../api/client.ts';
import { serverNow } from '../api/connection.ts';
import { useAction, useList } from '../api/query.ts';
import { Time } from '../kit/age.tsx';
import { Button } from '../kit/button.tsx';
import { Chip } from '../kit/chip.tsx';
import { ConfirmDialog } from '../kit/form/confirm-dialog.tsx';
import { Empty, Failure, MoreButton, Skeleton } from '../kit/states.tsx';
import { Tile, type Tone } from '../kit/tile.tsx';
import { useText } from '../text/text.ts';
import styles from './admin.module.css';
import { type Announcement, type AnnouncementState, stateAt } from './announcements.ts';
import { CreateAnnouncement } from './create-announcement.tsx';
import { REFRESH_MS } from './refresh.ts';

const TONES: Readonly<Record<AnnouncementState, Tone>> = { upcoming: 'info', shown: 'good', ended: 'off' };

/** What the operator announced to users. */
export function AnnouncementsTab() {
  const t = useText('admin').announcements;
  const [isCreating, setCreating] = useState(false);
  const [ending, setEnding] = useState<Announcement | null>(null);
  const list = useList(
    ['admin', 'announcements'],
    (page) => api.GET('/admin/announcements', { params: { query: { page, limit: 20 } } }),
    { refetchInterval: REFRESH_MS },
  );
  const create = (
    <Button kind="main" icon="plus" onClick={() => setCreating(true)}>
      {t.create}
    </Button>
  );
  return (
    <div className="stack">
      {list.items.length > 0 && <div className="buttons">{create}</div>}
      {list.error && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton />}
      {list.isSuccess && list.items.length === 0 && (
        <Empty title={t.empty} icon="notify" action={create}>
          {t.emptyNext}
        </Empty>
      )}
      <ul className="cards" role="list">
        {list.items.map((each) => (
          <li key={each.id}>
            <AnnouncementCard announcement={each} onEnd={() => setEnding(each)} />
          </li>
        ))}
      </ul>
      <MoreButton list={list} />
      {isCreating && <CreateAnnouncement onClose={() => setCreating(false)} />}
      {ending && <EndDialog announcement={ending} onClose={() => setEnding(null)} />}
    </div>
  );
}

interface AnnouncementProps {
  readonly announcement: Announcement;
}

function AnnouncementCard({ announcement, onEnd }: AnnouncementProps & { readonly onEnd: () => void }) {
  const t = useText('admin').announcements;
  const { type, title, message, startsAt, endsAt, endedAt, createdAt, userIds } = announcement;
  const state = stateAt(announcement, new Date(serverNow()));
  return (
    <Tile tone={TONES[state]}>
      <div className="spread">
        <h3 className={styles.name}>{title}</h3>
        <Chip tone={TONES[state]}>{t.states[state]}</Chip>
      </div>
      <p className={styles.message}>{message}</p>
      <p className="note">
        {t.types[type]}, {userIds.length === 0 ? t.everybody : t.recipients(userIds.length)},{' '}
        <Time at={createdAt} />
      </p>
      <dl className="details">
        {startsAt !== null && (
          <div>
            <dt>{t.startsAt}</dt>
            <dd>
              <Time at={startsAt} />
            </dd>
          </div>
        )}
        {(endedAt ?? endsAt) !== null && (
          <div>
            <dt>{t.endsAt}</dt>
            <dd>
              <Time at={endedAt ?? endsAt} />
            </dd>
          </div>
        )}
      </dl>
      {state !== 'ended' && <Button onClick={onEnd}>{t.end}</Button>}
    </Tile>
  );
}

function EndDialog({
  announcement: { id, title },
  onClose,
}: AnnouncementProps & { readonly onClose: () => void }) {
  const t = useText('admin').announcements;
  const end = useAction(() => api.DELETE('/admin/announcements/{id}', { params: { path: { id } } }), {
    changes: [['admin', 'announcements'], ['announcements']],
    onDone: onClose,
  });
  return (
    <ConfirmDialog title={t.endTitle} confirm={t.end} kind="main" action={end} onClose={onClose}>
      <p>
        <strong>{title}</strong>
      </p>
      <p>{t.endText}</p>
    </ConfirmDialog>
  );
}
