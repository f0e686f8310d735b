import { AuditLog } from '../privacy/audit-log.tsx';
import { TabbedScreen } from '../shell/tabbed-screen.tsx';
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
  return (
    <TabbedScreen
      scope="admin"
      title={t.title}
      tabs={TABS}
      names={t.tabs}
      placeOf={(tab) => `/admin?tab=${tab}`}
    >
      {(tab) => <TabContent tab={tab} />}
    </TabbedScreen>
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
