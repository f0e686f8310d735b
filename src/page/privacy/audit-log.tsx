import { useState } from 'react';
import { api } from '../api/client.ts';
import { useList } from '../api/query.ts';
import { asCsv, useDownload } from '../api/use-download.ts';
import { Time } from '../kit/age.tsx';
import { Button } from '../kit/button.tsx';
import { Icon, type IconName } from '../kit/icon.tsx';
import { Empty, Failure, MoreButton, Skeleton } from '../kit/states.tsx';
import { useText } from '../text/text.ts';
import { ACTION_GROUPS, type ActionGroup, type AuditEntry, factsOf, isAuditAction } from './audit-facts.ts';
import { type AuditFilter, AuditFilters, EVERYTHING, queryOf } from './audit-filter.tsx';
import styles from './audit-log.module.css';
import { type Names, useNames } from './names.ts';

const ICONS: Readonly<Record<ActionGroup, IconName>> = {
  signIn: 'person',
  account: 'settings',
  keys: 'keys',
  pictures: 'cameras',
  data: 'download',
  operation: 'admin',
  notifications: 'notify',
};

function iconOf(action: string): IconName {
  const groups = Object.entries(ACTION_GROUPS) as [ActionGroup, readonly string[]][];
  const found = groups.find(([, actions]) => actions.includes(action));
  return found ? ICONS[found[0]] : 'info';
}

/** The same list as a table for a spreadsheet. */
const readCsv = (isOfAll: boolean, query: ReturnType<typeof queryOf>) =>
  isOfAll ? api.GET('/admin/audit', asCsv({ query })) : api.GET('/audit', asCsv({ query }));

interface AuditLogProps {
  /** Of every account, for administrators; else of one's own. */
  readonly isOfAll?: boolean;
}

/** Who did what, newest first, as sentences. */
export function AuditLog({ isOfAll = false }: AuditLogProps) {
  const t = useText('privacy').audit;
  const [filter, setFilter] = useState<AuditFilter>(EVERYTHING);
  const names = useNames(isOfAll);
  const query = queryOf(filter);
  const list = useList(['audit', isOfAll, query], (page) => {
    const params = { query: { ...query, page, limit: 50 } };
    return isOfAll ? api.GET('/admin/audit', { params }) : api.GET('/audit', { params });
  });
  const { download, busy, error } = useDownload();
  const csv = () => download('audit.csv', () => readCsv(isOfAll, query));
  return (
    <div className="stack">
      <p className={styles.hint}>{isOfAll ? t.allHint : t.hint}</p>
      <AuditFilters filter={filter} onChange={setFilter} users={isOfAll ? names.users : null} />
      {error !== null && <Failure error={error} onRetry={csv} />}
      {list.error && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton />}
      {list.isSuccess && list.items.length === 0 && (
        <Empty title={t.empty} icon="search">
          {t.emptyNext}
        </Empty>
      )}
      {list.items.length > 0 && (
        <>
          <ol className="rows" role="list">
            {list.items.map((entry) => (
              <Entry key={entry.id} entry={entry} names={names} isOfAll={isOfAll} />
            ))}
          </ol>
          <div className="buttons">
            <MoreButton list={list} />
            <Button icon="download" isBusy={busy !== null} onClick={csv}>
              {t.csv}
            </Button>
          </div>
        </>
      )}
    </div>
  );
}

interface EntryProps {
  readonly entry: AuditEntry;
  readonly names: Names;
  readonly isOfAll: boolean;
}

function Entry({ entry, names, isOfAll }: EntryProps) {
  const t = useText('privacy').audit;
  const { action, actor, at, target, userId } = entry;
  const sentence = isAuditAction(action) ? t.actions[action](factsOf(entry)) : t.unknownAction(action);
  const about = target && names.targets.get(target.id);
  const who = (actor.id !== null && names.actors.get(actor.id)) || t.actors[actor.kind];
  return (
    <li className={styles.entry}>
      <span className={styles.icon}>
        <Icon name={iconOf(action)} size={20} />
      </span>
      <div className={styles.words}>
        <p className={styles.what}>
          {sentence}
          {about !== undefined && about !== null && <span className={styles.about}> · {about}</span>}
        </p>
        <p className="note">
          {isOfAll && <strong>{names.users.get(userId) ?? userId.slice(0, 8)} · </strong>}
          {who}
          {actor.networkAddress !== null && ` ${t.from(actor.networkAddress)}`}
        </p>
      </div>
      <span className={`note ${styles.when}`}>
        <Time at={at} style="dateTime" />
      </span>
    </li>
  );
}
