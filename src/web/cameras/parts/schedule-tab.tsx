import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useAction } from '../../api/query.ts';
import { Button } from '../../kit/button.tsx';
import { Field } from '../../kit/field.tsx';
import { FormFailure } from '../../kit/states.tsx';
import { browserZone } from '../../kit/time.ts';
import { useText } from '../../text/text.ts';
import styles from '../cameras.module.css';
import { Checkbox } from '../checkbox.tsx';
import { FIRST_WINDOW, isOvernight, type Schedule, type Window, withDay } from '../schedule.ts';
import { TimezoneSelect } from '../timezone-select.tsx';
import type { Device } from './device.ts';

/** When the camera counts by itself. */
export function ScheduleTab({ device }: { readonly device: Device }) {
  const t = useText('cameras');
  const timezone = device.timezone ?? browserZone();
  const [schedule, setSchedule] = useState<Schedule | null>(device.schedule);
  const save = useAction(
    () => api.PATCH('/devices/{id}', { params: { path: { id: device.id } }, body: { schedule } }),
    { changes: [['device', device.id]] },
  );
  const change = (next: Schedule | null) => {
    setSchedule(next);
    save.reset();
  };
  const windows = schedule?.windows ?? [];
  const setWindow = (at: number, window: Window) =>
    schedule && change({ ...schedule, windows: windows.with(at, window) });
  return (
    <div className={styles.form}>
      <p>{t.scheduleText}</p>
      <Checkbox
        label={t.scheduleOn}
        isOn={schedule !== null}
        onChange={(isOn) => change(isOn ? { timezone, windows: [FIRST_WINDOW] } : null)}
      />
      {schedule && (
        <>
          {windows.map((window, at) => (
            <WindowForm
              // biome-ignore lint/suspicious/noArrayIndexKey: a window is named by its place in the list
              key={at}
              window={window}
              onChange={(next) => setWindow(at, next)}
              onRemove={
                windows.length > 1
                  ? () => change({ ...schedule, windows: windows.toSpliced(at, 1) })
                  : undefined
              }
            />
          ))}
          <div>
            <Button icon="plus" onClick={() => change({ ...schedule, windows: [...windows, FIRST_WINDOW] })}>
              {t.addWindow}
            </Button>
          </div>
          <Field label={t.scheduleTimezone} error={save.error} path="schedule.timezone">
            {(attributes) => (
              <TimezoneSelect
                attributes={attributes}
                value={schedule.timezone}
                onChange={(zone) => change({ ...schedule, timezone: zone })}
              />
            )}
          </Field>
        </>
      )}
      <FormFailure error={save.error} />
      <div className={styles.saving}>
        <Button
          kind="main"
          isBusy={save.isPending}
          disabled={windows.some(({ days }) => days.length === 0)}
          onClick={() => save.mutate(undefined)}
        >
          {t.saveSchedule}
        </Button>
        <p role="status">{save.isSuccess ? t.saved : ''}</p>
      </div>
    </div>
  );
}

interface WindowFormProps {
  readonly window: Window;
  readonly onChange: (window: Window) => void;
  readonly onRemove: (() => void) | undefined;
}

function WindowForm({ window, onChange, onRemove }: WindowFormProps) {
  const t = useText('cameras');
  const { days, start, end } = window;
  return (
    <fieldset className={styles.window}>
      <legend className="only-for-readers">{t.scheduleOn}</legend>
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
      <div className={styles.times}>
        <label>
          {t.from}{' '}
          <input
            type="time"
            required
            value={start}
            onChange={({ target }) => target.value && onChange({ ...window, start: target.value })}
          />
        </label>
        <label>
          {t.to}{' '}
          <input
            type="time"
            required
            value={end}
            onChange={({ target }) => target.value && onChange({ ...window, end: target.value })}
          />
        </label>
        {isOvernight(window) && <small>{t.overnight}</small>}
        {onRemove && <Button kind="quiet" icon="trash" aria-label={t.removeWindow} onClick={onRemove} />}
      </div>
      {days.length === 0 && <p role="alert">{t.noDays}</p>}
    </fieldset>
  );
}
