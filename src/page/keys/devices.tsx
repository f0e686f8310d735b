import { useState } from 'react';
import { api, type Resource } from '../api/client.ts';
import { useAction, useList } from '../api/query.ts';
import { Age, Time } from '../kit/age.tsx';
import { Button } from '../kit/button.tsx';
import { Chip } from '../kit/chip.tsx';
import { ConfirmDialog } from '../kit/form/confirm-dialog.tsx';
import { Section } from '../kit/page.tsx';
import { Empty, Failure, MoreButton, Skeleton } from '../kit/states.tsx';
import { Table } from '../kit/table.tsx';
import { useText } from '../text/text.ts';
import { agentName } from './agent-name.ts';
import { LinkDialog } from './link-dialog.tsx';

type Session = Resource<'Session'>;

/** The phones, browsers and screens that are signed in, and a link for another one. */
export function Devices() {
  const t = useText('keys');
  const [isLinking, setIsLinking] = useState(false);
  const [leaving, setLeaving] = useState<Session | null>(null);
  const list = useList(['sessions'], (page) =>
    api.GET('/sessions', { params: { query: { page, limit: 50 } } }),
  );
  const nameOf = useSessionName();
  return (
    <Section
      title={t.devicesLead}
      actions={
        <Button kind="main" icon="plus" onClick={() => setIsLinking(true)}>
          {t.addDevice}
        </Button>
      }
    >
      {list.isPending && <Skeleton />}
      {list.error && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && list.items.length === 0 && <Empty title={t.noSessions} icon="person" />}
      {list.items.length > 0 && (
        <Table
          caption={t.sessions}
          keyOf={({ id }) => id}
          rows={list.items}
          columns={[
            {
              id: 'device',
              title: t.device,
              isHeading: true,
              cell: (session) => (
                <span className="row">
                  {nameOf(session)}{' '}
                  {session.isCurrent ? (
                    <Chip tone="info">{t.thisOne}</Chip>
                  ) : (
                    <Chip>{t.kinds[session.kind]}</Chip>
                  )}
                </span>
              ),
            },
            { id: 'role', title: t.role, cell: ({ role }) => (role === null ? t.ownScopes : t.roles[role]) },
            { id: 'lastUsed', title: t.lastUsed, cell: ({ lastUsedAt }) => <Age since={lastUsedAt} /> },
            { id: 'address', title: t.address, cell: ({ lastAddress }) => lastAddress ?? '–' },
            {
              id: 'ends',
              title: t.ends,
              cell: ({ expiresAt }) =>
                expiresAt === null ? t.endsNever : <Time at={expiresAt} style="date" />,
            },
            {
              id: 'act',
              title: '',
              cell: (session) => (
                <Button kind="danger" onClick={() => setLeaving(session)}>
                  {t.signOut}
                </Button>
              ),
            },
          ]}
        />
      )}
      <MoreButton list={list} />
      {isLinking && <LinkDialog onClose={() => setIsLinking(false)} />}
      {leaving && <SignOut session={leaving} name={nameOf(leaving)} onClose={() => setLeaving(null)} />}
    </Section>
  );
}

function useSessionName(): (session: Session) => string {
  const t = useText('keys');
  return ({ label, lastUserAgent }) => label ?? agentName(lastUserAgent) ?? t.unknownDevice;
}

interface SignOutProps {
  readonly session: Session;
  readonly name: string;
  readonly onClose: () => void;
}

function SignOut({ session: { id, isCurrent }, name, onClose }: SignOutProps) {
  const t = useText('keys');
  const end = useAction(() => api.DELETE('/sessions/{id}', { params: { path: { id } } }), {
    changes: [['sessions']],
    onDone: onClose,
  });
  return (
    <ConfirmDialog title={t.signOutTitle(name)} confirm={t.signOut} action={end} onClose={onClose}>
      <p>{isCurrent ? t.signOutOwn : t.signOutText}</p>
    </ConfirmDialog>
  );
}
