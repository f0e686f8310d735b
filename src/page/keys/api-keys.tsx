import { useState } from 'react';
import { api, type Resource } from '../api/client.ts';
import { useAction, useList } from '../api/query.ts';
import { Age, Time } from '../kit/age.tsx';
import { Button } from '../kit/button.tsx';
import { ConfirmDialog } from '../kit/form/confirm-dialog.tsx';
import { Section } from '../kit/page.tsx';
import { Empty, Failure, MoreButton, Skeleton } from '../kit/states.tsx';
import { Table } from '../kit/table.tsx';
import { useText } from '../text/text.ts';
import { CreateKey } from './create-key.tsx';
import styles from './keys.module.css';

type ApiKey = Resource<'ApiKey'>;

/** The API keys of the account. */
export function ApiKeys() {
  const t = useText('keys');
  const [isMaking, setIsMaking] = useState(false);
  const [ending, setEnding] = useState<ApiKey | null>(null);
  const list = useList(['api-keys'], (page) =>
    api.GET('/api-keys', { params: { query: { page, limit: 50 } } }),
  );
  const make = (
    <Button kind="main" icon="plus" onClick={() => setIsMaking(true)}>
      {t.makeKey}
    </Button>
  );
  return (
    <Section title={t.keysLead} actions={list.items.length > 0 && make}>
      {list.isPending && <Skeleton />}
      {list.error && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && list.items.length === 0 && (
        <Empty title={t.noKeys} icon="keys" action={make}>
          {t.noKeysText}
        </Empty>
      )}
      {list.items.length > 0 && (
        <Table
          caption={t.tabs.keys}
          keyOf={({ id }) => id}
          rows={list.items}
          columns={[
            { id: 'name', title: t.keyName, isHeading: true, cell: ({ name }) => name },
            {
              id: 'key',
              title: t.key,
              cell: ({ prefix, last4 }) => (
                <code>
                  {prefix}…{last4}
                </code>
              ),
            },
            { id: 'scopes', title: t.permissions, cell: ({ scopes }) => <Scopes scopes={scopes} /> },
            {
              id: 'lastUsed',
              title: t.lastUsed,
              cell: ({ lastUsedAt }) => (lastUsedAt === null ? t.neverUsed : <Age since={lastUsedAt} />),
            },
            {
              id: 'expires',
              title: t.expires,
              cell: ({ expiresAt }) => (expiresAt === null ? t.never : <Time at={expiresAt} style="date" />),
            },
            {
              id: 'act',
              title: '',
              cell: (key) => (
                <Button kind="danger" onClick={() => setEnding(key)}>
                  {t.revoke}
                </Button>
              ),
            },
          ]}
        />
      )}
      <MoreButton list={list} />
      {isMaking && <CreateKey onClose={() => setIsMaking(false)} />}
      {ending && <Revoke apiKey={ending} onClose={() => setEnding(null)} />}
    </Section>
  );
}

function Scopes({ scopes }: { readonly scopes: readonly string[] }) {
  const t = useText('keys');
  return (
    <details className={styles.scopes}>
      <summary>{scopes.length}</summary>
      <ul>
        {scopes.map((scope) => (
          <li key={scope}>{t.scopes[scope] ?? scope}</li>
        ))}
      </ul>
    </details>
  );
}

function Revoke({
  apiKey: { id, name },
  onClose,
}: {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}) {
  const t = useText('keys');
  const revoke = useAction(() => api.DELETE('/api-keys/{id}', { params: { path: { id } } }), {
    changes: [['api-keys'], ['sessions']],
    onDone: onClose,
  });
  return (
    <ConfirmDialog title={t.revokeTitle(name)} confirm={t.revoke} action={revoke} onClose={onClose}>
      <p>{t.revokeText}</p>
    </ConfirmDialog>
  );
}
