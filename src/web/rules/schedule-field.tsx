import { weekdayNames } from '../history/week-cells.ts';
import { Button } from '../kit/button.tsx';
import { Field } from '../kit/field.tsx';
import { zoneName } from '../kit/time.ts';
import { localeNow, useText } from '../text/text.ts';
import type { Faults, Schedule, Window } from './draft.ts';
import styles from './rules.module.css';

const USUAL: Window = { days: [1, 2, 3, 4, 5, 6], start: '08:00', end: '20:00' };
const MOST_WINDOWS = 50;

interface ScheduleFieldProps {
  readonly schedule: Schedule | null;
  /** Of the camera; a schedule that has one already keeps it. */
  readonly timezone: string;
  readonly faults: Faults;
  readonly onChange: (schedule: Schedule | null) => void;
}

/** When a rule is evaluated: always, or in weekly windows. */
export function ScheduleField({ schedule, timezone, faults, onChange }: ScheduleFieldProps) {
  const t = useText('rules');
  const windows = schedule?.windows ?? [];
  const put = (changed: readonly Window[]) => schedule && onChange({ ...schedule, windows: changed });
  return (
    <fieldset className={styles.plain}>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={schedule !== null}
          onChange={({ target }) => onChange(target.checked ? { timezone, windows: [USUAL] } : null)}
        />
        {t.schedule}
      </label>
      {schedule && <p className={styles.note}>{t.scheduleZone(zoneName(schedule.timezone))}</p>}
      {windows.map((window, at) => (
        <WindowFields
          // biome-ignore lint/suspicious/noArrayIndexKey: windows have no other name, and hold no state
          key={at}
          {...{ window, at }}
          fault={faults[`schedule.windows[${at}].days`] && t.faults.days}
          onChange={(part) => put(windows.map((old, index) => (index === at ? { ...old, ...part } : old)))}
          onRemove={windows.length > 1 ? () => put(windows.filter((_, index) => index !== at)) : undefined}
        />
      ))}
      {schedule && windows.length < MOST_WINDOWS && (
        <div className={styles.row}>
          <Button icon="plus" onClick={() => put([...windows, USUAL])}>
            {t.addWindow}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

interface WindowFieldsProps {
  readonly window: Window;
  readonly at: number;
  readonly fault: string | undefined;
  readonly onChange: (part: Partial<Window>) => void;
  readonly onRemove: (() => void) | undefined;
}

function WindowFields({ window, at, fault, onChange, onRemove }: WindowFieldsProps) {
  const t = useText('rules');
  const names = weekdayNames(localeNow(), 'short');
  const toggle = (day: number, isOn: boolean) =>
    onChange({ days: isOn ? [...window.days, day].sort() : window.days.filter((known) => known !== day) });
  return (
    <fieldset className={styles.window}>
      <legend>{t.windowOf(at + 1)}</legend>
      <div className={styles.weekdays}>
        {names.map((name, index) => (
          <label key={name} className={styles.check}>
            <input
              type="checkbox"
              checked={window.days.includes(index + 1)}
              onChange={({ target }) => toggle(index + 1, target.checked)}
            />
            {name}
          </label>
        ))}
      </div>
      {fault && <p className={styles.fault}>{fault}</p>}
      <div className={styles.pair}>
        <Field label={t.from}>
          {(attributes) => (
            <input
              {...attributes}
              type="time"
              value={window.start}
              onChange={({ target }) => target.value && onChange({ start: target.value })}
            />
          )}
        </Field>
        <Field label={t.until}>
          {(attributes) => (
            <input
              {...attributes}
              type="time"
              value={window.end}
              onChange={({ target }) => target.value && onChange({ end: target.value })}
            />
          )}
        </Field>
      </div>
      {onRemove && (
        <Button kind="quiet" icon="trash" aria-label={t.removeWindow(at + 1)} onClick={onRemove} />
      )}
    </fieldset>
  );
}
