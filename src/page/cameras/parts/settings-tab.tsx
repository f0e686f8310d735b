import { type FormEvent, useState } from 'react';
import { api } from '../../api/client.ts';
import { useAction } from '../../api/query.ts';
import { Button } from '../../kit/button.tsx';
import { Field } from '../../kit/field.tsx';
import { Checkbox } from '../../kit/form/checkbox.tsx';
import { RotationField } from '../../kit/form/rotation-field.tsx';
import { SelectField } from '../../kit/form/select-field.tsx';
import { NameField, TextField } from '../../kit/form/text-field.tsx';
import { TimezoneSelect } from '../../kit/form/timezone-select.tsx';
import { FormFailure } from '../../kit/states.tsx';
import { useText } from '../../text/text.ts';
import styles from '../cameras.module.css';
import { DeleteCamera } from './delete-camera.tsx';
import type { Device } from './device.ts';
import { SitesOfCamera } from './sites-of-camera.tsx';

/** Name, address and place of the camera. Only what was changed is sent. */
export function SettingsTab({ device }: { readonly device: Device }) {
  const t = useText('cameras');
  const [form, setForm] = useState(() => formOf(device));
  const save = useAction(
    () =>
      api.PATCH('/devices/{id}', {
        params: { path: { id: device.id } },
        body: changesOf(form, formOf(device)),
      }),
    { changes: [['device', device.id], ['cameras'], ['frame', device.id]] },
  );
  const change = (part: Partial<Form>) => {
    setForm({ ...form, ...part });
    save.reset();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    // Not after a `reset`: what was typed meanwhile stays.
    if (!save.isPending) save.mutate(undefined, { onSuccess: (saved) => saved && setForm(formOf(saved)) });
  };
  return (
    <div className="columns">
      <form className="stack" onSubmit={onSubmit}>
        <NameField
          label={t.name}
          error={save.error}
          required
          value={form.name}
          onChange={(value) => change({ name: value })}
        />
        <Field label={t.description} error={save.error} path="description" isOptional>
          {(attributes) => (
            <textarea
              {...attributes}
              rows={2}
              maxLength={500}
              value={form.description}
              onChange={({ target }) => change({ description: target.value })}
            />
          )}
        </Field>
        <TextField
          label={t.address}
          hint={t.addressKept}
          error={save.error}
          path="streamUrl"
          required
          inputMode="url"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          value={form.streamUrl}
          onChange={(value) => change({ streamUrl: value })}
        />
        <TextField
          label={t.analysisAddress}
          hint={t.analysisAddressHint}
          error={save.error}
          path="analysisStreamUrl"
          isOptional
          inputMode="url"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          value={form.analysisStreamUrl}
          onChange={(value) => change({ analysisStreamUrl: value })}
        />
        <Field label={t.timezone} hint={t.timezoneHint} error={save.error} path="timezone">
          {(attributes) => (
            <TimezoneSelect
              attributes={attributes}
              value={form.timezone}
              nothing={t.timezoneNone}
              onChange={(timezone) => change({ timezone })}
            />
          )}
        </Field>
        <TextField
          label={t.fps}
          hint={t.fpsHint}
          error={save.error}
          path="analysisFps"
          type="number"
          inputMode="numeric"
          required
          min={1}
          max={30}
          step={1}
          value={form.analysisFps}
          onChange={(value) => change({ analysisFps: value })}
        />
        <SelectField
          label={t.region}
          hint={t.regionHint}
          error={save.error}
          path="analysisRegion"
          value={form.analysisRegion}
          onChange={(next) => change({ analysisRegion: next as Device['analysisRegion'] })}
        >
          {REGIONS.map((each) => (
            <option key={each} value={each}>
              {t.regions[each]}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t.accuracy}
          hint={t.accuracyHint}
          error={save.error}
          path="analysisAccuracy"
          value={form.analysisAccuracy}
          onChange={(next) => change({ analysisAccuracy: next as Device['analysisAccuracy'] })}
        >
          {ACCURACIES.map((each) => (
            <option key={each} value={each}>
              {t.accuracies[each]}
            </option>
          ))}
        </SelectField>
        <RotationField
          value={form.rotation}
          error={save.error}
          onChange={(rotation) => change({ rotation })}
        />
        <Checkbox
          label={t.plan}
          hint={t.planHint}
          isOn={form.plan === 'LEVEL_02'}
          onChange={(isOn) => change({ plan: isOn ? 'LEVEL_02' : 'LEVEL_01' })}
        />
        <FormFailure error={save.error} />
        <div className={`row ${styles.saving}`}>
          <SaveButton isBusy={save.isPending} />
          <p role="status">{save.isSuccess ? t.saved : ''}</p>
        </div>
      </form>
      <div className="stack">
        <SitesOfCamera deviceId={device.id} />
        <DeleteCamera device={device} />
      </div>
    </div>
  );
}

function SaveButton({ isBusy }: { readonly isBusy: boolean }) {
  const common = useText('common');
  return (
    <Button type="submit" kind="main" isBusy={isBusy}>
      {common.save}
    </Button>
  );
}

interface Form {
  readonly name: string;
  readonly description: string;
  readonly streamUrl: string;
  readonly analysisStreamUrl: string;
  readonly timezone: string;
  /** As somebody types it. */
  readonly analysisFps: string;
  readonly analysisRegion: Device['analysisRegion'];
  readonly analysisAccuracy: Device['analysisAccuracy'];
  readonly rotation: Device['rotation'];
  readonly plan: Device['plan'];
}

const REGIONS = ['zones', 'whole'] as const;
const ACCURACIES = ['standard', 'high'] as const;

const formOf = ({ description, timezone, analysisFps, ...device }: Device): Form => ({
  ...{ name: device.name, streamUrl: device.streamUrl },
  ...{ analysisRegion: device.analysisRegion, analysisAccuracy: device.analysisAccuracy, plan: device.plan },
  rotation: device.rotation,
  description: description ?? '',
  analysisStreamUrl: device.analysisStreamUrl ?? '',
  timezone: timezone ?? '',
  analysisFps: String(analysisFps),
});

/** What differs from the stored camera, in the form of the API. */
function changesOf(form: Form, stored: Form) {
  const differs = (field: keyof Form) => form[field] !== stored[field];
  return {
    ...(differs('name') && { name: form.name.trim() }),
    ...(differs('description') && { description: form.description.trim() || null }),
    ...(differs('streamUrl') && { streamUrl: form.streamUrl.trim() }),
    ...(differs('analysisStreamUrl') && { analysisStreamUrl: form.analysisStreamUrl.trim() || null }),
    ...(differs('timezone') && { timezone: form.timezone || null }),
    ...(differs('analysisFps') && { analysisFps: Number(form.analysisFps) }),
    ...(differs('analysisRegion') && { analysisRegion: form.analysisRegion }),
    ...(differs('analysisAccuracy') && { analysisAccuracy: form.analysisAccuracy }),
    ...(differs('rotation') && { rotation: form.rotation }),
    ...(differs('plan') && { plan: form.plan }),
  };
}
