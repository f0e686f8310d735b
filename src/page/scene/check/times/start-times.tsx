import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useAction } from '../../../api/query.ts';
import { Button } from '../../../kit/button.tsx';
import { FormDialog } from '../../../kit/form/form-dialog.tsx';
import { TextField } from '../../../kit/form/text-field.tsx';
import { useText } from '../../../text/text.ts';
import { type Check, checksKey } from '../checks.ts';
import { ShowPeople } from '../show-people.tsx';

interface StartTimesProps {
  readonly sceneId: string;
  readonly isRecording: boolean;
  readonly onStarted: (id: string) => void;
}

/** The button that starts a check of times, and what it asks before. */
export function StartTimes({ sceneId, isRecording, onStarted }: StartTimesProps) {
  const t = useText('check');
  const [isOpen, setOpen] = useState(false);
  const [minutes, setMinutes] = useState('10');
  const [from, setFrom] = useState('0');
  const [showsPeople, setShows] = useState(false);
  const start = useAction(
    () =>
      api.POST('/scenes/{id}/times-checks', {
        params: { path: { id: sceneId } },
        body: {
          seconds: Math.round(Number(minutes) * 60),
          ...(isRecording && { from: Math.round(Number(from) * 60) }),
          showsPeople,
        },
      }),
    {
      changes: [checksKey(sceneId)],
      onDone: (made: Check) => {
        setOpen(false);
        onStarted(made.id);
      },
    },
  );
  const minutesField = (label: string, path: string, [value, set]: [string, (next: string) => void]) => (
    <TextField
      label={label}
      error={start.error}
      path={path}
      type="number"
      inputMode="decimal"
      min={0}
      step="any"
      value={value}
      onChange={set}
    />
  );
  return (
    <>
      <Button icon="clock" onClick={() => setOpen(true)}>
        {t.startTimes}
      </Button>
      {isOpen && (
        <FormDialog
          title={t.startTimes}
          onClose={() => setOpen(false)}
          submit={t.startTimes}
          action={start}
          noValidate
          onSubmit={() => start.mutate(undefined)}
        >
          <p>{isRecording ? t.timesOfRecording : t.timesOfCamera}</p>
          {minutesField(t.minutes, 'seconds', [minutes, setMinutes])}
          {isRecording && minutesField(t.fromMinute, 'from', [from, setFrom])}
          <ShowPeople isOn={showsPeople} onChange={setShows} />
        </FormDialog>
      )}
    </>
  );
}
