import { useSearch } from 'wouter';
import { useSession } from '../api/session.tsx';
import { Page } from '../kit/page.tsx';
import { Forbidden } from '../kit/states.tsx';
import { Tabs } from '../kit/tabs.tsx';
import { goTo } from '../shell/place.ts';
import { useText } from '../text/text.ts';
import { AuditLog } from './audit-log.tsx';
import { BlurPeople } from './blur-people.tsx';
import { Erasures } from './erasures.tsx';
import { Exports } from './exports.tsx';
import styles from './privacy.module.css';
import { SensitiveOfAccount } from './sensitive-attributes.tsx';

const TABS = ['data', 'pictures', 'audit'] as const;

/** What is kept of people and who looked at it, for owners of the account. */
export default function PrivacyScreen() {
  const t = useText('privacy');
  const { may } = useSession();
  const asked = new URLSearchParams(useSearch()).get('tab');
  const selected = TABS.find((tab) => tab === asked) ?? 'data';
  if (!may('key:manage')) {
    return (
      <Page title={t.title}>
        <Forbidden scope="key:manage" />
      </Page>
    );
  }
  return (
    <Page title={t.title}>
      <Tabs
        label={t.title}
        tabs={TABS.map((id) => ({ id, label: t.tabs[id] }))}
        selected={selected}
        onSelect={(id) => goTo(`/privacy?tab=${id}`, { replace: true })}
      >
        {selected === 'data' && (
          <div className={styles.columns}>
            <Exports />
            <Erasures />
          </div>
        )}
        {selected === 'pictures' && (
          <>
            <BlurPeople />
            <SensitiveOfAccount />
          </>
        )}
        {selected === 'audit' && <AuditLog />}
      </Tabs>
    </Page>
  );
}
