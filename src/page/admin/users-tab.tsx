import { useDeferredValue, useState } from 'react';
import { api, type Resource } from '../api/client.ts';
import { useList } from '../api/query.ts';
import { Time } from '../kit/age.tsx';
import { Button } from '../kit/button.tsx';
import { Chip } from '../kit/chip.tsx';
import { TextField } from '../kit/form/text-field.tsx';
import { Icon } from '../kit/icon.tsx';
import { Empty, Failure, MoreButton, Skeleton } from '../kit/states.tsx';
import { useText } from '../text/text.ts';
import styles from './admin.module.css';
import { CreateUser } from './create-user.tsx';
import { UserQuotas } from './user-quotas.tsx';

type User = Resource<'User'>;

/** The users of the installation; each opens its quotas. */
export function UsersTab() {
  const t = useText('admin').users;
  const [typed, setTyped] = useState('');
  const [isCreating, setCreating] = useState(false);
  const [opened, setOpened] = useState<User | null>(null);
  const q = useDeferredValue(typed.trim());
  const list = useList(['admin', 'users', q], (page) =>
    api.GET('/admin/users', { params: { query: { page, limit: 50, ...(q !== '' && { q }) } } }),
  );
  return (
    <div className="stack">
      <div className={`row ${styles.bar}`}>
        <TextField label={t.search} type="search" maxLength={100} value={typed} onChange={setTyped} />
        <Button kind="main" icon="plus" onClick={() => setCreating(true)}>
          {t.create}
        </Button>
      </div>
      {list.error && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton />}
      {list.isSuccess && list.items.length === 0 && (
        <Empty title={t.empty} icon="people">
          {t.emptyNext}
        </Empty>
      )}
      {list.items.length > 0 && (
        <ul className="rows" role="list">
          {list.items.map((user) => (
            <li key={user.id}>
              <UserRow user={user} onOpen={() => setOpened(user)} />
            </li>
          ))}
        </ul>
      )}
      <MoreButton list={list} />
      {isCreating && <CreateUser onClose={() => setCreating(false)} />}
      {opened && <UserQuotas user={opened} onClose={() => setOpened(null)} />}
    </div>
  );
}

function UserRow({ user, onOpen }: { readonly user: User; readonly onOpen: () => void }) {
  const t = useText('admin').users;
  return (
    <button type="button" className={`row-button row ${styles.user}`} onClick={onOpen}>
      <span className={styles.userWords}>
        <strong>{user.email}</strong>
        <span className="note">
          {user.name !== null && `${user.name} · `}
          <Time at={user.createdAt} style="date" />
        </span>
      </span>
      {user.isAdmin && <Chip tone="info">{t.administrator}</Chip>}
      <Icon name="forward" />
    </button>
  );
}
