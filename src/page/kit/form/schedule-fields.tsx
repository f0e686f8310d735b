import { useText } from '../../text/text.ts';
import { Button } from '../button.tsx';
import { Field } from '../field.tsx';
import styles from './form.module.css';
import { FIRST_WINDOW, isOvernight, type Schedule, type Window, withDay } from './schedule.ts';
import { TimezoneSelect } from './timezone-select.tsx';

interface ScheduleFieldsProps {
  readonly schedule: Schedule;
  readonly onChange: (schedule: Schedule) => void;
  /** A window to begin further ones with. */
  readonly first?: Window;
  /** The error of the call, and the path of the schedule in its body. */
  readonly error: unknown;
  readonly path: string;
}

/** Weekly windows by the clock of a time zone. */
export function ScheduleFields({ schedule, onChange, first, error, path }: ScheduleFieldsProps) {
  const t = useText('schedule');
  return (
    <div className="stack">
      <WindowFields
        windows={schedule.windows}
        onChange={(windows) => onChange({ ...schedule, windows })}
        first={first}
      />
      <Field label={t.timezone} error={error} path={`${path}.timezone`}>
        {(attributes) => (
          <TimezoneSelect
            attributes={attributes}
            value={schedule.timezone}
            onChange={(timezone) => onChange({ ...schedule, timezone })}
          />
        )}
      </Field>
    </div>
  );
}

interface WindowFieldsProps {
  readonly windows: Schedule['windows'];
  readonly onChange: (windows: Schedule['windows']) => void;
  readonly first?: Window | undefined;
  /** Seconds between two times that may be chosen. */
  readonly step?: number;
}

/** At least one window of each week. */
export function WindowFields({ windows, onChange, first = FIRST_WINDOW, step }: WindowFieldsProps) {
  const t = useText('schedule');
  return (
    <>
      {windows.map((window, at) => (
        <WindowForm
          // biome-ignore lint/suspicious/noArrayIndexKey: a window is named by its place in the list
          key={at}
          window={window}
          step={step}
          onChange={(next) => onChange(windows.with(at, next))}
          onRemove={windows.length > 1 ? () => onChange(windows.toSpliced(at, 1)) : undefined}
        />
      ))}
      <div>
        <Button icon="plus" onClick={() => onChange([...windows, first])}>
          {t.addWindow}
        </Button>
      </div>
    </>
  );
}

interface WindowFormProps {
  readonly window: Window;
  readonly step: number | undefined;
  readonly onChange: (window: Window) => void;
  readonly onRemove: (() => void) | undefined;
}

function WindowForm({ window, step, onChange, onRemove }: WindowFormProps) {
  const t = useText('schedule');
  const { days } = window;
  return (
    <fieldset className="box">
      <legend className="only-for-readers">{t.times}</legend>
      <div className={styles.days}>
        {t.days.map((name, at) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={days.includes(at + 1)}
              onChange={({ target }) => onChange(withDay(window, at + 1, target.checked))}
            />
            <span>{name}</span>
          </label>
        ))}
      </div>
      <div className="row">
        <TimeFields times={window} step={step} onChange={onChange} />
        {onRemove && <Button kind="quiet" icon="trash" aria-label={t.removeWindow} onClick={onRemove} />}
      </div>
      {days.length === 0 && <p role="alert">{t.noDays}</p>}
    </fieldset>
  );
}

type Times = Pick<Window, 'start' | 'end'>;

interface TimeFieldsProps<Of extends Times> {
  readonly times: Of;
  readonly step: number | undefined;
  readonly onChange: (times: Of) => void;
}

/** From and to, by the clock. */
export function TimeFields<Of extends Times>({ times, step, onChange }: TimeFieldsProps<Of>) {
  const t = useText('schedule');
  return (
    <>
      {(['start', 'end'] as const).map((end) => (
        <label key={end}>
          {end === 'start' ? t.from : t.to}{' '}
          <input
            className="control-box"
            type="time"
            required
            step={step}
            value={times[end]}
            onChange={({ target }) => target.value && onChange({ ...times, [end]: target.value })}
          />
        </label>
      ))}
      {isOvernight(times) && <small>{t.overnight}</small>}
    </>
  );
}
