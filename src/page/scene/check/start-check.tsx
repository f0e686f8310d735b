import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useAction } from '../../api/query.ts';
import { Button } from '../../kit/button.tsx';
import { Checkbox } from '../../kit/form/checkbox.tsx';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { TextField } from '../../kit/form/text-field.tsx';
import { useText } from '../../text/text.ts';
import styles from './check.module.css';
import { type Check, checksKey } from './checks.ts';

interface StartCheckProps {
  readonly sceneId: string;
  readonly isLive: boolean;
  readonly onStarted: (id: string) => void;
}

/** The button that starts a check, and what it asks before. */
export function StartCheck({ sceneId, isLive, onStarted }: StartCheckProps) {
  const t = useText('check');
  const [isOpen, setOpen] = useState(false);
  const [stills, setStills] = useState('40');
  const [hours, setHours] = useState('8');
  const [keepsWrongStills, setKeeps] = useState(true);
  const [showsPeople, setShows] = useState(false);
  const start = useAction(
    () =>
      api.POST('/scenes/{id}/checks', {
        params: { path: { id: sceneId } },
        body: { stills: Number(stills), hours: Number(hours), keepsWrongStills, showsPeople },
      }),
    {
      changes: [checksKey(sceneId)],
      onDone: (made: Check) => {
        setOpen(false);
        onStarted(made.id);
      },
    },
  );
  return (
    <>
      {!isLive && <p className={styles.muted}>{t.notCounting}</p>}
      <div className={styles.buttons}>
        <Button kind="main" icon="check" onClick={() => setOpen(true)}>
          {t.start}
        </Button>
      </div>
      {isOpen && (
        <FormDialog
          title={t.start}
          onClose={() => setOpen(false)}
          submit={t.start}
          action={start}
          noValidate
          onSubmit={() => start.mutate(undefined)}
        >
          <TextField
            label={t.stills}
            hint={t.stillsHint}
            error={start.error}
            path="stills"
            type="number"
            inputMode="numeric"
            min={20}
            max={100}
            value={stills}
            onChange={setStills}
          />
          <TextField
            label={t.hours}
            hint={t.hoursHint}
            error={start.error}
            path="hours"
            type="number"
            inputMode="decimal"
            min={0.1}
            max={48}
            step="any"
            value={hours}
            onChange={setHours}
          />
          <Checkbox label={t.showsPeople} hint={t.showsPeopleHint} isOn={showsPeople} onChange={setShows} />
          {!showsPeople && (
            <Checkbox
              label={t.keepsWrong}
              hint={t.keepsWrongHint}
              isOn={keepsWrongStills}
              onChange={setKeeps}
            />
          )}
        </FormDialog>
      )}
    </>
  );
}
