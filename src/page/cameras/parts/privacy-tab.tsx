import { useCallback, useState } from 'react';
import { api } from '../../api/client.ts';
import { useAction, useCall } from '../../api/query.ts';
import { Can } from '../../api/session.tsx';
import { Button } from '../../kit/button.tsx';
import { Field } from '../../kit/field.tsx';
import { Checkbox } from '../../kit/form/checkbox.tsx';
import { Async, FormFailure } from '../../kit/states.tsx';
import { SensitiveOfCamera } from '../../privacy/sensitive-attributes.tsx';
import { useText } from '../../text/text.ts';
import styles from '../cameras.module.css';
import { useFrame } from '../use-frame.ts';
import type { ShapeKind } from '../zones/shapes.ts';
import { masksFromBody, polygonBody } from '../zones/to-body.ts';
import { type ZoneChange, ZoneEditor } from '../zones/zone-editor.tsx';
import type { Device } from './device.ts';

const MASKS: readonly ShapeKind[] = ['mask'];

/** What nobody sees of this camera. */
export function PrivacyTab({ device }: { readonly device: Device }) {
  const t = useText('cameras');
  const frame = useFrame(device.id);
  const [first] = useState(() => masksFromBody(device.privacyMask));
  const [maskAnalysis, setMaskAnalysis] = useState(device.maskAnalysis);
  const [change, setChange] = useState<ZoneChange | null>(null);
  const onChange = useCallback((next: ZoneChange) => setChange(next), []);
  const save = useAction(
    ({ privacyMask }: ZoneChange) =>
      api.PATCH('/devices/{id}', {
        params: { path: { id: device.id } },
        body: { privacyMask: privacyMask.map(polygonBody), maskAnalysis },
      }),
    {
      changes: [
        ['device', device.id],
        ['frame', device.id],
      ],
    },
  );
  return (
    <div className="stack">
      <p>{t.privacyText}</p>
      {(frame.url !== null || !frame.isFetching) && (
        <ZoneEditor picture={frame.url} privacyMask={first} kinds={MASKS} onChange={onChange} />
      )}
      <Checkbox
        label={t.maskAnalysis}
        hint={t.maskAnalysisHint}
        isOn={maskAnalysis}
        onChange={setMaskAnalysis}
      />
      <FormFailure error={save.error} />
      <div className={`row ${styles.saving}`}>
        <Button
          kind="main"
          isBusy={save.isPending}
          disabled={!change?.isSound}
          onClick={() => change && save.mutate(change)}
        >
          {t.savePrivacy}
        </Button>
        <p role="status">{save.isSuccess ? t.saved : ''}</p>
      </div>
      {device.plan === 'LEVEL_02' && <SensitiveOfCamera id={device.id} on={device.attributeGroups} />}
      <Can scope="key:manage">
        <HidePeople />
      </Can>
    </div>
  );
}

const BLURS = ['none', 'faces', 'bodies'] as const;

/** Whether people are hidden in the pictures of the account. */
function HidePeople() {
  const t = useText('cameras');
  const account = useCall(['account'], () => api.GET('/users/me'));
  const save = useAction(
    (blurPeople: (typeof BLURS)[number]) => api.PATCH('/users/me', { body: { blurPeople } }),
    {
      changes: [['account'], ['frame']],
    },
  );
  return (
    <Async query={account}>
      {({ blurPeople }) => (
        <Field label={t.blur} hint={t.blurHint} error={save.error} path="blurPeople">
          {(attributes) => (
            <select
              {...attributes}
              value={save.isPending ? save.variables : blurPeople}
              disabled={save.isPending}
              onChange={({ target }) => save.mutate(target.value as (typeof BLURS)[number])}
            >
              {BLURS.map((each) => (
                <option key={each} value={each}>
                  {t.blurs[each]}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
    </Async>
  );
}
