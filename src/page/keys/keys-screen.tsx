import { TabbedScreen } from '../shell/tabbed-screen.tsx';
import { useText } from '../text/text.ts';
import { Account } from './account.tsx';
import { ApiKeys } from './api-keys.tsx';
import { Devices } from './devices.tsx';

export default function KeysScreen() {
  const t = useText('keys');
  return (
    <TabbedScreen
      scope="key:manage"
      title={t.title}
      label={t.views}
      tabs={['devices', 'keys', 'account']}
      names={t.tabs}
      placeOf={(tab) => `/keys${tab === 'devices' ? '' : `?tab=${tab}`}`}
    >
      {(tab) => (
        <>
          {tab === 'devices' && <Devices />}
          {tab === 'keys' && <ApiKeys />}
          {tab === 'account' && <Account />}
        </>
      )}
    </TabbedScreen>
  );
}
