import { api, type Resource } from '../api/client.ts';
import { serverNow } from '../api/connection.ts';
import { useCall } from '../api/query.ts';
import { count } from '../kit/numbers.ts';
import { localeNow, useText } from '../text/text.ts';
import styles from './rules.module.css';
import { byDayBefore, STRIP_DAYS } from './strip-days.ts';

const DAY_MS = 86_400_000;
const STALE_MS = 60_000;
/** More alerts of a week look alike. */
const MOST = 100;

/** How often a rule told something on each of the last seven days. */
export function AlertStrip({ rule }: { readonly rule: Pick<Resource<'AlertRule'>, 'id' | 'triggerCount'> }) {
  const t = useText('rules');
  const locale = localeNow();
  const alerts = useCall(
    ['rules', 'week', rule.id, rule.triggerCount],
    () => {
      const startDate = new Date(serverNow() - STRIP_DAYS * DAY_MS).toISOString();
      return api.GET('/analysis/alerts', { params: { query: { ruleId: rule.id, startDate, limit: MOST } } });
    },
    { staleTime: STALE_MS, enabled: rule.triggerCount > 0 },
  );
  const times = (alerts.data ?? []).map(({ triggeredAt }) => Date.parse(triggeredAt));
  if (rule.triggerCount > 0 && alerts.isPending) return null;
  if (times.length === 0) return <span className={styles.stripOf}>{t.neverFired}</span>;
  const days = byDayBefore(times, serverNow());
  const most = Math.max(...days);
  return (
    <span className={styles.stripOf}>
      <span className={styles.strip} aria-hidden="true">
        {days.map((alertsOfDay, at) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: days have no other name
            key={at}
            style={{ height: `${Math.max(8, (alertsOfDay / most) * 100)}%` }}
            data-empty={alertsOfDay === 0 || undefined}
          />
        ))}
      </span>
      {t.fired(`${count(times.length, locale)}${times.length === MOST ? '+' : ''}`, times.length === 1)}
    </span>
  );
}
