import { useSession } from '../api/session.tsx';
import { Page } from '../kit/page.tsx';
import { Forbidden } from '../kit/states.tsx';
import { Tabs } from '../kit/tabs.tsx';
import { goTo, usePlaceQuery } from '../shell/place.ts';
import { useText } from '../text/text.ts';
import { Account } from './account.tsx';
import { ApiKeys } from './api-keys.tsx';
import { Devices } from './devices.tsx';

const TABS = ['devices', 'keys', 'account'] as const;
type TabId = (typeof TABS)[number];

export default function KeysScreen() {
  const t = useText('keys');
  const session = useSession();
  const wanted = new URLSearchParams(usePlaceQuery()).get('tab');
  const tab = TABS.find((each) => each === wanted) ?? 'devices';
  const select = (next: TabId) => goTo(`/keys${next === 'devices' ? '' : `?tab=${next}`}`, { replace: true });
  if (!session.may('key:manage')) {
    return (
      <Page title={t.title}>
        <Forbidden scope="key:manage" />
      </Page>
    );
  }
  return (
    <Page title={t.title}>
      <Tabs
        label={t.views}
        tabs={TABS.map((id) => ({ id, label: t.tabs[id] }))}
        selected={tab}
        onSelect={select}
      >
        {tab === 'devices' && <Devices />}
        {tab === 'keys' && <ApiKeys />}
        {tab === 'account' && <Account />}
      </Tabs>
    </Page>
  );
}
