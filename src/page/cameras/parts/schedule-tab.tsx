import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useAction } from '../../api/query.ts';
import { Button } from '../../kit/button.tsx';
import { Checkbox } from '../../kit/form/checkbox.tsx';
import { FIRST_WINDOW, isWhole, type Schedule } from '../../kit/form/schedule.ts';
import { ScheduleFields } from '../../kit/form/schedule-fields.tsx';
import { FormFailure } from '../../kit/states.tsx';
import { browserZone } from '../../kit/time.ts';
import { useText } from '../../text/text.ts';
import styles from '../cameras.module.css';
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
  return (
    <div className="stack">
      <p>{t.scheduleText}</p>
      <Checkbox
        label={t.scheduleOn}
        isOn={schedule !== null}
        onChange={(isOn) => change(isOn ? { timezone, windows: [FIRST_WINDOW] } : null)}
      />
      {schedule && (
        <ScheduleFields schedule={schedule} error={save.error} path="schedule" onChange={change} />
      )}
      <FormFailure error={save.error} />
      <div className={`row ${styles.saving}`}>
        <Button
          kind="main"
          isBusy={save.isPending}
          disabled={schedule !== null && !isWhole(schedule)}
          onClick={() => save.mutate(undefined)}
        >
          {t.saveSchedule}
        </Button>
        <p role="status">{save.isSuccess ? t.saved : ''}</p>
      </div>
    </div>
  );
}
