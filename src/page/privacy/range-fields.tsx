import { useId } from 'react';
import { api } from '../api/client.ts';
import { serverNow } from '../api/connection.ts';
import { useList } from '../api/query.ts';
import { Button } from '../kit/button.tsx';
import { TextField } from '../kit/form/text-field.tsx';
import { MoreButton } from '../kit/states.tsx';
import { browserZone, zoneName } from '../kit/time.ts';
import { useText } from '../text/text.ts';
import styles from './privacy.module.css';
import { type CheckedRange, lastDays, type RangeForm } from './range.ts';

interface RangeFieldsProps {
  readonly form: RangeForm;
  readonly onChange: (form: RangeForm) => void;
  /** What the page found wrong; null before somebody tried. */
  readonly checked: CheckedRange | null;
  /** Of the call. */
  readonly error: unknown;
}

/** A range of time, of all cameras or of some. */
export function RangeFields({ form, onChange, checked, error }: RangeFieldsProps) {
  const t = useText('privacy').range;
  const set = (change: Partial<RangeForm>) => onChange({ ...form, ...change });
  const now = () => new Date(serverNow());
  const faultOf = (field: 'from' | 'to' | 'devices') =>
    checked && 'fault' in checked && checked.field === field ? t[checked.fault] : undefined;
  return (
    <>
      <div className="buttons">
        <Button onClick={() => set(lastDays(now(), 1))}>{t.lastDay}</Button>
        <Button onClick={() => set(lastDays(now(), 7))}>{t.lastWeek}</Button>
        <Button onClick={() => set(lastDays(now(), 30))}>{t.lastMonth}</Button>
      </div>
      <div className="fields">
        <TextField
          label={t.from}
          error={error}
          path="from"
          fault={faultOf('from')}
          type="datetime-local"
          value={form.from}
          onChange={(value) => set({ from: value })}
        />
        <TextField
          label={t.to}
          hint={t.toHint(zoneName(browserZone()))}
          error={error}
          path="to"
          fault={faultOf('to')}
          type="datetime-local"
          value={form.to}
          onChange={(value) => set({ to: value })}
        />
      </div>
      <Devices
        chosen={form.deviceIds}
        fault={faultOf('devices')}
        onChange={(deviceIds) => set({ deviceIds })}
      />
    </>
  );
}

interface DevicesProps {
  /** Null: all. */
  readonly chosen: readonly string[] | null;
  readonly fault: string | undefined;
  readonly onChange: (chosen: readonly string[] | null) => void;
}

function Devices({ chosen, fault, onChange }: DevicesProps) {
  const t = useText('privacy').range;
  const id = useId();
  const list = useList(
    ['devices', 'names'],
    (page) => api.GET('/devices', { params: { query: { page, limit: 100 } } }),
    { enabled: chosen !== null },
  );
  const toggle = (deviceId: string) =>
    onChange(
      chosen?.includes(deviceId) ? chosen.filter((each) => each !== deviceId) : [...(chosen ?? []), deviceId],
    );
  return (
    <fieldset aria-describedby={fault && `${id}-wrong`}>
      <legend>{t.devices}</legend>
      <label className="choice">
        <input type="radio" name={id} checked={chosen === null} onChange={() => onChange(null)} />
        {t.everyDevice}
      </label>
      <label className="choice">
        <input type="radio" name={id} checked={chosen !== null} onChange={() => onChange([])} />
        {t.chosen}
      </label>
      {chosen !== null && (
        <div className={`box ${styles.deviceList}`}>
          {list.items.map((device) => (
            <label key={device.id} className="choice">
              <input
                type="checkbox"
                checked={chosen.includes(device.id)}
                onChange={() => toggle(device.id)}
              />
              {device.name}
            </label>
          ))}
          <MoreButton list={list} />
        </div>
      )}
      {fault !== undefined && (
        <p id={`${id}-wrong`} className="fault">
          {fault}
        </p>
      )}
    </fieldset>
  );
}
