import { useSearch } from 'wouter';
import { useSession } from '../api/session.tsx';
import { Page } from '../kit/page.tsx';
import { Forbidden } from '../kit/states.tsx';
import { Tabs } from '../kit/tabs.tsx';
import { AuditLog } from '../privacy/audit-log.tsx';
import { goTo } from '../shell/place.ts';
import { useText } from '../text/text.ts';
import { AnnouncementsTab } from './announcements-tab.tsx';
import { NodesTab } from './nodes-tab.tsx';
import { OverviewTiles } from './overview-tiles.tsx';
import { UsersTab } from './users-tab.tsx';

const TABS = ['nodes', 'users', 'announcements', 'audit'] as const;
type TabId = (typeof TABS)[number];

/** The whole installation, for its administrators. */
export default function AdminScreen() {
  const t = useText('admin');
  const { may } = useSession();
  const asked = new URLSearchParams(useSearch()).get('tab');
  const selected = TABS.find((tab) => tab === asked) ?? 'nodes';
  if (!may('admin')) {
    return (
      <Page title={t.title}>
        <Forbidden scope="admin" />
      </Page>
    );
  }
  return (
    <Page title={t.title}>
      <Tabs
        label={t.title}
        tabs={TABS.map((id) => ({ id, label: t.tabs[id] }))}
        selected={selected}
        onSelect={(id) => goTo(`/admin?tab=${id}`, { replace: true })}
      >
        <TabContent tab={selected} />
      </Tabs>
    </Page>
  );
}

function TabContent({ tab }: { readonly tab: TabId }) {
  if (tab === 'users') return <UsersTab />;
  if (tab === 'announcements') return <AnnouncementsTab />;
  if (tab === 'audit') return <AuditLog isOfAll />;
  return (
    <>
      <OverviewTiles />
      <NodesTab />
    </>
  );
}
