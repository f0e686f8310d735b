import { Page } from '../kit/page.tsx';
import { Async } from '../kit/states.tsx';
import { Tabs } from '../kit/tabs.tsx';
import { goTo, usePlaceQuery } from '../shell/place.ts';
import { useText } from '../text/text.ts';
import { Channels } from './channels.tsx';
import { PushCard } from './push-card.tsx';
import { Reports } from './reports.tsx';
import { Sent } from './sent.tsx';
import { Subscriptions } from './subscriptions.tsx';
import { useChannels } from './use-notify.ts';

const TABS = ['messages', 'reports', 'sent'] as const;

export default function NotifyScreen() {
  const t = useText('notify');
  const chosen = new URLSearchParams(usePlaceQuery()).get('tab');
  const tab = TABS.find((each) => each === chosen) ?? 'messages';
  return (
    <Page title={t.title} lead={t.lead}>
      <Tabs
        label={t.title}
        tabs={TABS.map((id) => ({ id, label: t.tabs[id] }))}
        selected={tab}
        onSelect={(id) => goTo(`/notifications?tab=${id}`, { replace: true })}
      >
        {tab === 'messages' && <Messages />}
        {tab === 'reports' && <Reports />}
        {tab === 'sent' && <Sent />}
      </Tabs>
    </Page>
  );
}

function Messages() {
  const query = useChannels();
  return (
    <Async query={query}>
      {(channels) => (
        <div className="stack">
          <PushCard channels={channels} />
          <Channels channels={channels} />
          <Subscriptions channels={channels} />
        </div>
      )}
    </Async>
  );
}
