import { useState } from 'react';
import { api, type Resource } from '../api/client.ts';
import { useCall } from '../api/query.ts';
import { Time } from '../kit/age.tsx';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { number } from '../kit/numbers.ts';
import { Async } from '../kit/states.tsx';
import { localeNow, useText } from '../text/text.ts';
import styles from './admin.module.css';
import { QuotaForm } from './quota-form.tsx';
import { type Meter, metersOf, type QuotaChange } from './quotas.ts';

interface UserQuotasProps {
  readonly user: Pick<Resource<'User'>, 'id' | 'email'>;
  readonly onClose: () => void;
}

/** The quotas of one user: what is used this month, adding to it, and the limit of each month. */
export function UserQuotas({ user: { id, email }, onClose }: UserQuotasProps) {
  const t = useText('admin').users;
  const [change, setChange] = useState<QuotaChange | null>(null);
  const query = useCall(['admin', 'user', id], () =>
    api.GET('/admin/users/{id}', { params: { path: { id } } }),
  );
  return (
    <Dialog title={t.open(email)} isWide onClose={onClose}>
      <Async query={query}>
        {(user) => (
          <>
            <p className="note">
              {t.monthEnds} <Time at={user.month.resetAt} />
            </p>
            <div className={`cards ${styles.quotas}`}>
              {metersOf(user).map((meter) => (
                <Quota key={meter.feature} meter={meter} />
              ))}
            </div>
            {change ? (
              <QuotaForm
                key={change.kind}
                userId={id}
                user={user}
                change={change}
                onDone={() => setChange(null)}
              />
            ) : (
              <div className="buttons">
                <Button
                  kind="main"
                  icon="plus"
                  onClick={() => setChange({ kind: 'topUp', feature: 'analysisSeconds' })}
                >
                  {t.topUp}
                </Button>
                <Button
                  icon="edit"
                  onClick={() => setChange({ kind: 'setLimit', feature: 'analysisSeconds' })}
                >
                  {t.setLimit}
                </Button>
              </div>
            )}
          </>
        )}
      </Async>
    </Dialog>
  );
}

const WARN_SHARE = 0.8;

function Quota({ meter: { feature, used, limit, monthly, share, over } }: { readonly meter: Meter }) {
  const t = useText('admin').users;
  const locale = localeNow();
  const inUnits = (value: number) => `${number(value, locale)} ${t.units[feature]}`;
  const label =
    limit === null ? t.usedUnlimited(inUnits(used)) : t.used(number(used, locale), inUnits(limit));
  const tone = share === null || share < WARN_SHARE ? undefined : share < 1 ? 'warn' : 'bad';
  return (
    <div>
      <div className="spread">
        <h3>{t.features[feature]}</h3>
        {monthly !== limit && (
          <span className="note">{t.monthly(monthly === null ? t.unlimited : inUnits(monthly))}</span>
        )}
      </div>
      {share !== null && <progress data-tone={tone} value={Math.min(1, share)} max={1} aria-label={label} />}
      <span>{label}</span>
      {over > 0 && <p className="fault">{t.over(inUnits(over))}</p>}
    </div>
  );
}
