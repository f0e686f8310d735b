import { Button } from '../kit/button.tsx';
import { SelectField } from '../kit/form/select-field.tsx';
import { TextField } from '../kit/form/text-field.tsx';
import { useText } from '../text/text.ts';
import { ACTION_GROUPS, type ActionGroup, type AuditAction, isAuditAction } from './audit-facts.ts';
import styles from './audit-log.module.css';

export interface AuditFilter {
  readonly action: AuditAction | null;
  /** Days as `date` fields have them, in the zone of the browser; empty for none. Both are included. */
  readonly from: string;
  readonly to: string;
  readonly userId: string | null;
}

export const EVERYTHING: AuditFilter = { action: null, from: '', to: '', userId: null };

/** The filter as the query of the call. */
export function queryOf({ action, from, to, userId }: AuditFilter) {
  const [start, end] = [new Date(`${from}T00:00`), new Date(`${to}T00:00`)];
  end.setDate(end.getDate() + 1);
  return {
    ...(action && { action }),
    ...(from !== '' && { from: start.toISOString() }),
    ...(to !== '' && { to: end.toISOString() }),
    ...(userId && { userId }),
  };
}

interface AuditFiltersProps {
  readonly filter: AuditFilter;
  readonly onChange: (filter: AuditFilter) => void;
  /** Emails by id; null without a choice of the user. */
  readonly users: ReadonlyMap<string, string> | null;
}

export function AuditFilters({ filter, onChange, users }: AuditFiltersProps) {
  const t = useText('privacy').audit;
  const set = (change: Partial<AuditFilter>) => onChange({ ...filter, ...change });
  const groups = Object.entries(ACTION_GROUPS) as [ActionGroup, readonly AuditAction[]][];
  return (
    <div className={`fields ${styles.filters}`}>
      <SelectField
        label={t.filterAction}
        value={filter.action ?? ''}
        onChange={(next) => set({ action: isAuditAction(next) ? next : null })}
      >
        <option value="">{t.everyAction}</option>
        {groups.map(([group, actions]) => (
          <optgroup key={group} label={t.groups[group]}>
            {actions.map((action) => (
              <option key={action} value={action}>
                {t.names[action]}
              </option>
            ))}
          </optgroup>
        ))}
      </SelectField>
      {users && (
        <SelectField
          label={t.filterUser}
          value={filter.userId ?? ''}
          onChange={(next) => set({ userId: next || null })}
        >
          <option value="">{t.everyUser}</option>
          {[...users].map(([id, email]) => (
            <option key={id} value={id}>
              {email}
            </option>
          ))}
        </SelectField>
      )}
      <TextField
        label={t.filterFrom}
        type="date"
        max={filter.to || undefined}
        value={filter.from}
        onChange={(value) => set({ from: value })}
      />
      <TextField
        label={t.filterTo}
        type="date"
        min={filter.from || undefined}
        value={filter.to}
        onChange={(value) => set({ to: value })}
      />
      {filter !== EVERYTHING && (
        <Button kind="quiet" icon="cross" onClick={() => onChange(EVERYTHING)}>
          {t.clear}
        </Button>
      )}
    </div>
  );
}
