import { type FormEvent, useState } from 'react';
import { api, type Resource } from '../api/client.ts';
import { useAction } from '../api/query.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { Field } from '../kit/field.tsx';
import { RotationField } from '../kit/form/rotation-field.tsx';
import { TextField } from '../kit/form/text-field.tsx';
import { TimezoneSelect } from '../kit/form/timezone-select.tsx';
import { FormFailure } from '../kit/states.tsx';
import { instantOf, wallClock } from '../kit/timezone/wall-clock.ts';
import { useText } from '../text/text.ts';
import styles from './recordings.module.css';

interface ChangeRecordingProps {
  readonly recording: Resource<'Recording'>;
  readonly onClose: () => void;
}

/** Name, time, time zone and rotation of a recording. */
export function ChangeRecording({ recording, onClose }: ChangeRecordingProps) {
  const t = useText('recordings');
  const common = useText('common');
  const first = wallClock(recording.timezone, Date.parse(recording.recordedAt));
  const [name, setName] = useState(recording.name);
  const [timezone, setTimezone] = useState(recording.timezone);
  const [clock, setClock] = useState(first);
  const [rotation, setRotation] = useState(recording.rotation);
  const [videoTrack, setVideoTrack] = useState(recording.videoTrack);
  const { status } = recording.analysis;
  const isActive = status === 'queued' || status === 'running';
  const hasTime = recording.analysis.status === 'none';
  const recordedAtMs = instantOf(timezone, clock);
  const isWrong = Number.isNaN(recordedAtMs) || name.trim() === '';
  const hasMoved = clock !== first || timezone !== recording.timezone;
  const save = useAction(
    () =>
      api.PATCH('/recordings/{id}', {
        params: { path: { id: recording.id } },
        body: {
          name: name.trim(),
          timezone,
          ...(rotation !== recording.rotation && { rotation }),
          ...(videoTrack !== recording.videoTrack && { videoTrack }),
          ...(hasTime && hasMoved && { recordedAt: new Date(recordedAtMs).toISOString() }),
        },
      }),
    { changes: [['recordings']], onDone: onClose },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isWrong) save.mutate(undefined);
  };
  return (
    <Dialog
      title={t.changeTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            kind="main"
            type="submit"
            form="change-recording"
            isBusy={save.isPending}
            disabled={isWrong}
          >
            {common.save}
          </Button>
        </>
      }
    >
      <form id="change-recording" className={styles.form} onSubmit={submit} noValidate>
        <TextField
          label={t.name}
          error={save.error}
          path="name"
          fault={name.trim() === '' ? t.nameFault : undefined}
          maxLength={100}
          value={name}
          onChange={setName}
        />
        <TextField
          label={t.recordedAt}
          hint={hasTime ? t.recordedAtHint : t.recordedAtFixed}
          error={save.error}
          path="recordedAt"
          fault={Number.isNaN(recordedAtMs) ? t.recordedAtFault : undefined}
          type="datetime-local"
          step={1}
          disabled={!hasTime}
          value={clock}
          onChange={setClock}
        />
        <Field label={t.timezone} hint={t.timezoneHint} error={save.error} path="timezone">
          {(attributes) => <TimezoneSelect attributes={attributes} value={timezone} onChange={setTimezone} />}
        </Field>
        {recording.videoTracks.length > 1 && (
          <Field label={t.videoTrack} hint={t.videoTrackHint} error={save.error} path="videoTrack">
            {(attributes) => (
              <select
                {...attributes}
                disabled={isActive}
                value={videoTrack}
                onChange={({ target }) => setVideoTrack(Number(target.value))}
              >
                {recording.videoTracks.map(({ number, width, height, codec }) => (
                  <option key={number} value={number}>
                    {t.videoTrackOf(number + 1, t.pictureSize(width, height), codec)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        <RotationField value={rotation} error={save.error} onChange={setRotation} isOff={isActive} />
        <FormFailure error={save.error} />
      </form>
    </Dialog>
  );
}
