import type { Resource } from '../../../client/client.ts';
import { serverNow } from '../../api/connection.ts';
import { fieldError } from '../../api/error-text.ts';
import { Button } from '../../kit/button.tsx';
import { Checkbox } from '../../kit/form/checkbox.tsx';
import { FIRST_WINDOW } from '../../kit/form/schedule.ts';
import { TimeFields, WindowFields } from '../../kit/form/schedule-fields.tsx';
import { localDate } from '../../kit/timezone/wall-clock.ts';
import { weekInWords } from '../../kit/words/opening-words.ts';
import { useText } from '../../text/text.ts';
import styles from '../cameras.module.css';

type OpeningHours = Resource<'OpeningHours'>;
type Exception = OpeningHours['exceptions'][number];

/** The API takes quarters of an hour. */
const STEP_SECONDS = 900;
const FIRST_TIMES = { start: FIRST_WINDOW.start, end: FIRST_WINDOW.end };

interface OpeningHoursFieldsProps {
  readonly value: OpeningHours | null;
  /** From the numbers of the last weeks; null where they do not tell. */
  readonly proposed: OpeningHours | null;
  readonly timezone: string;
  readonly onChange: (hours: OpeningHours | null) => void;
  readonly error: unknown;
}

/** When a site is open: the usual week, and days that are otherwise. */
export function OpeningHoursFields({ value, proposed, timezone, onChange, error }: OpeningHoursFieldsProps) {
  const t = useText('schedule');
  const wrong = fieldError(error, 'openingHours');
  return (
    <fieldset className={styles.choicesDown}>
      <legend>{t.hours.title}</legend>
      <p className="note">{t.hours.hint}</p>
      {value ? (
        <HoursForm value={value} timezone={timezone} onChange={onChange} />
      ) : (
        <>
          {proposed && (
            <p>
              {t.hours.proposed} <strong>{weekInWords(proposed, t)}</strong>{' '}
              <Button kind="main" icon="check" onClick={() => onChange(proposed)}>
                {t.hours.use}
              </Button>
            </p>
          )}
          <div>
            <Button
              icon="clock"
              onClick={() => onChange({ windows: [proposed?.windows[0] ?? FIRST_WINDOW], exceptions: [] })}
            >
              {t.hours.say}
            </Button>
          </div>
        </>
      )}
      {wrong && <p role="alert">{wrong}</p>}
    </fieldset>
  );
}

interface HoursFormProps {
  readonly value: OpeningHours;
  readonly timezone: string;
  readonly onChange: (hours: OpeningHours | null) => void;
}

function HoursForm({ value, timezone, onChange }: HoursFormProps) {
  const t = useText('schedule');
  const { exceptions } = value;
  const change = (next: OpeningHours['exceptions']) => onChange({ ...value, exceptions: next });
  return (
    <div className="stack">
      <WindowFields
        windows={value.windows}
        step={STEP_SECONDS}
        onChange={(windows) => onChange({ ...value, windows })}
      />
      <strong>{t.hours.special}</strong>
      {exceptions.map((day, at) => (
        <ExceptionForm
          // biome-ignore lint/suspicious/noArrayIndexKey: a day is named by its place in the list
          key={at}
          day={day}
          onChange={(next) => change(exceptions.with(at, next))}
          onRemove={() => change(exceptions.toSpliced(at, 1))}
        />
      ))}
      <div className="row">
        <Button
          icon="plus"
          onClick={() =>
            change([...exceptions, { date: localDate(timezone, serverNow()), name: null, windows: [] }])
          }
        >
          {t.hours.addDay}
        </Button>
        <Button kind="quiet" onClick={() => onChange(null)}>
          {t.hours.none}
        </Button>
      </div>
    </div>
  );
}

interface ExceptionFormProps {
  readonly day: Exception;
  readonly onChange: (day: Exception) => void;
  readonly onRemove: () => void;
}

function ExceptionForm({ day, onChange, onRemove }: ExceptionFormProps) {
  const t = useText('schedule');
  const { windows } = day;
  return (
    <fieldset className="box">
      <legend className="only-for-readers">{t.hours.special}</legend>
      <div className="row">
        <label>
          {t.hours.date}{' '}
          <input
            className="control-box"
            type="date"
            required
            value={day.date}
            onChange={({ target }) => target.value && onChange({ ...day, date: target.value })}
          />
        </label>
        <label>
          {t.hours.name}{' '}
          <input
            className="control-box"
            maxLength={60}
            value={day.name ?? ''}
            onChange={({ target }) => onChange({ ...day, name: target.value || null })}
          />
        </label>
        <Checkbox
          label={t.hours.isClosed}
          isOn={windows.length === 0}
          onChange={(isClosed) =>
            onChange({
              ...day,
              windows: isClosed ? [] : [FIRST_TIMES],
            })
          }
        />
        <Button kind="quiet" icon="trash" aria-label={t.hours.removeDay} onClick={onRemove} />
      </div>
      {windows.map((window, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a window is named by its place in the list
        <div key={at} className="row">
          <TimeFields
            times={window}
            step={STEP_SECONDS}
            onChange={(times) => onChange({ ...day, windows: windows.with(at, times) })}
          />
          {windows.length > 1 && (
            <Button
              kind="quiet"
              icon="trash"
              aria-label={t.removeWindow}
              onClick={() => onChange({ ...day, windows: windows.toSpliced(at, 1) })}
            />
          )}
        </div>
      ))}
      {windows.length > 0 && (
        <div>
          <Button
            kind="quiet"
            icon="plus"
            onClick={() => onChange({ ...day, windows: [...windows, FIRST_TIMES] })}
          >
            {t.addWindow}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
