import { useLocation, useSearchParams } from 'wouter';
import { api } from '../../api/client.ts';
import { useCall } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { Page } from '../../kit/page.tsx';
import { Async } from '../../kit/states.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { useText } from '../../text/text.ts';
import { NowTab } from './now-tab.tsx';
import { PrivacyTab } from './privacy-tab.tsx';
import { ScheduleTab } from './schedule-tab.tsx';
import { SettingsTab } from './settings-tab.tsx';
import { ZonesTab } from './zones-tab.tsx';

const TABS = ['now', 'zones', 'privacy', 'schedule', 'settings'] as const;
type TabId = (typeof TABS)[number];

/** The scope without which a tab is not offered. */
const NEEDS = {
  now: 'device:read',
  zones: 'scene:write',
  privacy: 'device:write',
  schedule: 'device:write',
  settings: 'device:write',
} as const satisfies Record<TabId, string>;

const EVERY_MS = 5000;

/** A camera: how it is, and what can be changed about it. */
export function CameraPage({ deviceId }: { readonly deviceId: string }) {
  const t = useText('cameras');
  const session = useSession();
  const [, goTo] = useLocation();
  const [search] = useSearchParams();
  const asked = TABS.find((tab) => tab === search.get('tab'));
  const tabs = TABS.filter((tab) => session.may(NEEDS[tab]));
  const tab = asked && tabs.includes(asked) ? asked : 'now';
  const device = useCall(
    ['device', deviceId],
    () => api.GET('/devices/{id}', { params: { path: { id: deviceId } } }),
    { refetchInterval: EVERY_MS },
  );
  return (
    <Async query={device}>
      {(camera) => (
        <Page
          title={camera.name}
          lead={camera.description || undefined}
          backTo="/cameras"
          isWide={tab === 'zones'}
        >
          <Tabs
            label={t.tabsLabel}
            tabs={tabs.map((id) => ({ id, label: t.tabs[id] }))}
            selected={tab}
            onSelect={(id) => goTo(`/cameras/${deviceId}?tab=${id}`, { replace: true })}
          >
            {tab === 'now' && <NowTab device={camera} />}
            {tab === 'zones' && <ZonesTab device={camera} />}
            {tab === 'privacy' && <PrivacyTab device={camera} />}
            {tab === 'schedule' && <ScheduleTab device={camera} />}
            {tab === 'settings' && <SettingsTab device={camera} />}
          </Tabs>
        </Page>
      )}
    </Async>
  );
}
