import { TabbedScreen } from '../shell/tabbed-screen.tsx';
import { useText } from '../text/text.ts';
import { AuditLog } from './audit-log.tsx';
import { BlurPeople } from './blur-people.tsx';
import { Erasures } from './erasures.tsx';
import { Exports } from './exports.tsx';
import { SensitiveOfAccount } from './sensitive-attributes.tsx';

/** What is kept of people and who looked at it, for owners of the account. */
export default function PrivacyScreen() {
  const t = useText('privacy');
  return (
    <TabbedScreen
      scope="key:manage"
      title={t.title}
      tabs={['data', 'pictures', 'audit']}
      names={t.tabs}
      placeOf={(tab) => `/privacy?tab=${tab}`}
    >
      {(selected) => (
        <>
          {selected === 'data' && (
            <div className="halves">
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
        </>
      )}
    </TabbedScreen>
  );
}
