import { type FormEvent, useState } from 'react';
import { api, type Resource } from '../api/client.ts';
import { useAction, useCall } from '../api/query.ts';
import { SCENE_KINDS } from '../cameras/zones/shapes.ts';
import { fromBody, toBody } from '../cameras/zones/to-body.ts';
import { type ZoneChange, ZoneEditor } from '../cameras/zones/zone-editor.tsx';
import { Button } from '../kit/button.tsx';
import { Field } from '../kit/field.tsx';
import { Checkbox } from '../kit/form/checkbox.tsx';
import { ConfirmDialog } from '../kit/form/confirm-dialog.tsx';
import { Section } from '../kit/page.tsx';
import { Async, FormFailure } from '../kit/states.tsx';
import { SensitiveOfRecording } from '../privacy/sensitive-attributes.tsx';
import { useText } from '../text/text.ts';
import styles from './recordings.module.css';

type Recording = Resource<'Recording'>;
type Config = Resource<'Scene'>['config'];

/** Zones on the first picture and what is to be counted; starts the analysis. */
export function StartForm({ recording }: { readonly recording: Recording }) {
  const path = { id: recording.sceneId };
  const scene = useCall(['scene', recording.sceneId], () => api.GET('/scenes/{id}', { params: { path } }));
  return <Async query={scene}>{({ config }) => <FormOf recording={recording} config={config} />}</Async>;
}

function FormOf({ recording, config }: { readonly recording: Recording; readonly config: Config }) {
  const t = useText('recordings');
  // A recording that was never analysed has the whole picture as its queue zone: nobody drew that.
  const [first] = useState(() => (recording.analysis.status === 'none' ? {} : fromBody(config.zones)));
  const [drawn, setDrawn] = useState<ZoneChange | null>(null);
  const hasDrawn = drawn !== null && Object.keys(drawn.zones).length > 0;
  const [parameters, setParameters] = useState(config.parameters);
  const [analysisFps, setAnalysisFps] = useState(recording.analysisFps);
  const [plan, setPlan] = useState(recording.plan);
  const [isAsked, setIsAsked] = useState(false);
  const start = useAction(
    () =>
      api.POST('/recordings/{id}/analysis', {
        params: { path: { id: recording.id } },
        body: {
          ...(hasDrawn && { zones: toBody(drawn.zones) }),
          ...{ parameters, analysisFps, plan, priority: 3 },
        },
      }),
    { changes: [['recordings'], ['scene', recording.sceneId]], onDone: () => setIsAsked(false) },
  );
  const hasNumbers = recording.analysis.status !== 'none';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (hasDrawn && !drawn.isSound) return;
    if (hasNumbers) setIsAsked(true);
    else start.mutate(undefined);
  };
  const numberField = (
    { label, hint, path }: { label: string; hint: string; path: string },
    {
      value,
      set,
      ...limits
    }: { value: number; set: (value: number) => void; min: number; max: number; step: number },
  ) => (
    <Field label={label} hint={hint} error={start.error} path={path}>
      {(attributes) => (
        <input
          {...attributes}
          {...limits}
          type="number"
          inputMode="decimal"
          required
          value={Number.isNaN(value) ? '' : value}
          onChange={(event) => set(event.target.valueAsNumber)}
        />
      )}
    </Field>
  );
  return (
    <form className="stack" onSubmit={submit}>
      <Section title={t.setUp}>
        <p className="note">{t.setUpText}</p>
        <ZoneEditor
          picture={`api/v1/recordings/${recording.id}/frame?width=960#${recording.rotation}-${recording.videoTrack}`}
          zones={first}
          kinds={SCENE_KINDS}
          error={start.error}
          onChange={setDrawn}
        />
      </Section>
      <details className={styles.more}>
        <summary>{t.more}</summary>
        <div className="fields">
          <Field label={t.counts} error={start.error} path="parameters.class">
            {(attributes) => (
              <select
                {...attributes}
                value={parameters.class}
                onChange={(event) =>
                  setParameters({ ...parameters, class: event.target.value as typeof parameters.class })
                }
              >
                <option value="person">{t.classes.person}</option>
                <option value="vehicle">{t.classes.vehicle}</option>
              </select>
            )}
          </Field>
          {numberField(
            { label: t.analysisFps, hint: t.analysisFpsHint, path: 'analysisFps' },
            { value: analysisFps, set: setAnalysisFps, min: 1, max: 30, step: 1 },
          )}
          {numberField(
            { label: t.confidence, hint: t.confidenceHint, path: 'parameters.confidenceThreshold' },
            {
              value: parameters.confidenceThreshold,
              set: (confidenceThreshold) => setParameters({ ...parameters, confidenceThreshold }),
              ...{ min: 0, max: 1, step: 0.05 },
            },
          )}
          {numberField(
            { label: t.entrySeconds, hint: t.entrySecondsHint, path: 'parameters.entryThresholdSeconds' },
            {
              value: parameters.entryThresholdSeconds,
              set: (entryThresholdSeconds) => setParameters({ ...parameters, entryThresholdSeconds }),
              ...{ min: 1, max: 60, step: 1 },
            },
          )}
          <Checkbox
            label={t.plan}
            hint={t.planHint}
            isOn={plan === 'LEVEL_02'}
            onChange={(isOn) => setPlan(isOn ? 'LEVEL_02' : 'LEVEL_01')}
          />
        </div>
        {plan === 'LEVEL_02' && <SensitiveOfRecording id={recording.id} on={recording.attributeGroups} />}
      </details>
      {!isAsked && <FormFailure error={start.error} />}
      <div className="buttons">
        <Button
          kind="main"
          icon="play"
          type="submit"
          isBusy={start.isPending}
          disabled={hasDrawn && !drawn.isSound}
        >
          {hasNumbers ? t.again : t.start}
        </Button>
      </div>
      {isAsked && (
        <ConfirmDialog
          title={t.againTitle}
          confirm={t.again}
          kind="main"
          action={start}
          onClose={() => setIsAsked(false)}
        >
          <p>{t.againText}</p>
        </ConfirmDialog>
      )}
    </form>
  );
}
