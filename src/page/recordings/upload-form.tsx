import { type FormEvent, useState } from 'react';
import { serverNow } from '../api/connection.ts';
import { useSession } from '../api/session.tsx';
import { Button } from '../kit/button.tsx';
import { Field } from '../kit/field.tsx';
import { TextField } from '../kit/form/text-field.tsx';
import { TimezoneSelect } from '../kit/form/timezone-select.tsx';
import { bytes } from '../kit/numbers.ts';
import { browserZone } from '../kit/time.ts';
import { instantOf, wallClock } from '../kit/timezone/wall-clock.ts';
import { localeNow, useText } from '../text/text.ts';
import { clockOfName, nameOfFile } from './recorded-time.ts';
import { startUpload } from './upload.ts';

interface UploadFormProps {
  readonly file: File;
  readonly onEnd: () => void;
}

/** When and where a chosen file was recorded. Guesses come from its name and date. */
export function UploadForm({ file, onEnd }: UploadFormProps) {
  const t = useText('recordings');
  const common = useText('common');
  const session = useSession();
  const [name, setName] = useState(() => nameOfFile(file.name));
  const [timezone, setTimezone] = useState(session.user.timezone ?? browserZone());
  const [guess] = useState(() => clockOfName(file.name));
  const [clock, setClock] = useState(() => guess ?? wallClock(timezone, file.lastModified));
  const [isChecked, setIsChecked] = useState(false);

  const recordedAtMs = instantOf(timezone, clock);
  const clockFault = ((): string | undefined => {
    if (Number.isNaN(recordedAtMs)) return t.recordedAtFault;
    return recordedAtMs > serverNow() ? t.recordedAtFuture : undefined;
  })();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (clockFault !== undefined || name.trim() === '') return;
    startUpload({ file, name: name.trim(), recordedAt: new Date(recordedAtMs).toISOString(), timezone });
    onEnd();
  };
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <p>
        {t.file}: <strong>{file.name}</strong> · {bytes(file.size, localeNow())}
      </p>
      <TextField
        label={t.name}
        fault={isChecked && name.trim() === '' ? t.nameFault : undefined}
        maxLength={100}
        value={name}
        onChange={setName}
      />
      <div className="fields">
        <TextField
          label={t.recordedAt}
          hint={guess !== null ? t.recordedAtFromName : t.recordedAtFromFile}
          fault={isChecked || clockFault === t.recordedAtFuture ? clockFault : undefined}
          type="datetime-local"
          step={1}
          value={clock}
          onChange={setClock}
        />
        <Field label={t.timezone} hint={t.timezoneHint}>
          {(attributes) => <TimezoneSelect attributes={attributes} value={timezone} onChange={setTimezone} />}
        </Field>
      </div>
      <div className="buttons">
        <Button onClick={onEnd}>{common.cancel}</Button>
        <Button kind="main" icon="upload" type="submit">
          {t.upload}
        </Button>
      </div>
    </form>
  );
}
