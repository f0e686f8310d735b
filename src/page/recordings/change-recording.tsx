import { useState } from 'react';
import { api, type Resource } from '../api/client.ts';
import { useAction } from '../api/query.ts';
import { Field } from '../kit/field.tsx';
import { FormDialog } from '../kit/form/form-dialog.tsx';
import { RotationField } from '../kit/form/rotation-field.tsx';
import { NameField, TextField } from '../kit/form/text-field.tsx';
import { TimezoneSelect } from '../kit/form/timezone-select.tsx';
import { instantOf, wallClock } from '../kit/timezone/wall-clock.ts';
import { useText } from '../text/text.ts';

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
  const submit = () => {
    if (!isWrong) save.mutate(undefined);
  };
  return (
    <FormDialog
      title={t.changeTitle}
      onClose={onClose}
      submit={common.save}
      action={save}
      isIncomplete={isWrong}
      noValidate
      onSubmit={submit}
    >
      <NameField
        label={t.name}
        error={save.error}
        fault={name.trim() === '' ? t.nameFault : undefined}
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
    </FormDialog>
  );
}
