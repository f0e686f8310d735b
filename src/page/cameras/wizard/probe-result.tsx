import { type FormEvent, useMemo, useState } from 'react';
import { api } from '../../api/client.ts';
import { useAction } from '../../api/query.ts';
import { Button } from '../../kit/button.tsx';
import { Field } from '../../kit/field.tsx';
import { Checkbox } from '../../kit/form/checkbox.tsx';
import { NameField } from '../../kit/form/text-field.tsx';
import { TimezoneSelect } from '../../kit/form/timezone-select.tsx';
import { Icon } from '../../kit/icon.tsx';
import { FormFailure } from '../../kit/states.tsx';
import { browserZone } from '../../kit/time.ts';
import { troubleOf } from '../../kit/words/trouble.ts';
import { goTo } from '../../shell/place.ts';
import { useText } from '../../text/text.ts';
import { nameOfAddress } from '../camera-address.ts';
import { blobOf, useAddressOf, useKeepFrame } from '../use-frame.ts';
import type { Found } from './found.ts';
import styles from './wizard.module.css';

/** What the camera shows or why it shows nothing, its name, and the way on. */
export function ProbeResult({ found, onBack }: { readonly found: Found; readonly onBack: () => void }) {
  const t = useText('cameras');
  const { wizard } = t;
  const common = useText('common');
  const { streamUrl, probed } = found;
  const words = troubleOf(useText('faults'), probed.fault?.reason ?? 'unknown', probed.fault?.message);
  const [name, setName] = useState(found.name || nameOfAddress(streamUrl, wizard.simulated));
  const [timezone, setTimezone] = useState(browserZone());
  const [describes, setDescribes] = useState(false);
  const jpeg = useMemo(() => probed.image && blobOf(probed.image), [probed.image]);
  const picture = useAddressOf(jpeg);
  const keepFrame = useKeepFrame();
  const plan = describes ? 'LEVEL_02' : 'LEVEL_01';
  const body = { name: name.trim(), streamUrl, timezone, plan } as const;
  const create = useAction(() => api.POST('/devices', { body }), {
    changes: [['cameras']],
    onDone: ({ id }) => {
      if (jpeg) keepFrame(id, jpeg);
      goTo(probed.fault ? `/cameras/${id}` : `/cameras/${id}/setup`, { replace: true });
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!create.isPending) create.mutate(undefined);
  };
  return (
    <form className={`stack ${styles.probed}`} onSubmit={onSubmit}>
      {probed.fault ? (
        <div className="notice" data-tone="bad" role="alert">
          <Icon name="warning" />
          <div>
            <h2>{words.title}</h2>
            <p>{words.advice}</p>
            <details>
              <summary>{t.details}</summary>
              <p>{probed.fault.message}</p>
            </details>
          </div>
        </div>
      ) : (
        <>
          <h2>
            <Icon name="check" /> {picture ? wizard.works : wizard.worksNoPicture}
          </h2>
          {picture && (
            <figure>
              <img src={picture} alt={t.picture(name)} />
              <figcaption>
                {wizard.isIt} {probed.width && `${probed.width} × ${probed.height}`}
              </figcaption>
            </figure>
          )}
        </>
      )}
      <div className={`fields ${styles.naming}`}>
        <NameField
          label={t.whatIsHere}
          hint={wizard.nameHint}
          error={create.error}
          required
          value={name}
          onChange={setName}
        />
        <Field label={t.timezone} hint={t.timezoneHint} error={create.error} path="timezone">
          {(attributes) => <TimezoneSelect attributes={attributes} value={timezone} onChange={setTimezone} />}
        </Field>
        <Checkbox label={t.plan} hint={t.planHint} isOn={describes} onChange={setDescribes} />
      </div>
      <FormFailure error={create.error} />
      {probed.fault && <p>{wizard.saveAnywayText}</p>}
      <div className="buttons">
        <Button onClick={onBack}>{common.back}</Button>
        <Button
          type="submit"
          kind={probed.fault ? 'normal' : 'main'}
          isBusy={create.isPending}
          disabled={name.trim() === ''}
        >
          {probed.fault ? wizard.saveAnyway : wizard.next}
        </Button>
      </div>
    </form>
  );
}
